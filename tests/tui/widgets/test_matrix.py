"""The matrix under real key presses."""

from __future__ import annotations

import pytest

from agent_tui.tui.theme import ASCII
from agent_tui.tui.widgets.matrix import Matrix, MatrixView
from tests.tui.widgets.sample_app import HOSTILE, WidgetApp


def matrix_of(rows: int, columns: int) -> Matrix:
    return Matrix(
        corner="made",
        heads=[f"head{column}" for column in range(columns)],
        labels=[f"row {row}" for row in range(rows)],
        cells=[[f"{row}/{column}" for column in range(columns)] for row in range(rows)],
    )


class Listening(WidgetApp):
    """Keeps what the matrix says."""

    def on_matrix_view_cell_highlighted(self, event: MatrixView.CellHighlighted) -> None:
        self.heard.append(("at", event.row, event.column))

    def on_matrix_view_cell_selected(self, event: MatrixView.CellSelected) -> None:
        self.heard.append(("open", event.row, event.column))


def app_with(matrix: Matrix, **options: object) -> tuple[Listening, MatrixView]:
    view = MatrixView(**options)  # type: ignore[arg-type]
    view.show(matrix)
    return Listening(view), view


async def test_arrows_and_letters_move_the_cursor_and_stop_at_the_edges() -> None:
    app, view = app_with(matrix_of(3, 3))
    async with app.run_test(size=(60, 10)) as pilot:
        view.focus()
        await pilot.press("down", "j", "j", "right", "l", "l", "k", "h", "up", "left", "left")
        assert view.cursor == (0, 0)
        await pilot.press("G")
        assert view.cursor == (2, 0)
        assert app.lines()[3].startswith("row 2 ▸2/0")


async def test_it_tells_of_the_cell_and_of_what_was_opened() -> None:
    app, view = app_with(matrix_of(2, 2))
    async with app.run_test(size=(60, 10)) as pilot:
        view.focus()
        await pilot.press("right", "enter", "right", "down")
        assert app.heard == [("at", 0, 1), ("open", 0, 1), ("at", 1, 1)]


async def test_what_fits_is_shown_without_a_sign() -> None:
    app, _ = app_with(matrix_of(2, 3))
    async with app.run_test(size=(60, 10)):
        assert app.lines()[0].split() == ["made", "head0", "head1", "head2"]


async def test_columns_that_do_not_fit_are_told_at_their_side_and_can_be_reached() -> None:
    app, view = app_with(matrix_of(2, 6))
    async with app.run_test(size=(30, 10)) as pilot:
        view.focus()
        assert app.lines()[0].split() == ["made", "head0", "head1", "head2", "…"]
        await pilot.press("right", "right", "right")
        assert app.lines()[0].split() == ["made", "…", "head1", "head2", "head3", "…"]
        await pilot.press("shift+right")
        assert app.lines()[0].split() == ["made", "…", "head3", "head4", "head5"]
        assert "▸0/5" in app.lines()[1]
        await pilot.press("shift+left", "shift+left")
        assert app.lines()[0].split() == ["made", "head0", "head1", "head2", "…"]


async def test_rows_that_do_not_fit_are_reached_and_the_thumb_tells() -> None:
    app, view = app_with(matrix_of(9, 2))
    async with app.run_test(size=(40, 4)) as pilot:
        view.focus()
        assert [line[:5] for line in app.lines()[1:4]] == ["row 0", "row 1", "row 2"]
        await pilot.press("end")
        assert [line[:5] for line in app.lines()[1:4]] == ["row 6", "row 7", "row 8"]
        assert any(line.endswith("┃") for line in app.lines())
        await pilot.resize_terminal(40, 12)
        await pilot.pause()
        assert app.lines()[1].startswith("row 0")


async def test_a_click_moves_and_a_second_one_opens() -> None:
    app, view = app_with(matrix_of(3, 3))
    async with app.run_test(size=(60, 10)) as pilot:
        at = app.lines()[2].index("1/1")
        await pilot.click(MatrixView, offset=(at, 2))
        assert view.cursor == (1, 1)
        await pilot.click(MatrixView, offset=(at + 1, 2))
        await pilot.click(MatrixView, offset=(1, 0))
        await pilot.click(MatrixView, offset=(at, 8))
        assert app.heard == [("at", 1, 1), ("open", 1, 1)]


async def test_an_empty_matrix_takes_keys() -> None:
    app, view = app_with(Matrix())
    async with app.run_test(size=(60, 10)) as pilot:
        view.focus()
        await pilot.press("down", "right", "end", "enter", "shift+right")
        assert (view.cursor, app.heard) == ((0, 0), [])


async def test_the_cursor_keeps_its_place_and_stays_within_a_smaller_matrix() -> None:
    app, view = app_with(matrix_of(4, 4))
    async with app.run_test(size=(60, 10)) as pilot:
        view.focus()
        await pilot.press("right", "right", "down", "down")
        view.show(matrix_of(5, 5))
        assert view.cursor == (2, 2)
        view.show(matrix_of(2, 1))
        assert view.cursor == (1, 0)
        view.show(matrix_of(4, 4), (3, 3))
        assert view.cursor == (3, 3)


@pytest.mark.parametrize("width", [4, 8, 12])
async def test_a_screen_too_narrow_for_a_column_still_draws(width: int) -> None:
    app, view = app_with(matrix_of(3, 3))
    async with app.run_test(size=(width, 3)) as pilot:
        view.focus()
        await pilot.press("right", "down")
        assert all(len(line) <= width for line in app.lines())


async def test_hostile_text_does_not_act() -> None:
    app, _ = app_with(Matrix(corner=HOSTILE, heads=[HOSTILE], labels=[HOSTILE], cells=[[HOSTILE]]), glyphs=ASCII)
    async with app.run_test(size=(120, 5)):
        assert not any(character in "\x1b\x07\x9b\u202e" for line in app.lines() for character in line)
