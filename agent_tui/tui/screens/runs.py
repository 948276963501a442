"""The pane of the runs: its columns, title and height; filter, order, and going to a run."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from rich.text import Text

from agent_tui.bundles.query import counts_errors, parse_filter
from agent_tui.reports.figures import count
from agent_tui.tui.present.runs import RunRows
from agent_tui.tui.present.words import safe_name, shown_measure
from agent_tui.tui.widgets.panel import Panel
from agent_tui.tui.widgets.vtable import VirtualTable

if TYPE_CHECKING:
    from agent_tui.tui.screens.main import MainScreen
    from agent_tui.tui.session import Session


class Runs:
    """Keeps the table to the session; the trajectory is told where the cursor went."""

    def __init__(self, screen: MainScreen, session: Session) -> None:
        self._screen = screen
        self.rows = RunRows(session, screen.glyphs, wider=lambda: screen.call_later(self.show_columns))

    @property
    def table(self) -> VirtualTable:
        """Where they are shown."""
        return self._screen.query_one("#table", VirtualTable)

    # How they are shown

    def show_columns(self) -> None:
        """The columns that fit, and what an empty table says."""
        reading = not self._screen.session.bundle.is_complete
        self.table.set_columns(self.rows.columns(self.table.size.width or 80))
        self.table.set_empty("reading …" if reading else "the filter hides every run: Esc shows all")

    def fit(self) -> None:
        """A short table takes no more room than it needs, a long one its share."""
        screen = self._screen
        narrow = screen.has_class("-narrow")
        room = screen.query_one("#work").size.height
        if not room or screen.panes.shows_one:
            screen.query_one("#runs").styles.height = None
            return
        lines = len(screen.session) + (2 if narrow else 3)
        screen.query_one("#runs").styles.height = max(5, min(lines, room * 2 // 5 + (2 if narrow else 0)))

    def retitle(self) -> None:
        """The measures that toggle; where not all fit, the active one first."""
        session, panel = self._screen.session, self._screen.query_one("#runs", Panel)
        names = session.cycle()
        at = names.index(session.measure)
        if sum(len(shown_measure(name)) + 3 for name in names) + 16 > panel.outer_size.width:
            names = (*names[at:], *names[:at])
        parts: list[Text] = [Text("Runs", "title")]
        for name in names:
            active = name == session.measure
            parts.append(Text(f" {shown_measure(name)} ", "button") if active else Text(shown_measure(name), "label"))
        panel.set_title(parts)

    def show_column(self, name: str | None) -> None:
        """Show a column, or hide it."""
        if name is None:
            return
        shown = self.rows.shown
        self.rows.shown = tuple(each for each in shown if each != name) if name in shown else (*shown, name)
        self._screen.settings.columns = list(self.rows.shown)
        self.show_columns()
        self.table.rows_changed()

    # Which are shown

    def filter_by(self, text: str) -> None:
        """Show only what an expression keeps, once what it asks for was counted. Raises `BadExpression`."""
        if counts_errors(text) and self._screen.counting.is_needed():
            parse_filter(self._screen.session.bundle, text, self._screen.session.measure)
            self._screen.counting.begin(partial(self.filter_by, text))
            return
        row = self._screen.row
        self._screen.session.set_filter(text)
        self._rearranged(row)
        self.fit()
        self._screen.reader.show()
        self._screen.set_focus(self.table)

    def show_behind(self, rows: tuple[int, ...] | None) -> None:
        """Show the runs behind a cell of a sweep."""
        if rows:
            said = f"{count(len(rows), 'run')} behind a cell of the sweep: Esc shows all"
            self.show_only(rows, rows[0], said, "the runs behind a cell")

    def show_only(self, rows: tuple[int, ...], row: int, said: str, what: str) -> None:
        """Show some runs with the cursor on one; `said` is told once, `what` as long as they are shown."""
        self._screen.session.show_only(rows, what)
        self._rearranged(row)
        self.fit()
        self._screen.set_focus(self.table)
        self._screen.reader.show()
        self._screen.say(said)

    def sort_by(self, name: str | None) -> None:
        """Show the runs by a field; the one in force again turns the direction."""
        if name == "errors" and self._screen.counting.is_needed():
            self._screen.counting.begin(partial(self.sort_by, name))
        elif name is not None:
            row, session = self._screen.row, self._screen.session
            again = bool(name) and name == session.sort_field
            session.set_sort(name, descending=again and not session.descending)
            self._rearranged(row)

    def _rearranged(self, row: int | None) -> None:
        position = None if row is None else self._screen.session.position_of(row)
        self.table.rows_changed(position or 0)
        self._screen.bars.redraw()

    # Going to one

    def go_to(self, row: int | None) -> None:
        """Put the cursor on a row; where the filter hides it, say so."""
        if row is None:
            return
        session = self._screen.session
        position = session.position_of(row)
        if position is None:
            self._screen.say(f"{safe_name(session.bundle.names.name(row))} is hidden by the filter; Esc clears it")
            return
        self.table.move_to(position)
        self._screen.set_focus(self.table)
        self._screen.reader.show()

    def go_to_changed(self, row: int) -> None:
        """Put the cursor on a run that was changed, where the filter shows it; the focus stays."""
        position = self._screen.session.position_of(row)
        if position is not None and position != self.table.cursor:
            self.table.move_to(position)
            self._screen.reader.show()

    def go_to_failure(self, step: int) -> None:
        """The next run that the measure fails."""
        self._go(self._screen.session.next_failure(self.table.cursor, step), "no run shown here fails")

    def go_to_divergence(self, step: int) -> None:
        """The next run on which the measures disagree."""
        position = self._screen.session.next_divergence(self.table.cursor, step)
        self._go(position, "the measures agree on every run shown here")

    def _go(self, position: int | None, otherwise: str) -> None:
        if position is None:
            self._screen.say(otherwise)
        else:
            self.table.move_to(position)
            self._screen.reader.show()
