"""The scorecard pane and the ribbon below it: drawn anew with the numbers, each with where it comes from."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from rich.text import Text

from agent_tui.tui.present.about import About, measure
from agent_tui.tui.present.ribbon import ribbon_lines
from agent_tui.tui.present.scorecard import ScorecardLines, scorecard_lines
from agent_tui.tui.widgets.vtext import Lines, TextPane

if TYPE_CHECKING:
    from textual.timer import Timer

    from agent_tui.tui.screens.main import MainScreen


_APART = 0.03
"""Seconds between making the lines of a card and drawing them: either takes as long as a frame."""


class Card:
    """Keeps the cursor on its number while the numbers change."""

    def __init__(self, screen: MainScreen) -> None:
        self._screen = screen
        self.shown = ScorecardLines([], [])
        self._soon: Timer | None = None

    @property
    def pane(self) -> TextPane:
        """Where it is shown."""
        return self._screen.query_one("#scorecard", TextPane)

    @property
    def about(self) -> About | None:
        """The number under the cursor; None before there are any."""
        at = self.pane.cursor
        return self.shown.about[at] if at < len(self.shown.about) else None

    def refresh(self) -> None:
        """Draw the numbers as they are now."""
        self._show(self._made())

    def refresh_soon(self) -> None:
        """Draw the numbers as they are now, a little later: what else waits for the screen comes between."""
        if self._soon is None:
            self._soon = self._screen.set_timer(_APART, partial(self._show, self._made()))

    @property
    def _width(self) -> int:
        return max(24, (self.pane.size.width or 44) - 2)

    def _made(self) -> ScorecardLines:
        return scorecard_lines(self._screen.session, self._width, self._screen.glyphs)

    def _show(self, made: ScorecardLines) -> None:
        if self._soon is not None:
            self._soon.stop()
            self._soon = None
        pane, total = self.pane, self._screen.query_one("#total", TextPane)
        session, glyphs, width = self._screen.session, self._screen.glyphs, self._width
        kept = self.about if pane.has_focus else None
        self.shown = made
        pane.show(Lines(self.shown.lines, self.shown.stops), self.shown.line_of(kept or measure(session.measure)))
        pane.styles.max_height = max(1, len(self.shown.lines))
        sums = ribbon_lines(session.card.ribbon, width, glyphs)
        total.styles.height = len(sums)
        total.show(Lines(sums))

    def go_to_measure(self) -> None:
        """Put the cursor on the active measure."""
        self.pane.jump_to(self.shown.line_of(measure(self._screen.session.measure)))

    def show_provenance(self, about: About | None = None) -> None:
        """Where a number comes from; without one the active measure's."""
        screen = self._screen
        about = about or measure(screen.session.measure)
        if about.kind == "judge":
            screen.judging.show_provenance(about.name)
            return
        from agent_tui.tui.present.provenance import provenance
        from agent_tui.tui.screens.reading import ReadingScreen

        told = provenance(screen.session.bundle, screen.session.card, about)
        title = Text("Where it comes from: ", "label").append(about.title, "title")
        screen.app.push_screen(ReadingScreen(title, told, screen.glyphs, row_of=told.row), screen.runs.go_to)
