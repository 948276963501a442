"""The table under real key presses."""

from __future__ import annotations

import pytest

from agent_tui.tui.widgets.columns import Column, fit
from agent_tui.tui.widgets.vtable import VirtualTable
from tests.tui.widgets.sample_app import COLUMNS, Rows, WidgetApp

SIZES = [(80, 24), (140, 50)]


def table_of(count: int, **options: object) -> tuple[WidgetApp, VirtualTable, Rows]:
    rows = Rows(count)
    table = VirtualTable(COLUMNS, rows, **options)  # type: ignore[arg-type]
    return WidgetApp(table), table, rows


@pytest.mark.parametrize("size", SIZES)
async def test_only_rows_in_view_are_asked_for(size: tuple[int, int]) -> None:
    app, table, rows = table_of(1_000_000)
    async with app.run_test(size=size) as pilot:
        await pilot.press("G", "pageup")
        assert set(rows.asked) <= {*range(size[1]), *range(1_000_000 - 2 * size[1], 1_000_000)}
        assert table.count == 1_000_000


@pytest.mark.parametrize("size", SIZES)
async def test_the_cursor_is_marked_and_moves(size: tuple[int, int]) -> None:
    app, table, _ = table_of(100)
    async with app.run_test(size=size) as pilot:
        await pilot.press("down", "j", "k", "j")
        assert table.cursor == 2
        assert [line[:3] for line in app.lines()[:4]] == [" ru", " R0", " R1", "▸R2"]


async def test_rows_drawn_before_are_drawn_from_memory() -> None:
    app, _, rows = table_of(100)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("down")
        rows.asked.clear()
        await pilot.press("down", "up", "down")
        assert rows.asked == [2]


async def test_the_edge_is_crossed_by_half_a_page() -> None:
    app, table, _ = table_of(100)
    async with app.run_test(size=(80, 21)) as pilot:
        await pilot.press(*["down"] * 19)
        assert table.top == 0
        await pilot.press("down")
        assert (table.cursor, table.top) == (20, 10)
        await pilot.press(*["up"] * 11)
        assert (table.cursor, table.top) == (9, 0)


async def test_pages_keep_the_cursor_at_its_place_in_the_view() -> None:
    app, table, _ = table_of(100)
    async with app.run_test(size=(80, 21)) as pilot:
        await pilot.press("down", "down", "pagedown")
        assert (table.cursor, table.top) == (22, 20)
        await pilot.press("end")
        assert (table.cursor, table.top) == (99, 80)
        await pilot.press("home")
        assert (table.cursor, table.top) == (0, 0)


async def test_a_table_without_rows_says_so_and_takes_keys() -> None:
    app, table, _ = table_of(0, empty="no run passes the filter [/]")
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("down", "pagedown", "end", "enter", "shift+right")
        assert "no run passes the filter [/]" in app.lines()[1]
        assert table.cursor == 0


async def test_rows_may_arrive_while_it_is_shown() -> None:
    app, table, rows = table_of(3)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("down", "down")
        rows.count = 500
        table.rows_added()
        await pilot.pause()
        assert table.cursor == 2
        assert app.lines()[4].startswith(" R3")
        await pilot.press("end")
        assert table.cursor == 499


async def test_the_cursor_stays_within_fewer_rows() -> None:
    app, table, rows = table_of(500)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("end")
        rows.count = 4
        table.rows_changed()
        await pilot.pause()
        assert (table.cursor, table.top) == (3, 0)
        assert app.lines()[4].startswith("▸R3")


async def test_changed_rows_are_asked_for_again() -> None:
    app, table, rows = table_of(10)
    async with app.run_test(size=(80, 24)) as pilot:
        assert "✗ args" in app.lines()[1]
        rows.matcher = 1
        table.rows_changed()
        await pilot.pause()
        assert "✗ args" not in app.lines()[1]
        rows.matcher = 0
        table.row_changed(0)
        await pilot.pause()
        assert "✗ args" in app.lines()[1]


async def test_it_tells_of_the_row_and_of_what_was_opened() -> None:
    class Listening(WidgetApp):
        def on_virtual_table_row_highlighted(self, event: VirtualTable.RowHighlighted) -> None:
            self.heard.append(("at", event.row))

        def on_virtual_table_row_selected(self, event: VirtualTable.RowSelected) -> None:
            self.heard.append(("open", event.row))

    app = Listening(VirtualTable(COLUMNS, Rows(9)))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("down", "enter", "up", "up")
        assert app.heard == [("at", 1), ("open", 1), ("at", 0)]


async def test_the_mouse_moves_opens_and_scrolls() -> None:
    app, table, _ = table_of(100)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.click(VirtualTable, offset=(5, 4))
        assert table.cursor == 3
        await pilot.click(VirtualTable, offset=(5, 0))
        assert table.cursor == 3
        table._on_mouse_scroll_down(_wheel(table))
        assert (table.top, table.cursor) == (3, 3)


def _wheel(table: VirtualTable):  # type: ignore[no-untyped-def]
    from textual.events import MouseScrollDown

    return MouseScrollDown(table, 1, 1, 0, 1, 0, False, False, False)


async def test_columns_that_do_not_fit_are_told_and_can_be_reached() -> None:
    app, _, _ = table_of(5)
    async with app.run_test(size=(50, 10)) as pilot:
        assert app.lines()[0].split() == ["run", "asks", "calls", "exact", "…"]
        await pilot.press("shift+right", "shift+right", "shift+right")
        assert app.lines()[0].split() == ["…run", "calls", "exact", "gap", "judge"]
        await pilot.press("shift+left")
        assert app.lines()[0].split() == ["run", "asks", "calls", "exact", "…"]


async def test_what_is_searched_for_is_lit() -> None:
    app, table, _ = table_of(5)
    async with app.run_test(size=(80, 24)) as pilot:
        table.highlight("HOTEL")
        await pilot.pause()
        strip = app.screen._compositor.render_strips()[2]
        assert [
            segment.text
            for segment in strip
            if segment.style and segment.style.bgcolor and segment.style.bgcolor.name == "#e0af68"
        ] == ["hotel"]


@pytest.mark.parametrize("theme", ["agent-dark", "agent-light", "agent-contrast", "agent-16"])
async def test_the_cursor_row_stands_out_in_every_theme(theme: str) -> None:
    app = WidgetApp(VirtualTable(COLUMNS, Rows(5)), theme=theme)
    async with app.run_test(size=(80, 24)):
        lit, other = (list(app.screen._compositor.render_strips()[y])[1].style for y in (1, 2))
        assert lit
        assert other
        assert (lit.bgcolor, lit.reverse) != (other.bgcolor, other.reverse)


def test_the_highest_rank_goes_first() -> None:
    columns = [Column("id", 5), Column("a", 5, rank=1), Column("b", 5, rank=2), Column("c", 5)]
    assert fit(columns, 26).dropped == 0
    assert [index for index, _ in fit(columns, 19).shown] == [0, 1, 3]
    assert [index for index, _ in fit(columns, 12).shown] == [0, 3]
    assert [index for index, _ in fit(columns, 1).shown] == [0]


def test_what_is_left_over_is_shared() -> None:
    columns = [Column("id", 5), Column("a", 5, share=1), Column("b", 5, share=2)]
    assert [width for _, width in fit(columns, 29).shown] == [5, 8, 12]
