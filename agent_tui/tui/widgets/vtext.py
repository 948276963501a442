"""A pane of any number of lines: only those in view are ever asked for.

A `LineSource` promises `count` and, for each number below it, one line of text: sanitised, styled by name. What can be
folded is the source's business: the pane only says that the user asked for it. A source that also has `is_stop` keeps
the cursor to the lines where it is true (a scorecard's measures, not its headings); one that has `hang` has what wraps
stand below the text of its first row.

    pane = TextPane(wrap=True)
    pane.show(LongText(result))
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Protocol, runtime_checkable

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
from agent_tui.tui.widgets.paint import Line, as_styled, capped, fitted, highlighted, over, segments
from agent_tui.tui.widgets.wrapping import wrapped

WHEEL = 3
"""Rows that one notch of the wheel moves the view."""

LONGEST = 16_384
"""Characters of one line that are wrapped; what is beyond is counted."""

Place = tuple[int, int]
"""A line, and which of the rows it wraps into."""


class LineSource(Protocol):
    """Lines by number."""

    @property
    def count(self) -> int:
        """How many lines there are."""

    def line(self, number: int, /) -> Line:
        """One line."""


@runtime_checkable
class Stops(Protocol):
    """A source whose cursor rests on some lines only."""

    def is_stop(self, number: int, /) -> bool:
        """Whether the cursor may rest on a line."""


@runtime_checkable
class Hangs(Protocol):
    """A source whose wrapped lines go on at a cell, below what stands there in the first row."""

    hang: int


class Lines:
    """A source over lines that are there already; without `stops` the cursor rests on all of them."""

    def __init__(self, lines: Sequence[Line], stops: Sequence[int] | None = None, hang: int = 0) -> None:
        self.hang = hang
        self._lines = lines
        self._stops = None if stops is None else frozenset(stops)

    @property
    def count(self) -> int:
        """How many lines there are."""
        return len(self._lines)

    def line(self, number: int, /) -> Line:
        """One line."""
        return self._lines[number]

    def is_stop(self, number: int, /) -> bool:
        """Whether the cursor may rest on a line."""
        return self._stops is None or number in self._stops


class TextPane(ScrollView, can_focus=True, inherit_bindings=False):
    """Lines of a `LineSource` with a cursor line."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down,j", "cursor_down", "Down", show=False, id="move.down"),
        Binding("up,k", "cursor_up", "Up", show=False, id="move.up"),
        Binding("pagedown", "page_down", "Page down", show=False, id="move.page_down"),
        Binding("pageup", "page_up", "Page up", show=False, id="move.page_up"),
        Binding("home,g", "first", "First", show=False, id="move.first"),
        Binding("end,G", "last", "Last", show=False, id="move.last"),
        Binding("enter", "select", "Open", show=False, id="move.select"),
        Binding("space", "fold", "Fold", show=False, id="fold.toggle"),
        Binding("right", "fold(True)", "Unfold", show=False, id="fold.open"),
        Binding("left", "fold(False)", "Fold", show=False, id="fold.close"),
        Binding("shift+right", "sideways(1)", "Right", show=False, id="columns.right"),
        Binding("shift+left", "sideways(-1)", "Left", show=False, id="columns.left"),
    ]

    DEFAULT_CSS = """
    TextPane { overflow: hidden hidden; }
    """

    @dataclass
    class LineHighlighted(Message):
        """The cursor came to rest on another line."""

        pane: TextPane
        line: int

        @property
        def control(self) -> TextPane:
            """The pane, for `@on` with a selector."""
            return self.pane

    @dataclass
    class LineSelected(Message):
        """Enter or a second click on a line."""

        pane: TextPane
        line: int

        @property
        def control(self) -> TextPane:
            """The pane, for `@on` with a selector."""
            return self.pane

    @dataclass
    class FoldToggled(Message):
        """A fold was asked for: `open` is True, False, or None for the other of what it is."""

        pane: TextPane
        line: int
        open: bool | None

        @property
        def control(self) -> TextPane:
            """The pane, for `@on` with a selector."""
            return self.pane

    @dataclass
    class Sized(Message):
        """There is another room."""

        pane: TextPane

        @property
        def control(self) -> TextPane:
            """The pane, for `@on` with a selector."""
            return self.pane

    def __init__(
        self,
        source: LineSource | None = None,
        *,
        wrap: bool = False,
        cursor: bool = True,
        pointer: bool = False,
        empty: Line = "",
        glyphs: Glyphs = UNICODE,
        id: str | None = None,
        classes: str | None = None,
    ) -> None:
        super().__init__(id=id, classes=classes)
        self._source: LineSource = source or Lines(())
        self._wrap = wrap
        self._lit = cursor
        self._margin = 1 if pointer else 0
        self._empty = empty
        self._glyphs = glyphs
        self._cursor = self._stop(0, 1)
        self._top: Place = (0, 0)
        self._shift = 0
        self._needle = ""
        self._version = 0
        self._base = Style()
        self._rows: LRUCache[tuple[object, ...], list[Strip]] = LRUCache(512)
        self._view: list[Place] | None = None
        self._viewed = Size(0, 0)
        """The size that the view was made for: lines are drawn before a change of it is announced."""

    # What is shown

    @property
    def cursor(self) -> int:
        """The line the cursor is on; 0 where there are none."""
        return self._cursor

    @property
    def count(self) -> int:
        """How many lines the source has."""
        return self._source.count

    @property
    def top(self) -> int:
        """The first line in view."""
        return self._top[0]

    def show(self, source: LineSource, cursor: int = 0) -> None:
        """Show another source from its start with the cursor on a line of it."""
        self._source, self._top, self._shift = source, (0, 0), 0
        self._cursor = -1
        self.lines_changed(cursor)

    def lines_changed(self, cursor: int | None = None) -> None:
        """Ask the source again: lines, their number or their look changed. The cursor keeps its number unless given."""
        self._forget()
        self._top = min(self._top, (max(0, self.count - 1), 0))
        self.jump_to(self._cursor if cursor is None else cursor)

    def scroll_to_top(self, line: int) -> None:
        """Have a line first in view, as far as the cursor stays in view."""
        self._scroll((max(0, min(line, self.count - 1)), 0))
        self._reveal()

    def highlight(self, needle: str) -> None:
        """Light every occurrence of `needle`; an empty one lights none."""
        if needle != self._needle:
            self._needle = needle
            self._forget()

    def set_wrap(self, wrap: bool) -> None:
        """Break long lines, or cut them at the edge."""
        if wrap != self._wrap:
            self._wrap, self._shift = wrap, 0
            self._forget()
            self._reveal()

    def jump_to(self, line: int) -> None:
        """Put the cursor on a line (or the nearest where it may rest) and bring it into view."""
        line = self._stop(line, 1 if line >= self._cursor else -1)
        before, self._cursor = self._cursor, line
        if line != before:
            self._repaint(before, line)
            if self.count:
                self.post_message(self.LineHighlighted(self, line))
        self._reveal()

    # Keys and mouse

    def action_cursor_down(self) -> None:
        """One line on; within a line taller than the view, half a page on."""
        self._step(1)

    def action_cursor_up(self) -> None:
        """One line back; within a line taller than the view, half a page back."""
        self._step(-1)

    def action_page_down(self) -> None:
        """A page on; the cursor keeps its place in the view."""
        self._turn(self._height)

    def action_page_up(self) -> None:
        """A page back."""
        self._turn(-self._height)

    def action_first(self) -> None:
        """To the first line."""
        self._scroll((0, 0))
        self.jump_to(0)

    def action_last(self) -> None:
        """To the last line."""
        self._scroll(self._bottom())
        self.jump_to(self.count - 1)

    def action_select(self) -> None:
        """Open the line under the cursor."""
        if self.count:
            self.post_message(self.LineSelected(self, self._cursor))

    def action_fold(self, open: bool | None = None) -> None:
        """Ask for the fold under the cursor to open, to close, or to change."""
        if self.count:
            self.post_message(self.FoldToggled(self, self._cursor, open))

    def action_sideways(self, step: int) -> None:
        """Scroll lines that are cut at the edge by half the width."""
        shift = max(0, self._shift + step * (self.size.width // 2))
        if not self._wrap and shift != self._shift:
            self._shift = shift
            self._forget()

    def on_click(self, event: events.Click) -> None:
        """A click moves the cursor, a click on the cursor line opens it."""
        at = event.get_content_offset(self)
        places = self._places()
        if at is None or not 0 <= at.y < len(places):
            return
        event.stop()
        line = places[at.y][0]
        if line == self._cursor:
            self.action_select()
        else:
            self.jump_to(line)

    def _on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        self._wheel(event, WHEEL)

    def _on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        self._wheel(event, -WHEEL)

    def _wheel(self, event: events.MouseEvent, rows: int) -> None:
        event.stop()
        event.prevent_default()
        self._scroll(self._moved(self._top, rows))

    # Scrolling: the view hangs on its first row, so the height of what is above is never needed

    @property
    def _height(self) -> int:
        return max(1, self.size.height)

    def on_resize(self) -> None:
        """Keep the cursor in view and the room filled when it changes; what is in view was drawn for it already."""
        self._scroll((self._top[0], 0))
        self._reveal()
        self.post_message(self.Sized(self))

    def _step(self, way: int) -> None:
        visible = [place for place in self._places() if place[0] == self._cursor]
        if visible:
            edge = visible[-1] if way > 0 else visible[0]
            beyond = self._tall(self._cursor) - 1 if way > 0 else 0
            if edge[1] != beyond:
                self._scroll(self._moved(self._top, way * max(1, self._height // 2)))
                return
        line = self._stop(self._cursor + way, way)
        if line == self._cursor or (line - self._cursor) * way < 0:
            self._scroll((0, 0) if way < 0 else self._bottom())
        else:
            self.jump_to(line)

    def _turn(self, rows: int) -> None:
        place = self._moved((self._cursor, 0), rows)
        self._scroll(self._moved(self._top, rows))
        self.jump_to(place[0])

    def _reveal(self) -> None:
        if self.size.height and not any(line == self._cursor for line, _ in self._places()):
            self._scroll(self._moved((self._cursor, 0), -(self._height // 2)))

    def _scroll(self, top: Place) -> None:
        top = max((0, 0), min(top, self._bottom()))
        if top != self._top:
            self._top, self._view = top, None
            self.refresh()

    def _bottom(self) -> Place:
        """The first row of the last full view."""
        last = max(0, self.count - 1)
        return self._moved((last, self._tall(last) - 1), 1 - self._height) if self.count else (0, 0)

    def _moved(self, place: Place, rows: int) -> Place:
        """The place some rows on or back, stopping at the ends."""
        line, row = place
        while rows > 0:
            left = self._tall(line) - 1 - row
            if rows <= left:
                return line, row + rows
            if line + 1 >= self.count:
                return line, row + left
            line, row, rows = line + 1, 0, rows - left - 1
        while rows < 0:
            if -rows <= row:
                return line, row + rows
            if not line:
                return 0, 0
            line, rows = line - 1, rows + row + 1
            row = self._tall(line) - 1
        return line, row

    def _tall(self, line: int) -> int:
        return len(self._drawn(line)) if self._wrap and line < self.count else 1

    def _places(self) -> list[Place]:
        """What stands on each row of the view."""
        size = self.size
        if self._view is None or self._viewed != size:
            self._view, self._viewed = [], size
            line, row = self._top
            row = min(row, self._tall(line) - 1)
            while line < self.count and len(self._view) < size.height:
                self._view.append((line, row))
                line, row = (line, row + 1) if row + 1 < self._tall(line) else (line + 1, 0)
        return self._view

    def _stop(self, line: int, way: int) -> int:
        """The nearest line where the cursor may rest: first looking `way`, then the other."""
        line = max(0, min(line, self.count - 1))
        source = self._source
        if not isinstance(source, Stops):
            return line
        ahead = range(line, self.count) if way > 0 else range(line, -1, -1)
        behind = range(line, -1, -1) if way > 0 else range(line, self.count)
        return next((at for lines in (ahead, behind) for at in lines if source.is_stop(at)), line)

    def _repaint(self, *lines: int) -> None:
        for y, (line, _) in enumerate(self._places()):
            if line in lines:
                self.refresh(Region(0, y, self.size.width, 1))

    def _forget(self) -> None:
        self._version += 1
        self._view = None
        self._rows.clear()
        self.refresh()

    # Drawing

    def notify_style_update(self) -> None:
        """The theme may be another one: draw everything anew."""
        super().notify_style_update()
        self._rows.clear()

    def render_lines(self, crop: Region) -> list[Strip]:
        """Rows of the view, all in one style: to ask for it takes a walk up to the screen."""
        self._base = self.rich_style
        return super().render_lines(crop)

    def render_line(self, y: int) -> Strip:
        """One row of the view."""
        base, width, palette = self._base, self.size.width, palette_for(self.app.theme)
        places = self._places()
        if y < len(places):
            line, row = places[y]
            return self._draw_thumb(self._drawn(line)[row], y, palette, base)
        if y == 0 and not self.count and self._empty:
            return fitted(Strip(segments(as_styled(self._empty, "label"), palette, base)), width, base)
        return Strip.blank(width, base)

    def _drawn(self, line: int) -> list[Strip]:
        palette, base, width = palette_for(self.app.theme), self._base, self.size.width
        lit = self._lit and line == self._cursor
        key = (line, lit, self._version, width, palette.name, base)
        rows = self._rows.get(key)
        if rows is None:
            rows = self._rows[key] = self._draw(line, lit, palette, base, width)
        return rows

    def _draw(self, line: int, lit: bool, palette: Palette, base: Style, width: int) -> list[Strip]:
        under = base + palette.style("cursor") if lit else base
        room = max(1, width - self._margin - 1)
        limit = LONGEST if self._wrap else self._shift + 4 * room
        text = highlighted(capped(self._source.line(line), limit), self._needle)
        whole = Strip(segments(text, palette, under))
        if self._wrap:
            hang = self._source.hang if isinstance(self._source, Hangs) else 0
            rows = wrapped(whole, room, hang, under)
        else:
            rows = [fitted(whole.crop(self._shift), room, under, ellipsis=self._glyphs.ellipsis)]
        pointer = Segment(self._glyphs.pointer if lit else " ", over(under, palette.style("accent")))
        lead, blank = ([pointer], [Segment(" ", under)]) if self._margin else ([], [])
        return [
            fitted(Strip([*(blank if number else lead), *row]).simplify(), width, under)
            for number, row in enumerate(rows)
        ]

    def _draw_thumb(self, strip: Strip, y: int, palette: Palette, base: Style) -> Strip:
        """The thumb stands beside the lines in view, by line number: exact heights are not known."""
        count, height = self.count, self._height
        places = self._places()
        seen = places[-1][0] - places[0][0] + 1
        if self._top == (0, 0) and places[-1] == (count - 1, self._tall(count - 1) - 1):
            return strip
        length = max(1, height * seen // count)
        start = min(height - length, places[0][0] * (height - length) // max(1, count - seen))
        if not start <= y < start + length:
            return strip
        mark = Segment(self._glyphs.thumb, base + palette.style("border"))
        return Strip([*strip.crop(0, self.size.width - 1), mark], self.size.width)
