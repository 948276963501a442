"""A table of any number of rows: only the rows in view are ever asked for.

A `RowSource` promises `count` and, for each row number below it, the cells of that row: one line of text per column,
sanitised, styled by name. The table asks again after `rows_changed()`; until then a row may be drawn from memory.
Moving the cursor repaints two lines. At the edge the view jumps by half a page, because scrolling by one line repaints
all of it. Nothing is animated.

    table = VirtualTable([Column("run", 6), Column("asks", 12, share=1), Column("gap", 14, rank=2)])
    table.show(source)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Protocol

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.cache import LRUCache
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from agent_tui.tui.theme import UNICODE, Glyphs, Palette, palette_for
from agent_tui.tui.widgets.columns import GAP, Column, Fit, fit
from agent_tui.tui.widgets.paint import Line, as_styled, fitted, highlighted, over, plain, segments

MARGIN = 1
"""Cells left of the first column, for the pointer at the cursor row."""
WHEEL = 3
"""Rows that one notch of the wheel moves the view."""


class RowSource(Protocol):
    """Rows by number."""

    @property
    def count(self) -> int:
        """How many rows there are."""

    def cells(self, row: int) -> Sequence[Line]:
        """The cells of one row, in the order of the columns."""


class NoRows:
    """A source with nothing in it."""

    count = 0

    def cells(self, row: int) -> Sequence[Line]:
        """Never asked."""
        raise IndexError(row)


class VirtualTable(ScrollView, can_focus=True, inherit_bindings=False):
    """Rows of a `RowSource` under a header, with a cursor."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down,j", "cursor_down", "Down", show=False, id="move.down"),
        Binding("up,k", "cursor_up", "Up", show=False, id="move.up"),
        Binding("pagedown", "page_down", "Page down", show=False, id="move.page_down"),
        Binding("pageup", "page_up", "Page up", show=False, id="move.page_up"),
        Binding("home,g", "first", "First", show=False, id="move.first"),
        Binding("end,G", "last", "Last", show=False, id="move.last"),
        Binding("enter", "select", "Open", show=False, id="move.select"),
        Binding("shift+right", "columns(1)", "Columns right", show=False, id="columns.right"),
        Binding("shift+left", "columns(-1)", "Columns left", show=False, id="columns.left"),
    ]

    DEFAULT_CSS = """
    VirtualTable { overflow: hidden hidden; }
    """

    @dataclass
    class RowHighlighted(Message):
        """The cursor came to rest on another row."""

        table: VirtualTable
        row: int

        @property
        def control(self) -> VirtualTable:
            """The table, for `@on` with a selector."""
            return self.table

    @dataclass
    class RowSelected(Message):
        """Enter or a second click on a row."""

        table: VirtualTable
        row: int

        @property
        def control(self) -> VirtualTable:
            """The table, for `@on` with a selector."""
            return self.table

    def __init__(
        self,
        columns: Sequence[Column],
        source: RowSource | None = None,
        *,
        empty: Line = "nothing to show",
        glyphs: Glyphs = UNICODE,
        header: bool = True,
        id: str | None = None,
        classes: str | None = None,
    ) -> None:
        super().__init__(id=id, classes=classes)
        self._columns = tuple(columns)
        self._source: RowSource = source or NoRows()
        self._empty = empty
        self._glyphs = glyphs
        self._head = 1 if header else 0
        self._cursor = 0
        self._skipped = 0
        self._needle = ""
        self._version = 0
        self._base = Style()
        self._strips: LRUCache[tuple[object, ...], Strip] = LRUCache(512)
        self._measure()

    # What is shown

    @property
    def cursor(self) -> int:
        """The row the cursor is on; 0 where there are no rows."""
        return self._cursor

    @property
    def count(self) -> int:
        """How many rows the source has."""
        return self._source.count

    @property
    def top(self) -> int:
        """The first row in view."""
        return round(self.scroll_y)

    @property
    def page(self) -> int:
        """How many rows fit the view."""
        return max(1, self.size.height - self._head)

    def show(self, source: RowSource, cursor: int = 0) -> None:
        """Show another source with the cursor on a row of it."""
        self._source = source
        self._cursor = -1
        self.rows_changed(cursor)

    def set_columns(self, columns: Sequence[Column]) -> None:
        """Show other columns of the same rows."""
        self._columns = tuple(columns)
        self._skipped = min(self._skipped, max(0, len(columns) - 2))
        self._forget()

    def set_empty(self, sentence: Line) -> None:
        """Say another sentence where there are no rows."""
        self._empty = sentence
        if not self.count:
            self.refresh()

    def rows_changed(self, cursor: int | None = None) -> None:
        """Ask the source again: rows, their number or their look changed. The cursor keeps its number unless given."""
        self._forget()
        self.rows_added()
        self.move_to(self._cursor if cursor is None else cursor)

    def rows_added(self) -> None:
        """More rows at the end; those already there are as they were."""
        grown_from = self.virtual_size.height - self._head
        self._measure()
        if not grown_from or grown_from < self.top + self.page:
            self.refresh()
        else:
            self._repaint_thumb()

    def rows_moved(self, cursor: int) -> None:
        """Rows stand elsewhere: the cursor is on this one now, at the same height of the view if that is possible."""
        by, self._cursor = cursor - self._cursor, cursor
        self._forget()
        self._measure()
        self._scroll(self.top + by)
        self._reveal(cursor)

    def row_changed(self, row: int) -> None:
        """Ask the source for one row again."""
        for key in [key for key in list(self._strips.keys()) if key[0] == row]:
            self._strips.discard(key)
        self._repaint(row)

    def highlight(self, needle: str) -> None:
        """Light every occurrence of `needle` in the cells; an empty one lights none."""
        if needle != self._needle:
            self._needle = needle
            self.refresh()

    def move_to(self, row: int) -> None:
        """Put the cursor on a row and bring it into view."""
        row = max(0, min(row, self.count - 1))
        before, self._cursor = self._cursor, row
        if row != before:
            self._repaint(before)
            self._repaint(row)
            if self.count:
                self.post_message(self.RowHighlighted(self, row))
        self._reveal(row)

    # Keys and mouse

    def action_cursor_down(self) -> None:
        """One row on."""
        self.move_to(self._cursor + 1)

    def action_cursor_up(self) -> None:
        """One row back."""
        self.move_to(self._cursor - 1)

    def action_page_down(self) -> None:
        """A page on; the cursor keeps its place in the view."""
        self._turn(self.page)

    def action_page_up(self) -> None:
        """A page back."""
        self._turn(-self.page)

    def action_first(self) -> None:
        """To the first row."""
        self.move_to(0)

    def action_last(self) -> None:
        """To the last row."""
        self.move_to(self.count - 1)

    def action_select(self) -> None:
        """Open the row under the cursor."""
        if self.count:
            self.post_message(self.RowSelected(self, self._cursor))

    def action_columns(self, step: int) -> None:
        """Scroll the columns after the first sideways."""
        last = len(self._columns) - 2
        if step > 0 and not self._fit().dropped:
            return
        skipped = max(0, min(self._skipped + step, last))
        if skipped != self._skipped:
            self._skipped = skipped
            self.refresh()

    def on_click(self, event: events.Click) -> None:
        """A click moves the cursor, a click on the cursor row opens it."""
        line = event.get_content_offset(self)
        row = -1 if line is None else self.top + line.y - self._head
        if line is None or line.y < self._head or row >= self.count:
            return
        event.stop()
        if row == self._cursor:
            self.action_select()
        else:
            self.move_to(row)

    def _on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        self._wheel(event, WHEEL)

    def _on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        self._wheel(event, -WHEEL)

    def _wheel(self, event: events.MouseEvent, rows: int) -> None:
        event.stop()
        event.prevent_default()
        self._scroll(self.top + rows)

    # Scrolling

    def on_resize(self) -> None:
        """Keep the cursor in view when the room changes."""
        self._scroll(self.top)
        self._reveal(self._cursor)

    def _measure(self) -> None:
        # Set without a layout: the table draws its own thumb, so nothing around it moves when rows arrive.
        self.set_reactive(VirtualTable.virtual_size, Size(1, self._source.count + self._head))

    def _turn(self, rows: int) -> None:
        self._scroll(self.top + rows)
        self.move_to(self._cursor + rows)

    def _reveal(self, row: int) -> None:
        if not self.top <= row < self.top + self.page:
            self._scroll(row - self.page // 2)

    def _scroll(self, top: int) -> None:
        top = max(0, min(top, self.count - self.page))
        self.scroll_to(y=top, animate=False, force=True, immediate=True)

    def _repaint(self, row: int) -> None:
        line = row - self.top + self._head
        if self._head <= line < self.size.height:
            self.refresh(Region(0, line, self.size.width, 1))

    def _repaint_thumb(self) -> None:
        self.refresh(Region(self.size.width - 1, self._head, 1, self.page))

    # Drawing

    def notify_style_update(self) -> None:
        """The theme may be another one: draw everything anew."""
        super().notify_style_update()
        self._strips.clear()

    def render_lines(self, crop: Region) -> list[Strip]:
        """Lines of the view, all in one style: to ask for it takes a walk up to the screen."""
        self._base = self.rich_style
        return super().render_lines(crop)

    def render_line(self, y: int) -> Strip:
        """One line of the view: the header, a row, or what says that there are none."""
        width, palette = self.size.width, palette_for(self.app.theme)
        base = self._base
        if y < self._head:
            return self._draw_header(palette, base, width)
        row = self.top + y - self._head
        if row < self.count:
            return self._draw_thumb(self._row(row, palette, base, width), y, palette, base)
        if not self.count and y == self._head:
            return self._say(self._empty, palette, base, width)
        return Strip.blank(width, base)

    def _forget(self) -> None:
        self._version += 1
        self._strips.clear()
        self.refresh()

    def _fit(self) -> Fit:
        # One cell for the thumb; two more for the sign of columns that are not shown.
        room = self.size.width - MARGIN - 1
        whole = fit(self._columns, room, self._skipped)
        return fit(self._columns, room - 2, self._skipped) if whole.dropped else whole

    def _row(self, row: int, palette: Palette, base: Style, width: int) -> Strip:
        at_cursor = row == self._cursor
        key = (row, at_cursor, self._version, width, self._needle, self._skipped, palette.name, base)
        strip = self._strips.get(key)
        if strip is None:
            under = base + palette.style("cursor") if at_cursor else base
            pointer = Segment(self._glyphs.pointer if at_cursor else " ", over(under, palette.style("accent")))
            shown = self._fit().shown
            cells = self._shortened(row, self._source.cells(row), shown)
            if self._needle:
                cells = [highlighted(cell, self._needle) for cell in cells]
            strip = self._strips[key] = self._lay(pointer, cells, palette, under, width, shown)
        return strip

    def _shortened(self, row: int, cells: Sequence[Line], shown: Sequence[tuple[int, int]]) -> list[Line]:
        """The cells of a row, with those that know how to be short in the room they have."""
        short = list(cells)
        for index, room in shown:
            shorten = self._columns[index].shorten
            if shorten is not None and index < len(short) and cell_len(plain(short[index])) > room:
                short[index] = shorten(row, room)
        return short

    def _lay(
        self,
        pointer: Segment,
        cells: Sequence[Line],
        palette: Palette,
        base: Style,
        width: int,
        shown: Sequence[tuple[int, int]],
    ) -> Strip:
        parts = [pointer]
        for place, (index, room) in enumerate(shown):
            if place:
                parts.append(Segment(" " * GAP, base))
            cell = cells[index] if index < len(cells) else ""
            align = self._columns[index].align
            drawn = Strip(segments(cell, palette, base))
            parts.extend(fitted(drawn, room, base, ellipsis=self._glyphs.ellipsis, align=align))
        return fitted(Strip(parts).simplify(), width, base, ellipsis="")

    def _draw_header(self, palette: Palette, base: Style, width: int) -> Strip:
        fit = self._fit()
        key = ("header", self._version, width, self._skipped, palette.name, base, fit)
        strip = self._strips.get(key)
        if strip is None:
            under = base + palette.style("label")
            titles = [column.title for column in self._columns]
            lead = Segment(self._glyphs.ellipsis[:1] if fit.before else " ", under)
            strip = self._lay(lead, [as_styled(title, "label") for title in titles], palette, under, width, fit.shown)
            if fit.dropped:
                sign = Segment(self._glyphs.ellipsis[:1] + " ", under)
                strip = Strip([*strip.crop(0, width - 2), sign], width)
            self._strips[key] = strip
        return strip

    def _say(self, sentence: Line, palette: Palette, base: Style, width: int) -> Strip:
        drawn = Strip([Segment(" " * MARGIN, base), *segments(as_styled(sentence, "label"), palette, base)])
        return fitted(drawn, width, base, ellipsis=self._glyphs.ellipsis)

    def _draw_thumb(self, strip: Strip, y: int, palette: Palette, base: Style) -> Strip:
        if not self._thumb_at(y - self._head):
            return strip
        width = self.size.width
        return Strip([*strip.crop(0, width - 1), Segment(self._glyphs.thumb, base + palette.style("border"))], width)

    def _thumb_at(self, line: int) -> bool:
        page, count = self.page, self.count
        if count <= page:
            return False
        length = max(1, page * page // count)
        start = self.top * (page - length) // max(1, count - page)
        return start <= line < start + length
