"""A screen that draws all that changed together: what Textual would spread over two frames leaves in one.

Where Textual's inner names have moved, its own frames are drawn.
"""

from __future__ import annotations

from textual.screen import Screen, ScreenResultType
from textual.widget import Widget

INNER = ("_update_timer", "_message_queue", "_check_refresh", "_on_timer_update", "_compositor_refresh")
"""What this leans on of a screen of Textual's."""


class WholeFrames(Screen[ScreenResultType]):
    """Waits with a frame for every widget that has something to draw, and not only for the first that has told."""

    is_known = all(hasattr(Screen, name) for name in INNER)
    """Whether this is a Textual whose inner names are known."""

    def on_mount(self) -> None:
        """Let the timer of frames begin: its first tick comes a period later, and no frame has to wait for it then."""
        if self.is_known:
            self._update_timer.resume()

    def _on_timer_update(self) -> None:
        for widget in self.query(Widget) if self.is_known else ():
            if getattr(widget, "_repaint_required", False) or getattr(widget, "_layout_required", False):
                widget._check_refresh()
        if not self.is_known or self._message_queue.empty():
            super()._on_timer_update()
        else:
            self._update_timer.pause()
            self.call_later(super()._on_timer_update)  # behind what widgets have told this screen

    def _compositor_refresh(self) -> None:
        """Draw nothing that Textual would throw away: whoever begins a batch of updates draws all at its end."""
        if not self.is_known or not getattr(self.app, "_batch_count", 0):
            super()._compositor_refresh()
