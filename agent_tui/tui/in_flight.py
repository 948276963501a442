"""What was written to a far terminal and is not known to have arrived.

A connection takes far more than its line carries, and whoever holds a key looks at old pages for half a minute. So the
terminal is asked, behind a frame, for something that it answers at once; the answer says that all before it has come.
One question is out at a time: an answer that is lost, or comes for two, misleads nobody for long.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

QUESTION = "\x1b[?2026$p"
"""Asks whether frames are known (DECRQM); Textual asks so at the start, and reads the answer."""
MOST = 4_000
"""Bytes on the way from which on a frame waits."""
ENOUGH = 1_000
"""Bytes from which on it is asked whether they have come."""
_SLOWEST = 1_000
"""Bytes a second that a line carries which nobody has measured yet."""
_SLACK, _LATEST = 2, 1.0
"""How many times as long as it should take an answer may take, and seconds besides."""


class InFlight:
    """Counts bytes; `is_full` while a frame should wait. A thread that reads may call `arrived`."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._before = 0
        """Bytes up to the question that is out."""
        self._after = 0
        """Bytes since the last question."""
        self._asked_at: float | None = None
        """When the question was asked that has no answer yet."""
        self._is_answered = False
        """Whether this terminal has answered such a question before."""
        self._rate = 0.0
        """Bytes a second that the line has carried at best."""
        self._none_is_out = threading.Event()
        self._none_is_out.set()

    def question(self, size: int) -> str:
        """Count a frame of so many bytes; gives the question to write behind it, if any: behind none, always one."""
        self._after += size
        if self._asked_at is not None or (size > 0 and self._after < ENOUGH):
            return ""
        self._before, self._after = self._after + len(QUESTION), 0
        self._none_is_out.clear()
        self._asked_at = self._now()
        return QUESTION

    def arrived(self) -> None:
        """An answer came: what was written before the question has arrived."""
        if self._asked_at is not None:
            took = max(self._now() - self._asked_at, 1e-3)
            self._rate = max(self._rate, self._before / took)
            self._is_answered, self._asked_at = True, None
            self._before = 0
            self._none_is_out.set()

    @property
    def is_full(self) -> bool:
        """Whether the line has enough to carry; never on a terminal that does not answer, or does not any more."""
        if self._asked_at is not None:
            patience = _LATEST + _SLACK * self._before / (self._rate or _SLOWEST)
            if self._now() - self._asked_at > patience:
                self.forget()
        return self._is_answered and self._size > MOST

    @property
    def _size(self) -> int:
        return self._before + self._after

    def forget(self) -> None:
        """Ask and count afresh: the answer is lost, or another terminal is there."""
        self._before = self._after = 0
        self._asked_at, self._is_answered, self._rate = None, False, 0.0
        self._none_is_out.set()

    def wait(self, seconds: float) -> None:
        """Wait for an answer that is on its way, so that nobody else reads it."""
        self._none_is_out.wait(seconds)
