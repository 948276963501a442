"""Leaving a screen that stands over another: once, however often the key is pressed."""

from __future__ import annotations

from textual.await_complete import AwaitComplete
from textual.screen import Screen, ScreenResultType


class LeavingScreen(Screen[ScreenResultType]):
    """A second Enter that was typed ahead reaches the screen it was typed on: there is nothing left to leave then."""

    def dismiss(self, result: ScreenResultType | None = None) -> AwaitComplete:
        """Leave with a result; nothing where this screen was left already."""
        return super().dismiss(result) if self.is_current else AwaitComplete()
