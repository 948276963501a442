"""The text pane under real key presses."""

from __future__ import annotations

import pytest
from rich.text import Text

from agent_tui.tui.widgets.longtext import LongText
from agent_tui.tui.widgets.vtext import Lines, TextPane
from tests.tui.widgets.sample_app import WidgetApp


class Listening(WidgetApp):
    def on_text_pane_line_highlighted(self, event: TextPane.LineHighlighted) -> None:
        self.heard.append(("at", event.line))

    def on_text_pane_line_selected(self, event: TextPane.LineSelected) -> None:
        self.heard.append(("open", event.line))

    def on_text_pane_fold_toggled(self, event: TextPane.FoldToggled) -> None:
        self.heard.append(("fold", event.line, event.open))


def numbered(count: int) -> Lines:
    return Lines([f"line {number}" for number in range(count)])


@pytest.mark.parametrize("size", [(80, 24), (140, 50)])
async def test_keys_move_through_the_lines(size: tuple[int, int]) -> None:
    pane = TextPane(numbered(200))
    app = WidgetApp(pane)
    async with app.run_test(size=size) as pilot:
        await pilot.press("down", "j", "pagedown")
        assert (pane.cursor, pane.top) == (2 + size[1], size[1])
        await pilot.press("G")
        assert app.lines()[-1].startswith("line 199")
        await pilot.press("g")
        assert (pane.cursor, pane.top) == (0, 0)


async def test_it_tells_of_lines_and_folds() -> None:
    app = Listening(TextPane(numbered(9)))
    async with app.run_test() as pilot:
        await pilot.press("down", "enter", "space", "left", "right", "up")
        assert app.heard == [
            ("at", 1),
            ("open", 1),
            ("fold", 1, None),
            ("fold", 1, False),
            ("fold", 1, True),
            ("at", 0),
        ]


async def test_the_cursor_rests_only_where_it_may() -> None:
    pane = TextPane(Lines([f"line {number}" for number in range(12)], stops=[2, 5, 6]), pointer=True)
    app = WidgetApp(pane)
    async with app.run_test(size=(40, 6)) as pilot:
        assert pane.cursor == 2
        await pilot.press("down")
        assert pane.cursor == 5
        await pilot.press("down", "down")
        assert (pane.cursor, app.lines()[-1].split()[:2]) == (6, ["line", "11"])
        await pilot.press("up", "up", "up")
        assert (pane.cursor, pane.top) == (2, 0)


async def test_jumping_brings_a_line_into_view() -> None:
    pane = TextPane(numbered(1000))
    app = WidgetApp(pane)
    async with app.run_test(size=(40, 20)) as pilot:
        pane.jump_to(500)
        await pilot.pause()
        assert (pane.cursor, pane.top) == (500, 490)
        pane.show(numbered(3), 1)
        await pilot.pause()
        assert (pane.cursor, pane.top, app.lines()[1]) == (1, 0, "line 1")


async def test_at_the_end_more_room_shows_more_lines_and_not_none() -> None:
    app = WidgetApp(TextPane(numbered(30)))
    async with app.run_test(size=(40, 10)) as pilot:
        await pilot.press("G")
        await pilot.resize_terminal(40, 20)
        assert [line.split("┃")[0].strip() for line in app.lines()[:20]] == [f"line {n}" for n in range(10, 30)]


async def test_long_lines_wrap_at_words() -> None:
    pane = TextPane(Lines(["the refund was booked twice by the agent", "end"]), wrap=True)
    app = WidgetApp(pane)
    async with app.run_test(size=(21, 6)):
        assert app.lines()[:4] == ["the refund was", "booked twice by the", "agent", "end"]


async def test_a_line_taller_than_the_view_is_read_by_half_pages() -> None:
    pane = TextPane(Lines(["x" * 400, "end"]), wrap=True)
    app = WidgetApp(pane)
    async with app.run_test(size=(21, 10)) as pilot:
        await pilot.press("down")
        assert pane.cursor == 0
        await pilot.press("down", "down", "down")
        assert (pane.cursor, app.lines()[-1]) == (1, "end" + app.lines()[-1][3:])


async def test_a_line_that_is_cut_says_how_much_is_missing() -> None:
    pane = TextPane(Lines(["x" * 100_000]))
    app = WidgetApp(pane)
    async with app.run_test(size=(40, 4)) as pilot:
        assert app.lines()[0].rstrip("┃ ").endswith("…")
        for _ in range(12):
            await pilot.press("shift+right")
        await pilot.press("shift+left")
        assert "x" in app.lines()[0]


async def test_a_very_long_line_is_counted_when_wrapped() -> None:
    app = WidgetApp(TextPane(Lines([Text("x" * 20_000)]), wrap=True))
    async with app.run_test(size=(40, 10)) as pilot:
        await pilot.press("G")
        assert "… +3,616 chars" in app.lines()[-1]


async def test_wide_characters_fill_the_width() -> None:
    app = WidgetApp(TextPane(Lines(["日本語" * 10]), wrap=True))
    async with app.run_test(size=(12, 10)):
        assert app.lines()[0].startswith("日本語日本")


async def test_a_24_mb_text_shows_its_ends() -> None:
    pane = TextPane(wrap=True)
    app = WidgetApp(pane)
    async with app.run_test(size=(80, 24)) as pilot:
        pane.show(LongText("some words that go on\n" * 1_100_000 + "the \x1b[31mend"))
        await pilot.pause()
        assert app.lines()[0].startswith("some words")
        await pilot.press("G")
        assert app.lines()[-1].startswith("the ␛[31mend")


async def test_an_empty_pane_says_so() -> None:
    app = WidgetApp(TextPane(empty="no run is open [/]"))
    async with app.run_test() as pilot:
        await pilot.press("down", "up", "G", "g", "enter", "space", "pagedown")
        assert app.lines()[0] == "no run is open [/]"


async def test_what_wraps_goes_on_below_the_words() -> None:
    pane = TextPane(Lines(["key     does something that needs more than one row"], hang=8), wrap=True)
    app = WidgetApp(pane)
    async with app.run_test(size=(24, 6)):
        assert [line.rstrip() for line in app.lines()[:4]] == [
            "key     does something",
            "        that needs more",
            "        than one row",
            "",
        ]


async def test_wrapped_lines_are_drawn_while_the_width_changes() -> None:
    pane = TextPane(Lines([f"{n} the refund was booked twice by the agent" for n in range(40)]), wrap=True)
    app = WidgetApp(pane)
    async with app.run_test(size=(12, 10)) as pilot:
        await pilot.press("end")
        for width in (120, 13, 60, 12):
            await pilot.resize_terminal(width, 10)
            await pilot.pause()
            assert any("agent" in line for line in app.lines())
