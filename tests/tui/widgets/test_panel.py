"""Frames and their titles."""

from __future__ import annotations

import pytest
from rich.text import Text

from agent_tui.tui.theme import ASCII, DARK
from agent_tui.tui.widgets.panel import Panel
from agent_tui.tui.widgets.vtext import Lines, TextPane
from tests.tui.widgets.sample_app import WidgetApp


def panel(title: str | list[Text | str], name: str = "p", **options: object) -> Panel:
    return Panel(TextPane(Lines(["inside"])), title=title, id=name, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("title", ["[/]", "[/b]", "[link=x]", "[@click=app.quit]x[/]", "a\x1b[2Jb", "日本語"])
async def test_a_title_is_text_never_markup(title: str) -> None:
    app = WidgetApp(panel(title, note="1"))
    async with app.run_test(size=(60, 5)):
        top = app.lines()[0]
        assert title.replace("\x1b", "␛") in top
        assert "\x1b" not in top
        assert app.lines()[1][1:7] == "inside"


async def test_the_frame_has_title_note_and_parts() -> None:
    app = WidgetApp(panel(["Runs", Text("exact", "button"), "name-only"], note="2"))
    async with app.run_test(size=(40, 4)):
        assert app.lines()[0] == "╭─ Runs ─ exact ─ name-only ─────── 2 ─╮"
        assert app.lines()[-1] == "╰" + "─" * 38 + "╯"


async def test_a_long_title_is_cut_and_a_narrow_frame_drops_the_note() -> None:
    app = WidgetApp(panel("a very long title of a pane", note="7"))
    async with app.run_test(size=(20, 4)) as pilot:
        assert app.lines()[0] == "╭─ a very lon…  7 ─╮"
        await pilot.resize_terminal(10, 4)
        assert "7" not in app.lines()[0]
        assert len(app.lines()[0]) == 10


async def test_the_focused_frame_is_brighter() -> None:
    first, second = panel("one", "first"), panel("two", "second")
    app = WidgetApp(first, second)
    async with app.run_test(size=(30, 10)) as pilot:
        await pilot.press("tab")
        edges = [next(iter(app.screen._compositor.render_strips()[y])).style for y in (0, 5)]
        bright, quiet = DARK.style("border_focus").color, DARK.style("border").color
        assert {style.color for style in edges if style} == {bright, quiet}


async def test_ascii_and_flat_frames() -> None:
    app = WidgetApp(panel("one", "first", glyphs=ASCII), panel("two", "second", classes="-flat", glyphs=ASCII))
    async with app.run_test(size=(20, 8)):
        lines = app.lines()
        assert lines[0] == "+- one ------------+"
        assert lines[4] == "-- two -------------"
        assert lines[5].startswith("inside")
