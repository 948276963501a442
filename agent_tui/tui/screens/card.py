"""The scorecard pane and the ribbon below it: drawn anew with the numbers, each with where it comes from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from agent_tui.tui.present.about import About, measure
from agent_tui.tui.present.ribbon import ribbon_lines
from agent_tui.tui.present.scorecard import ScorecardLines, scorecard_lines
from agent_tui.tui.widgets.vtext import Lines, TextPane

if TYPE_CHECKING:
    from agent_tui.tui.screens.main import MainScreen


class Card:
    """Keeps the cursor on its number while the numbers change."""

    def __init__(self, screen: MainScreen) -> None:
        self._screen = screen
        self.shown = ScorecardLines([], [])

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
        pane, total = self.pane, self._screen.query_one("#total", TextPane)
        session, glyphs = self._screen.session, self._screen.glyphs
        width = max(24, (pane.size.width or 44) - 2)
        kept = self.about if pane.has_focus else None
        self.shown = scorecard_lines(session, width, glyphs)
        pane.show(Lines(self.shown.lines, self.shown.stops), self.shown.line_of(kept or measure(session.measure)))
        pane.styles.max_height = max(1, len(self.shown.lines))
        sums = ribbon_lines(session, width, glyphs)
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

        screen.following.count()  # so that the number is that of the runs that are listed
        told = provenance(screen.session.bundle, screen.session.card, about)
        title = Text("Where it comes from: ", "label").append(about.title, "title")
        screen.app.push_screen(ReadingScreen(title, told, screen.glyphs, row_of=told.row), screen.runs.go_to)
