"""The last pane: what a toggle moved, or what noticed a change; each line may be about a run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.segment import Segment
from rich.text import Text
from textual.strip import Strip

from agent_tui.tui.widgets.panel import Panel
from agent_tui.tui.widgets.vtext import Lines, TextPane
from agent_tui.tui.widgets.wrapping import wrapped

if TYPE_CHECKING:
    from agent_tui.tui.screens.main import MainScreen
    from agent_tui.tui.session import Shift, Toggle


class Told:
    """Fills the pane; what noticed a change stays until it is closed, whatever is toggled meanwhile."""

    def __init__(self, screen: MainScreen) -> None:
        self._screen = screen
        self._about: Sequence[str | int | None] = ()
        """The run that each line is about: a name, a row."""
        self._noticed: Sequence[Text] = ()
        """The lines of what noticed a change, while they are shown."""

    @property
    def is_empty(self) -> bool:
        """Whether nothing has moved yet."""
        return not self._about

    def forget(self) -> None:
        """Another bundle is shown."""
        self._about = ()
        self.close()

    def open(self) -> None:
        """Show the pane."""
        self._screen.add_class("-moved")
        self.fit()

    def close(self) -> None:
        """Hide the pane."""
        self._noticed = ()
        self._screen.remove_class("-moved")

    def take_toggle(self, toggle: Toggle) -> None:
        """What a toggle moved; kept back while what noticed a change is shown."""
        if not self._noticed:
            from agent_tui.tui.present.moved import MovedLines, MovedRows

            lines = MovedLines(self._screen.session.bundle, toggle, self._screen.glyphs)
            self._fill("What moved", Lines(lines), MovedRows(toggle), "4")

    def take_shift(self, heads: Sequence[Text], run: str | None, shift: Shift) -> None:
        """What the last change did, and what noticed."""
        from agent_tui.tui.present.noticed import HANG, noticed_lines

        told = noticed_lines(heads, run, shift.effect, self._screen.glyphs)
        note = "u undo  4" if self._screen.session.changes else "4"
        self._noticed = told.lines
        self._fill("What noticed", Lines(told.lines, hang=HANG), told.runs, note, told.first)
        self.open()

    def _fill(self, title: str, lines: Lines, about: Sequence[str | int | None], note: str, cursor: int = 0) -> None:
        self._about = about
        panel = self._screen.query_one("#moved", Panel)
        panel.set_title(Text(title, "title"))
        panel.set_note(note)
        pane = self._screen.query_one("#moved-lines", TextPane)
        pane.set_wrap(bool(self._noticed))
        pane.show(lines, cursor)

    def fit(self) -> None:
        """Take what is needed, but leave room for the runs and the trajectory."""
        screen = self._screen
        narrow = screen.has_class("-narrow")
        work = screen.query_one("#work").size
        edges = 1 if narrow else 2
        rows = self._rows(work.width - edges - (0 if narrow else 1)) + edges
        most = max(5, work.height * 3 // 10) if narrow else max(6, work.height * 2 // 5)
        shown = self._noticed and work.height and not screen.panes.shows_one
        screen.query_one("#moved").styles.height = min(rows, most) if shown else None
        screen.runs.fit()

    def _rows(self, width: int) -> int:
        """How many rows what noticed needs in a width."""
        if not self._noticed:
            return 0
        from agent_tui.tui.present.noticed import HANG

        strips = (Strip([Segment(line.plain)]) for line in self._noticed)
        return sum(len(wrapped(strip, max(1, width), HANG)) for strip in strips)

    def go_to(self, line: int) -> None:
        """Go to the run that a line is about."""
        about = self._about[line] if line < len(self._about) else None
        if isinstance(about, str):
            bundle = self._screen.session.bundle
            self._screen.attempt(lambda: self._screen.runs.go_to(bundle.names.find(about)))
        else:
            self._screen.runs.go_to(about)
