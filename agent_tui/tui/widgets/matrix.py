"""A matrix of cells under headings, with a cursor over the cells.

The headings and the labels at the left always stay. What does not fit is scrolled to by the cursor and told by an
ellipsis in the headings (columns) or a thumb at the right (rows).

    matrix.show(Matrix(corner="made", heads=["exact", "name-only"], labels=["dropped call"], cells=[["4/4", "6/6"]]))
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from msgspec import Struct
from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from agent_tui.tui.theme import UNICODE, Glyphs, Palette, palette_for
from agent_tui.tui.widgets.paint import Line, as_styled, fitted, over, plain, segments

_EDGE = 2
"""Cells between two columns: a blank, and one for the pointer at the cursor."""


class Matrix(Struct, frozen=True):
    """What a matrix shows: a line a head, a label and a cell; `cells[row][column]`."""

    corner: Line = ""
    heads: Sequence[Line] = ()
    labels: Sequence[Line] = ()
    cells: Sequence[Sequence[Line]] = ()

    def width(self, column: int) -> int:
        """Cells that a column needs."""
        return max(cell_len(plain(line)) for line in (self.heads[column], *(row[column] for row in self.cells)))

    @property
    def label_width(self) -> int:
        """Cells that the labels need."""
        return max((cell_len(plain(line)) for line in (self.corner, *self.labels)), default=0)


class MatrixView(Widget, can_focus=True, inherit_bindings=False):
    """Draws a `Matrix` and moves a cursor over its cells."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down,j", "move(1, 0)", "Down", show=False, id="move.down"),
        Binding("up,k", "move(-1, 0)", "Up", show=False, id="move.up"),
        Binding("right,l", "move(0, 1)", "Right", show=False),
        Binding("left,h", "move(0, -1)", "Left", show=False),
        Binding("home,g", "move(-1_000_000, 0)", "First", show=False, id="move.first"),
        Binding("end,G", "move(1_000_000, 0)", "Last", show=False, id="move.last"),
        Binding("shift+right", "move(0, 4)", "Right", show=False, id="columns.right"),
        Binding("shift+left", "move(0, -4)", "Left", show=False, id="columns.left"),
        Binding("enter", "select", "Open", show=False, id="move.select"),
    ]

    @dataclass
    class CellHighlighted(Message):
        """The cursor came to rest on another cell."""

        row: int
        column: int

    @dataclass
    class CellSelected(Message):
        """Enter or a second click on a cell."""

        row: int
        column: int

    def __init__(self, *, glyphs: Glyphs = UNICODE, id: str | None = None) -> None:
        super().__init__(id=id)
        self._glyphs = glyphs
        self._matrix = Matrix()
        self._cursor = (0, 0)
        self._top = 0
        self._left = 0

    @property
    def cursor(self) -> tuple[int, int]:
        """Row and column of the cell under the cursor."""
        return self._cursor

    def show(self, matrix: Matrix, cursor: tuple[int, int] | None = None) -> None:
        """Show another matrix; the cursor keeps its place unless given."""
        self._matrix = matrix
        self._go(*(cursor or self._cursor))
        self.refresh()

    def action_move(self, rows: int, columns: int) -> None:
        """Some rows and columns on, as far as there are any."""
        row, column = self._cursor
        self._go(row + rows, column + columns)

    def action_select(self) -> None:
        """Open the cell under the cursor."""
        if self._matrix.heads and self._matrix.labels:
            self.post_message(self.CellSelected(*self._cursor))

    def on_click(self, event: events.Click) -> None:
        """A click moves the cursor, a click on its cell opens it."""
        at = event.get_content_offset(self)
        found = None if at is None else self._cell_at(at.x, at.y)
        if found is None:
            return
        event.stop()
        if found == self._cursor:
            self.action_select()
        else:
            self._go(*found)

    def on_resize(self) -> None:
        """Keep the cursor in view when the room changes."""
        self._reveal()
        self.refresh()

    def _go(self, row: int, column: int) -> None:
        matrix, before = self._matrix, self._cursor
        row = max(0, min(row, len(matrix.labels) - 1))
        self._cursor = (row, max(0, min(column, len(matrix.heads) - 1)))
        self._reveal()
        if self._cursor != before:
            self.post_message(self.CellHighlighted(*self._cursor))
        self.refresh()

    def _reveal(self) -> None:
        """Scroll as far as it takes to see the cursor, and not past the last column or row."""
        row, column = self._cursor
        page, count = self._page, len(self._matrix.labels)
        self._top = max(0, min(max(self._top, row - page + 1), row, count - page))
        self._left = min(self._left, column)
        while self._left < column and column not in self._shown(self._left):
            self._left += 1
        while self._left and len(self._matrix.heads) - 1 in self._shown(self._left - 1):
            self._left -= 1

    @property
    def _page(self) -> int:
        return max(1, self.size.height - 1)

    def _shown(self, left: int) -> range:
        """The columns that fit from one on, at least that one; two cells stay for the sign of what does not fit."""
        room = self.size.width - self._matrix.label_width - 2
        stop = left
        while stop < len(self._matrix.heads):
            room -= _EDGE + self._matrix.width(stop)
            if room < 0 and stop > left:
                break
            stop += 1
        return range(left, stop)

    def _cell_at(self, x: int, y: int) -> tuple[int, int] | None:
        row = self._top + y - 1
        start = self._matrix.label_width
        for column in self._shown(self._left):
            end = start + _EDGE + self._matrix.width(column)
            if start < x <= end and y and row < len(self._matrix.labels):
                return row, column
            start = end
        return None

    # Drawing

    def notify_style_update(self) -> None:
        """The theme may be another one: draw everything anew."""
        super().notify_style_update()
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """The headings, or a row."""
        base, palette, width = self.rich_style, palette_for(self.app.theme), self.size.width
        matrix, row = self._matrix, self._top + y - 1
        if y == 0:
            return self._headings(palette, base, width)
        if row >= len(matrix.labels):
            return Strip.blank(width, base)
        parts = [*self._padded(matrix.labels[row], matrix.label_width, palette, base)]
        for column in self._shown(self._left):
            lit = (row, column) == self._cursor and self.has_focus
            under = base + palette.style("cursor") if lit else base
            pointer = self._glyphs.pointer if (row, column) == self._cursor else " "
            parts += [Segment(" ", base), Segment(pointer, over(under, palette.style("accent")))]
            parts += self._padded(matrix.cells[row][column], matrix.width(column), palette, under)
        return self._with_thumb(fitted(Strip(parts), width, base, ellipsis=self._glyphs.ellipsis), y, palette, base)

    def _headings(self, palette: Palette, base: Style, width: int) -> Strip:
        matrix, shown = self._matrix, self._shown(self._left)
        more = Segment(self._glyphs.ellipsis[:1], base + palette.style("notice"))
        blank = Segment(" ", base)
        parts = [*self._padded(matrix.corner, matrix.label_width, palette, base)]
        for place, column in enumerate(shown):
            parts += [more if not place and self._left else blank, blank]
            parts += self._padded(as_styled(matrix.heads[column], "title"), matrix.width(column), palette, base)
        if shown and shown.stop < len(matrix.heads):
            return Strip([*fitted(Strip(parts), width - 2, base, ellipsis=self._glyphs.ellipsis), blank, more], width)
        return fitted(Strip(parts), width, base, ellipsis=self._glyphs.ellipsis)

    def _padded(self, line: Line, width: int, palette: Palette, base: Style) -> Strip:
        return fitted(Strip(segments(line, palette, base)), width, base, ellipsis=self._glyphs.ellipsis)

    def _with_thumb(self, strip: Strip, y: int, palette: Palette, base: Style) -> Strip:
        page, count = self._page, len(self._matrix.labels)
        if count <= page:
            return strip
        length = max(1, page * page // count)
        start = self._top * (page - length) // (count - page)
        if not start <= y - 1 < start + length:
            return strip
        thumb = Segment(self._glyphs.thumb, base + palette.style("border"))
        return Strip([*strip.crop(0, self.size.width - 1), thumb], self.size.width)
