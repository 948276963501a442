"""A bundle that grows, while it is read or written: the panes keep to it, and the cursor to the last run if wanted."""

from __future__ import annotations

import time
from math import inf
from typing import TYPE_CHECKING

from textual.timer import Timer

if TYPE_CHECKING:
    from agent_tui.tui.screens.main import MainScreen

_CALM = 1.0
"""Seconds that numbers stand at least while a bundle is read: who reads them has to be able to, and each is a frame."""
_LEAST = 0.25
"""Seconds between two counts of a file that grows at least: to draw all figures takes longer than to count."""
_SHARE = 20
"""Counting and arranging may take one part in so many of the time."""


class Following:
    """Keeps the panes to a bundle that grows: the rows at once, what takes a look at all of them now and then."""

    def __init__(self, screen: MainScreen) -> None:
        self._screen = screen
        self._later: Timer | None = None
        self._after = self._arrived_after = 0.0
        """When it may be counted again: a file that grows, a bundle that is read."""

    @property
    def is_on(self) -> bool:
        """Whether the cursor stays on the last run."""
        return self._screen.session.follows_from is not None

    # Switching it

    def toggle(self) -> None:
        """Follow, or stay; where nothing can be followed, say why."""
        screen = self._screen
        trouble = screen.agent_tui.reloading.why_not
        if self.is_on:
            self._switch(None)
            screen.say("following no more")
        elif not screen.session.bundle.is_complete:
            screen.say(screen.session.why_not_whole)
        elif trouble:
            screen.say(f"not followed: {trouble}")
        else:
            self._switch(len(screen.session.bundle))
            self._go_to_end()

    def _switch(self, rows: int | None) -> None:
        self._screen.session.follows_from = rows
        self._screen.bars.redraw_counts()

    def moved(self) -> None:
        """The cursor is on another row: where that is not the last one, somebody wants to look at it."""
        table = self._screen.table
        if self.is_on and table.cursor < table.count - 1:
            self._switch(None)
            self._screen.say("following no more: F goes on")

    def _go_to_end(self) -> None:
        if self.is_on:
            self._screen.table.action_last()

    # While the bundle is read

    def count(self) -> None:
        """Count all runs by now, where the numbers are those of some moments ago."""
        session = self._screen.session
        if not session.bundle.is_complete:
            self._count_arrived()
        elif session.grows:
            self._count()

    def arrived(self) -> None:
        """More runs were read: the table grows at once, the numbers now and then."""
        screen, session = self._screen, self._screen.session
        if not session.filter_text and not session.sort_field:
            screen.table.rows_added()
            if screen.reader.row is None and len(session):
                screen.bundle_changed()
        self._search_on()
        screen.bars.redraw_counts()
        if session.is_stopped:  # nothing comes behind that would have it counted
            self._count_arrived()
        elif time.monotonic() > self._arrived_after:
            self._arrived_after = inf
            screen.call_later(self._count_arrived)

    def _count_arrived(self) -> None:
        """Count all that is there by now, apart from showing it: a key gets in between."""
        began, session = time.monotonic(), self._screen.session
        if session.is_soon_arranged:
            self.rearrange()
        session.count_again()
        self._screen.card.refresh()
        self._screen.bars.redraw()
        self._arrived_after = time.monotonic() + max(_CALM, _SHARE * (time.monotonic() - began))

    # Once it is read

    def grew(self) -> None:
        """A file that is being written has more runs."""
        self._show_grown()
        self._search_on()

    def _search_on(self) -> None:
        if self._screen.session.needle:
            self._screen.finding.more()

    def _show_grown(self) -> None:
        session = self._screen.session
        session.grew()
        if not session.is_filtered and not session.sort_field:
            self._screen.table.rows_added()
            self._screen.runs.fit()
            self._go_to_end()
        wait = self._after - time.monotonic()
        if wait <= 0:
            self._count()
            return
        self._screen.bars.redraw_counts()
        if self._later is None:
            self._later = self._screen.set_timer(wait, self._count)

    def _count(self) -> None:
        """Arrange and count all rows by now."""
        if self._later is not None:
            self._later.stop()
            self._later = None
        began = time.monotonic()
        if self._screen.session.is_filtered or self._screen.session.sort_field:
            self.rearrange()
        self._screen.session.count_again()
        self._screen.runs.retitle()
        self._screen.card.refresh()
        self._screen.bars.redraw()
        self._after = time.monotonic() + max(_LEAST, _SHARE * (time.monotonic() - began))

    def rearrange(self) -> None:
        """Show of all rows by now those that are to be shown, in their order; the cursor stays on its run."""
        screen, table = self._screen, self._screen.table
        row = screen.row
        screen.session.rearrange()
        position = None if row is None else screen.session.position_of(row)
        table.rows_moved(min(table.cursor, max(0, len(screen.session) - 1)) if position is None else position)
        self._go_to_end()
