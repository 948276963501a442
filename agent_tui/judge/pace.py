"""How many calls are out at a time, and how long to wait after a setback: more while all goes well, half when told off.

Several calls that meet the same trouble are one setback: only a call that began after the last one brings another.
"""

from __future__ import annotations

from agent_tui.providers.contract import Failure

ATTEMPTS = 5
"""How often one request is sent in one run (a count)."""
PATIENCE = 25
"""Setbacks in a row after which the service is away, though no request has used up its attempts (a count)."""
LONGEST_WAIT = 120.0
"""A service that asks for more is not waited for (seconds)."""
_FIRST_WAIT, _LAST_WAIT = 0.5, 8.0
_TOLD_OFF = frozenset({"rate_limited", "overloaded"})


class Pace:
    """The window of one run. The first call goes alone: where it cannot succeed it stays the only one, and where the
    service keeps what requests have in common, the others find it there."""

    def __init__(self, start: int, ceiling: int) -> None:
        self._window = start
        self._ceiling = ceiling
        self._streak = 0
        self._is_answered = False
        self.setbacks = 0
        """In all (a count): what a call that begins now has seen."""
        self.in_a_row = 0
        """Since the last answer (a count)."""

    @property
    def window(self) -> int:
        """How many calls may be out now (a count)."""
        return self._window if self._is_answered else 1

    def answered(self) -> None:
        """A call was answered, be it with a refusal."""
        self._is_answered = True
        self.in_a_row = 0
        self._streak += 1
        if self._streak >= self._window:
            self._window = min(self._window + 1, self._ceiling)
            self._streak = 0

    def set_back(self, seen: int, failure: Failure) -> float:
        """A call that had seen so many setbacks was not answered; gives how long no call should begin (seconds)."""
        asked = failure.retry_after or 0.0
        if seen < self.setbacks:
            return asked
        self.setbacks += 1
        self.in_a_row += 1
        self._streak = 0
        if failure.kind in _TOLD_OFF:
            self._window = max(1, self._window // 2)
        return max(asked, min(_FIRST_WAIT * float(1 << min(self.in_a_row - 1, 10)), _LAST_WAIT))
