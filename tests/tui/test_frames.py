"""What changes together is drawn together, and nothing is drawn before there is something to show."""

from __future__ import annotations

import inspect

from textual.app import App, ComposeResult
from textual.widget import Widget
from textual.widgets import Label

from agent_tui.tui.frames import INNER, WholeFrames
from agent_tui.tui.output import LeanApp


class Labels(WholeFrames[None]):
    """Three lines."""

    def compose(self) -> ComposeResult:
        """One after another."""
        yield from (Label("before", id=name) for name in ("one", "two", "three"))


class Counted(LeanApp[None]):
    """Counts what is drawn."""

    drawn = 0
    holds = False

    def get_default_screen(self) -> Labels:
        """Three lines."""
        return Labels()

    def on_mount(self) -> None:
        """Hold the first frame back, where that is asked for."""
        super().on_mount()
        if self.holds:
            self.hold_first_frame(3600.0)

    def post_display_hook(self) -> None:
        """Count."""
        self.drawn += 1


class Held(Counted):
    """Draws when it is told to."""

    holds = True


async def test_a_frame_waits_for_all_that_changed_together() -> None:
    app = Counted()
    async with app.run_test() as pilot:
        await pilot.pause()
        before, labels = app.drawn, list(app.screen.query(Label))
        app.screen._dirty_widgets.add(labels[0].refresh())
        for label in labels[1:]:
            label.refresh()
        app.screen._on_timer_update()
        await pilot.pause()
        assert app.drawn == before + 1


class Another(Labels):
    """As it is where Textual has other inner names."""

    is_known = False


class OnAnother(Counted):
    """Counts what is drawn there."""

    def get_default_screen(self) -> Labels:
        """Three lines."""
        return Another()


async def test_an_unknown_textual_draws_by_itself() -> None:
    app = OnAnother()
    async with app.run_test() as pilot:
        await pilot.pause()
        before = app.drawn
        app.screen.query_one("#two", Label).update("after")
        await pilot.pause()
        assert app.drawn > before
        with app.batch_update():
            app.screen.query_one("#three", Label).update("after")
        await pilot.pause()
        assert [str(label.render()) for label in app.screen.query(Label)] == ["before", "after", "after"]


def test_the_inner_names_are_those_of_the_textual_that_is_pinned() -> None:
    assert WholeFrames.is_known, f"Textual has moved one of {INNER}: see agent_tui/tui/frames.py"
    source = inspect.getsource(Widget) + inspect.getsource(App)
    assert all(f"self.{name} = " in source for name in ("_repaint_required", "_layout_required", "_batch_count"))


async def test_nothing_is_drawn_before_the_first_frame_is_asked_for() -> None:
    app = Held()
    async with app.run_test() as pilot:
        await pilot.pause()
        assert not app.drawn
        app.show_first_frame()
        await pilot.pause()
        assert app.drawn
