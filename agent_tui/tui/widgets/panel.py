"""A pane's frame: the title at the left of its upper edge, a note (its number) at the right, brighter with focus.

The frame is drawn here and not by a style's border, so that a title is never read as markup and may have several parts
with the edge between them (`Runs ── exact ─ name-only`). With the class `-flat` only the upper edge is drawn.

    Panel(VirtualTable(columns), title="Runs", note="2")
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual.geometry import Region, Size
from textual.reactive import Reactive
from textual.strip import Strip
from textual.widget import Widget

from agent_tui.tui.theme import UNICODE, Glyphs, palette_for
from agent_tui.tui.widgets.paint import Line, as_styled, fitted, segments


class Room(Widget):
    """Children in a room of its own size: whatever size they take in it, nothing has to be laid out again."""

    virtual_size = Reactive(Size(0, 0), layout=False, repaint=False)


class Panel(Room):
    """A frame around its children."""

    DEFAULT_CSS: ClassVar[str] = """
    Panel { width: 1fr; height: 1fr; layout: vertical; overflow: hidden hidden; padding: 1; }
    Panel.-flat { padding: 1 0 0 0; }
    """

    def __init__(
        self,
        *children: Widget,
        title: Line | Sequence[Line] = "",
        note: Line = "",
        glyphs: Glyphs = UNICODE,
        id: str | None = None,
        classes: str | None = None,
    ) -> None:
        super().__init__(*children, id=id, classes=classes)
        self._parts: list[Line] = []
        self._note = note
        self._glyphs = glyphs
        self._lit = False
        self.set_title(title)

    def set_title(self, title: Line | Sequence[Line]) -> None:
        """Another title, or the parts of one with the edge between them."""
        self._parts = list(title) if isinstance(title, list | tuple) else [title]  # type: ignore[list-item]
        self._repaint()

    def set_note(self, note: Line) -> None:
        """Another note at the right of the upper edge."""
        self._note = note
        self._repaint()

    def on_descendant_focus(self) -> None:
        """Brighten the frame."""
        self._light(True)

    def on_descendant_blur(self) -> None:
        """Dim the frame."""
        self._light(False)

    def _light(self, lit: bool) -> None:
        if lit != self._lit:
            self._lit = lit
            self._repaint()

    def _repaint(self) -> None:
        """Repaint the four edges only; regions count from inside the padding."""
        width, height = self.outer_size
        if self.has_class("-flat"):
            self.refresh(Region(0, -1, width, 1))
        elif width and height:
            edges = ((-1, -1, width, 1), (-1, height - 2, width, 1), (-1, 0, 1, height), (width - 2, 0, 1, height))
            self.refresh(*(Region(*edge) for edge in edges))

    # Drawing

    def render_lines(self, crop: Region) -> list[Strip]:
        """The frame's lines; what is inside belongs to the children."""
        base, last = self.rich_style, self.outer_size.height - 1
        edge = base + palette_for(self.app.theme).style("border_focus" if self._lit else "border")
        between = self._ready(self._between(edge, base), crop)
        return [between if 0 < y < last else self._ready(self._edge(y, edge, base), crop) for y in crop.line_range]

    def _ready(self, strip: Strip, crop: Region) -> Strip:
        background = self.background_colors[1]
        for line_filter in self.get_line_filters():
            strip = strip.apply_filter(line_filter, background)
        return strip.crop(crop.x, crop.right)

    def _edge(self, y: int, edge: Style, base: Style) -> Strip:
        """The upper or the lower edge."""
        width = self.outer_size.width
        left, right, low_left, low_right, across, _ = tuple(self._glyphs.frame)
        if self.has_class("-flat"):
            return self._top(across * 2, across * 2, edge, base) if y == 0 else Strip.blank(width, base)
        if y == 0:
            return self._top(left + across, across + right, edge, base)
        return Strip([Segment(low_left + across * (width - 2) + low_right, edge)], width)

    def _between(self, edge: Style, base: Style) -> Strip:
        """A line between the edges: all are the same."""
        width, down = self.outer_size.width, self._glyphs.frame[5]
        if self.has_class("-flat"):
            return Strip.blank(width, base)
        return Strip([Segment(down, edge), Segment(" " * (width - 2), base), Segment(down, edge)], width)

    def _top(self, start: str, end: str, edge: Style, base: Style) -> Strip:
        width, across = self.outer_size.width, self._glyphs.frame[4]
        room = width - len(start) - len(end)
        note = self._label([self._note], "label", base, edge)
        if room - note.cell_length < 8:
            note = Strip([])
        title = self._label(self._parts, "title", base, edge)
        if title.cell_length > room - note.cell_length:
            title = fitted(title, max(0, room - note.cell_length), base, ellipsis=self._glyphs.ellipsis + " ")
        rule = Segment(across * (room - title.cell_length - note.cell_length), edge)
        return Strip([Segment(start, edge), *title, rule, *note, Segment(end, edge)], width).simplify()

    def _label(self, parts: Sequence[Line], style: str, base: Style, edge: Style) -> Strip:
        """The parts with a blank around each and the edge between them."""
        palette = palette_for(self.app.theme)
        blank, joint = Segment(" ", base), Segment(self._glyphs.frame[4], edge)
        label: list[Segment] = []
        for part in parts:
            drawn = segments(as_styled(part, style), palette, base)
            if drawn:
                label += [*([joint] if label else []), blank, *drawn, blank]
        return Strip(label)
