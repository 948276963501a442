"""The line to type into."""

from __future__ import annotations

from textual import events

from agent_tui.tui.widgets.prompt import Prompt, _Entry
from agent_tui.tui.widgets.vtext import Lines, TextPane
from tests.tui.widgets.sample_app import HOSTILE, WidgetApp


class Listening(WidgetApp):
    def __init__(self) -> None:
        super().__init__(TextPane(Lines(["text"])), Prompt())

    @property
    def prompt(self) -> Prompt:
        return self.query_one(Prompt)

    def on_prompt_submitted(self, event: Prompt.Submitted) -> None:
        self.heard.append((event.kind, event.text))

    def on_prompt_cancelled(self, event: Prompt.Cancelled) -> None:
        self.heard.append((event.kind, None))


async def test_what_is_typed_is_submitted_under_its_kind() -> None:
    app = Listening()
    async with app.run_test(size=(80, 24)) as pilot:
        app.prompt.ask("filter", "f filter [/]")
        await pilot.press(*"jqG", "enter")
        assert app.heard == [("filter", "jqG")]
        assert app.lines()[-1].strip().startswith("f filter [/] jqG")


async def test_escape_closes_without_an_answer() -> None:
    app = Listening()
    async with app.run_test(size=(80, 24)) as pilot:
        app.prompt.ask("search", "/", text="old")
        await pilot.press("escape")
        assert app.heard == [("search", None)]
        assert not app.prompt.is_open
        assert "old" not in app.lines()[-1]


async def test_up_and_down_go_through_what_was_asked_before() -> None:
    app = Listening()
    async with app.run_test() as pilot:
        app.prompt.ask("search", "/", history=["first", "second"])
        seen = []
        for key in ("up", "up", "up", "down", "down"):
            await pilot.press(key)
            seen.append(app.query_one(_Entry).value)
        assert seen == ["second", "first", "first", "second", ""]


async def test_a_complaint_stands_until_the_text_changes() -> None:
    app = Listening()
    async with app.run_test(size=(80, 24)) as pilot:
        app.prompt.ask("filter", "f")
        app.prompt.complain("no such column [/]: speed")
        await pilot.pause()
        assert "no such column [/]: speed" in app.lines()[-1]
        await pilot.press("a")
        assert "no such column" not in "\n".join(app.lines())


async def test_controls_of_a_paste_are_dropped() -> None:
    app = Listening()
    async with app.run_test() as pilot:
        app.prompt.ask("search", "/")
        await pilot.pause()
        app.query_one(_Entry).post_message(events.Paste(f"one\ntwo {HOSTILE}"))
        await pilot.press("enter")
        assert app.heard == [("search", "one two ]0;owned[2J31m]52;c;aGk=")]


async def test_the_cursor_does_not_blink() -> None:
    app = Listening()
    async with app.run_test() as pilot:
        app.prompt.ask("search", "/")
        await pilot.pause()
        assert app.query_one(_Entry).has_focus
        assert not app.query_one(_Entry).cursor_blink
