"""Which of the main screen's panes has the focus, and whether one has the whole screen."""

from __future__ import annotations

from collections.abc import Callable

from textual.screen import Screen
from textual.widget import Widget

from agent_tui.tui.output import LeanApp
from agent_tui.tui.widgets.prompt import Prompt

NARROW = 112
"""Columns below which the scorecard folds into two lines."""
TINY = (60, 15)
"""Columns and lines below which one pane is shown at a time."""
LEAST = (30, 8)
"""Columns and lines below which nothing can be read."""
WHILE_SIZED, WHILE_FILLED = 0.25, 0.06
"""Seconds that panes take for their sizes at most, and then for columns and lines: over SSH all of it is one frame."""
PANES = ("side", "runs", "trajectory", "moved")
"""The panes in the order of their numbers, by the id of their frame."""
_FOCUS = {"side": "#scorecard", "runs": "#table", "trajectory": "#tree", "moved": "#moved-lines"}


class Panes:
    """The panes of a screen; `resized` is called when they have other sizes."""

    def __init__(self, screen: Screen[None], resized: Callable[[], None]) -> None:
        self._screen = screen
        self._resized = resized
        self._lacks_room = False
        """Whether a pane is shown alone only because there is no room for others."""
        self.are_filled = True
        """Whether they hold what they have room for."""
        self._left = "runs"
        """The pane that had the focus when there was no room for any."""

    @property
    def focused(self) -> str:
        """The pane that has the focus, by id."""
        widget: Widget | None = self._screen.focused
        while widget is not None:
            if widget.id in PANES:
                return widget.id
            widget = widget.parent if isinstance(widget.parent, Widget) else None
        return "runs"

    @property
    def enlarged(self) -> str:
        """The pane that has the whole screen; empty where none has."""
        return next((name for name in PANES if self._screen.has_class(f"-only-{name}")), "")

    @property
    def shows_one(self) -> bool:
        """Whether one pane is shown at a time."""
        return bool(self.enlarged) or self._screen.has_class("-tiny")

    def fit(self, width: int, height: int) -> None:
        """Choose the layout for a size."""
        screen = self._screen
        was_too_small, is_too_small = screen.has_class("-too-small"), width < LEAST[0] or height < LEAST[1]
        if is_too_small and not was_too_small:
            self._left = self.focused
        screen.set_class(width < NARROW, "-narrow")
        screen.set_class(width < TINY[0] or height < TINY[1], "-tiny")
        screen.set_class(is_too_small, "-too-small")
        if self._lacks_room and not self._must_be_alone(self.enlarged):
            self.enlarge("")
        if was_too_small and not is_too_small and screen.focused is None:
            self.go(self._left)

    def go(self, name: str) -> None:
        """Give a pane the focus; where there is no room beside the others it is shown alone."""
        if self._must_be_alone(name):
            self.enlarge(name)
            self._lacks_room = True
        elif self._lacks_room:
            self.enlarge("")
        elif self.enlarged:
            self.enlarge(name)
        self.focus(name)

    def focus(self, name: str) -> None:
        """Give a pane the focus at once, so that it has the next key; not while something is asked, which has it."""
        if not self._screen.query_one(Prompt).is_open:
            self._screen.set_focus(self._screen.query_one(_FOCUS[name]))

    def _must_be_alone(self, name: str) -> bool:
        """Whether there is no room for a pane beside the others."""
        return self._screen.has_class("-tiny") or (name == "side" and self._screen.has_class("-narrow"))

    def step(self, step: int) -> str:
        """The next pane that is shown, by id."""
        names = [name for name in PANES if name != "moved" or self._screen.has_class("-moved")]
        at = names.index(self.focused) if self.focused in names else 0
        return names[(at + step) % len(names)]

    def enlarge(self, name: str) -> None:
        """Give a pane the whole screen; an empty name gives each its part again."""
        self._hold(WHILE_SIZED)
        self._lacks_room, self.are_filled = False, False
        for each in PANES:
            self._screen.set_class(name == each, f"-only-{each}")
        self._screen.call_after_refresh(self._fill)

    def _fill(self) -> None:
        """Draw what depends on the sizes: columns and figures at once, the trajectory after the next paint."""
        self._resized()
        self.are_filled = True
        self._hold(WHILE_FILLED)
        self._screen.call_after_refresh(self._hold, WHILE_FILLED)

    def _hold(self, seconds: float) -> None:
        app = self._screen.app
        if isinstance(app, LeanApp) and app.has_class("-remote"):
            app.hold(seconds)

    def toggle(self) -> None:
        """Enlarge the pane in focus, or make it small again."""
        name = self.focused
        self.enlarge("" if self.enlarged else name)
        self.focus(name)
