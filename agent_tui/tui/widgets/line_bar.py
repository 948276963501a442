"""One or more fixed lines of styled text: title, status, footer.

bar = LineBar(); bar.show(Text("exact 3/6 .500"))
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from rich.text import Text
from textual import events
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from agent_tui.tui.theme import palette_for
from agent_tui.tui.widgets.paint import fitted, segments

Drawn = Callable[[int], Text]
"""The text for a width in cells."""


class LineBar(Widget, can_focus=False):
    """A line that is drawn anew for each width; `style` names its background."""

    DEFAULT_CSS = """
    LineBar { height: 1; width: 1fr; }
    """

    @dataclass
    class Clicked(Message):
        """The bar was clicked at a cell."""

        bar: LineBar
        x: int

        @property
        def control(self) -> LineBar:
            """The bar, for `@on` with a selector."""
            return self.bar

    def __init__(self, draw: Drawn, *, style: str = "", id: str | None = None) -> None:
        super().__init__(id=id)
        self._draw = draw
        self._style = style
        self._last: tuple[object, ...] | None = None

    def redraw(self) -> None:
        """Draw again, where the text is another one."""
        text = self._draw(self.size.width)
        state = (text.plain, tuple(text.spans), self.app.theme)
        if state != self._last:
            self._last = state
            self.refresh()

    def on_click(self, event: events.Click) -> None:
        """Tell where."""
        self.post_message(self.Clicked(self, event.x))

    def render_line(self, y: int) -> Strip:
        """The line."""
        palette, width = palette_for(self.app.theme), self.size.width
        base = self.rich_style + palette.style(self._style) if self._style else self.rich_style
        return fitted(Strip(segments(self._draw(width), palette, base)), width, base)
