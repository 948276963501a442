"""Which of the shown runs hold a text: found in a thread from a position on, while keys are answered.

What has been looked at is one stretch of positions that grows at either end, so that it is known of any two places
found whether another lies between them. The thread works in small pieces, and sleeps between them.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from enum import Enum

from agent_tui.bundles import Bundle
from agent_tui.bundles.search import Hit, holds, rows_that_may_hold, search_run
from agent_tui.errors import AgentTuiError
from agent_tui.tui.slow_work import slowly

_BYTES = 1 << 18
_ROWS = 512
"""Bytes and runs that are looked at together, at most."""
_LONG, _KEPT = 64_000, 64
"""Bytes of a run from which its places are kept, and of how many runs."""


class Answer(Enum):
    """Why there is no next place."""

    NOT_YET = "not looked at yet"
    NONE = "none"


class Seeking:
    """One search over the runs of a session, in the order in which they are shown."""

    def __init__(
        self, bundle: Bundle, shown: array[int] | None, needle: str, position: int, at_once: int = _ROWS
    ) -> None:
        self.bundle = bundle
        self._at_once = at_once
        self.shown = shown
        """The rows that are shown, in order; None: all."""
        self.needle = needle
        self.low = self.high = min(position, self.total)
        """The stretch of positions that has been looked at: `low <= position < high`."""
        self.step = 1
        """Which way it is looked first: on (1) or back (-1)."""
        self.is_stopped = False
        self.is_awaited = False
        """Whether somebody waits for a next place, and is to be told of each at once."""
        self.problem = ""
        """Why it ended before the end."""
        self._behind: list[int] = []
        """Positions found below the first one, turned negative, so that they rise."""
        self._ahead: list[int] = []
        self.hits: dict[int, list[Hit]] = {}
        """Places in the long runs found last, by position."""

    @property
    def total(self) -> int:
        """How many runs there are to look at; more, where a bundle grows."""
        return len(self.bundle) if self.shown is None else len(self.shown)

    @property
    def done(self) -> int:
        """How many were looked at."""
        return self.high - self.low

    @property
    def found(self) -> int:
        """How many hold the text so far."""
        return len(self._behind) + len(self._ahead)

    @property
    def is_done(self) -> bool:
        """Whether all were looked at, or no more will be."""
        return self.is_stopped or bool(self.problem) or self.done >= self.total

    def row(self, position: int) -> int:
        """The row number at a position."""
        return position if self.shown is None else self.shown[position]

    def place(self, position: int) -> int:
        """Of those found so far, which one a position is, from 1."""
        behind = len(self._behind) - bisect_left(self._behind, -position)
        return behind + bisect_right(self._ahead, position)

    def next(self, position: int, step: int) -> int | Answer:
        """The place found that is next to a position on one side, round the end."""
        near = self._beside(position, step)
        if near is not None and self._is_covered(position, near):
            return near
        edge = self.total if step > 0 else -1
        if not self._is_covered(position, edge - step if self.total else position):
            return Answer.NOT_YET
        around = self._beside(-1 if step > 0 else self.total, step)
        if around is not None and (self.low == 0 if step > 0 else self.high >= self.total):
            return around
        return Answer.NONE if self.done >= self.total else Answer.NOT_YET

    def _is_covered(self, one: int, other: int) -> bool:
        """Whether everything between two positions, and the second itself, was looked at."""
        low, high = min(one + 1, other), max(one, other + 1)
        return self.low <= low and high <= self.high

    def _beside(self, position: int, step: int) -> int | None:
        """The nearest place found above a position (or below it)."""
        if step > 0:
            at = bisect_left(self._behind, -position) - 1
            if at >= 0:
                return -self._behind[at]
            at = bisect_right(self._ahead, position)
            return self._ahead[at] if at < len(self._ahead) else None
        at = bisect_left(self._ahead, position) - 1
        if at >= 0:
            return self._ahead[at]
        at = bisect_right(self._behind, -position)
        return -self._behind[at] if at < len(self._behind) else None

    # The thread's half

    def run(self, tell: Callable[[], object], is_cancelled: Callable[[], bool]) -> None:
        """Look at all; `tell` is called at the first place, then now and then, and at the end."""
        known = 0
        for is_due in slowly(self.looks()):
            if is_cancelled():
                self.is_stopped = True
            if is_due or (self.is_awaited and self.found > known):
                known = self.found
                tell()
        tell()

    def looks(self) -> Iterator[None]:
        """Look at all, in small pieces of work."""
        try:
            while not self.is_done:
                yield from self._look_at(*self._next_positions())
        except (AgentTuiError, OSError) as error:
            self.problem = str(error)

    def _next_positions(self) -> tuple[Sequence[int], int]:
        """The next ones to look at, as many as are read together, and which way they go."""
        is_ahead = self.high < self.total and (self.step > 0 or not self.low)
        ahead = range(self.high, min(self.total, self.high + self._at_once))
        candidates = ahead if is_ahead else range(self.low - 1, max(-1, self.low - 1 - self._at_once), -1)
        size = 0
        for count, position in enumerate(candidates):
            size += self.bundle.records.lengths[self.row(position)]
            if count and size > _BYTES:
                return candidates[:count], 1 if is_ahead else -1
        return candidates, 1 if is_ahead else -1

    def _holds(self, position: int, row: int) -> bool:
        """Whether a run holds the text; of a long one the places are kept: nobody has to look for them again."""
        if self.bundle.records.lengths[row] < _LONG:
            return holds(self.bundle, row, self.needle)
        hits = search_run(self.bundle, row, self.needle)
        if hits:
            if len(self.hits) == _KEPT:
                del self.hits[next(iter(self.hits))]
            self.hits[position] = hits
        return bool(hits)

    def _look_at(self, positions: Sequence[int], way: int) -> Iterator[None]:
        likely = rows_that_may_hold(self.bundle, [self.row(position) for position in positions], self.needle)
        yield
        for position in positions:
            row = self.row(position)
            if row in likely and self._holds(position, row):
                if way > 0:
                    self._ahead.append(position)
                else:
                    self._behind.append(-position)
            if way > 0:
                self.high = position + 1
            else:
                self.low = position
            if row in likely:
                yield
                if self.is_stopped:
                    return
