"""Search: walks the runs in slices, so that keys are answered meanwhile, and shows each place it finds."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Protocol

from rich.text import Text
from textual.message_pump import MessagePump

from agent_tui.bundles.search import Hit
from agent_tui.tui.present.words import safe, safe_name
from agent_tui.tui.session import Session

_SLICE = 0.03
"""Seconds of searching between two looks at the keyboard."""


class Shows(Protocol):
    """What a search needs of a screen."""

    @property
    def session(self) -> Session: ...
    @property
    def position(self) -> int: ...
    def show_hit(self, position: int, hit: Hit) -> None: ...
    def say(self, message: Text | str) -> None: ...


@dataclass
class Finding:
    """One search after another; a new one ends the one before."""

    screen: Shows
    timer: MessagePump
    _hit: Hit | None = None
    _number: int = 0

    def begin(self) -> None:
        """Look for the session's needle from the cursor on."""
        self._hit = None
        self._number += 1
        if self.screen.session.needle:
            self._walk(self.screen.position - 1, 1)

    def go(self, step: int) -> None:
        """The next or previous place: first in this run, then in the others."""
        session, position = self.screen.session, self.screen.position
        hits = session.hits(session.row_at(position)) if len(session) else []
        if self._hit in hits:
            at = hits.index(self._hit) + step
            if 0 <= at < len(hits):
                self._show(position, hits, at)
                return
        self._walk(position, step)

    def _walk(self, position: int, step: int) -> None:
        self._number += 1
        self._slice(self._number, self.screen.session.rows_with_hits(position, step), step, 0)

    def _slice(self, number: int, candidates: Iterator[int | None], step: int, done: int) -> None:
        if number != self._number:
            return
        session = self.screen.session
        until = time.monotonic() + _SLICE
        for found in candidates:
            done += 1
            if found is not None:
                hits = session.hits(session.row_at(found))
                self._show(found, hits, 0 if step > 0 else len(hits) - 1)
                return
            if time.monotonic() > until:
                self.screen.say(f"searching: {done:,} of {len(session):,} runs")
                self._later(partial(self._slice, number, candidates, step, done))
                return
        where = " in the runs that the filter shows" if session.filter_text else ""
        self.screen.say(f"not found{where}: {safe(session.needle, 60)}")

    def _later(self, call: Callable[[], None]) -> None:
        self.timer.set_timer(0.001, call)

    def _show(self, position: int, hits: list[Hit], at: int) -> None:
        hit = self._hit = hits[at]
        self.screen.show_hit(position, hit)
        name = safe_name(self.screen.session.bundle.names.name(hit.row))
        self.screen.say(Text(f" found in {name}, in its {hit.part}: place {at + 1:,} of {len(hits):,} there", "notice"))
