"""A screen that draws all that changed together: what Textual would spread over two frames leaves in one."""

from __future__ import annotations

from textual.screen import Screen, ScreenResultType
from textual.widget import Widget


class WholeFrames(Screen[ScreenResultType]):
    """Waits with a frame for every widget that has something to draw, and not only for the first that has told."""

    def on_mount(self) -> None:
        """Let the timer of frames begin: its first tick comes a period later, and no frame has to wait for it then."""
        self._update_timer.resume()

    def _on_timer_update(self) -> None:
        for widget in self.query(Widget):
            if widget._repaint_required or widget._layout_required:
                widget._check_refresh()
        if self._message_queue.empty():
            super()._on_timer_update()
        else:
            self._update_timer.pause()
            self.call_later(super()._on_timer_update)  # behind what widgets have told this screen

    def _compositor_refresh(self) -> None:
        """Draw nothing that Textual would throw away: whoever begins a batch of updates draws all at its end."""
        if not self.app._batch_count:
            super()._compositor_refresh()
