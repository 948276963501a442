"""How reading goes: how much of it is done, how fast, and how long it will take."""

from __future__ import annotations

import time

from msgspec import Struct, field

_LEAST, _LONG = 1.0, 10.0
"""Seconds from which a rate means something once a part of all is read, and from which it does however little is."""
_PARTS = 100
"""Of so many equal parts one."""


class Course(Struct, frozen=True):
    """Bytes done of all there are; the rate is over what was read here."""

    done: int
    total: int
    first: int | None = None
    began: float = field(default_factory=time.monotonic)
    now: float = field(default_factory=time.monotonic)

    def at(self, done: int) -> Course:
        """The course when so many bytes are done."""
        return Course(done, self.total, self.done if self.first is None else self.first, self.began)

    @property
    def rate(self) -> float | None:
        """Bytes a second; None where too little was read to tell."""
        seconds, read = self.now - self.began, self.done - (self.done if self.first is None else self.first)
        is_told = seconds >= _LONG or (seconds >= _LEAST and read * _PARTS >= self.total)
        return read / seconds if is_told and read > 0 else None

    @property
    def share(self) -> str:
        """`63 %`."""
        return f"{100 * self.done // max(1, self.total)} %"

    @property
    def words(self) -> str:
        """`63 %  84 MB/s  0:41 left`."""
        if self.rate is None:
            return self.share
        left = round((self.total - self.done) / self.rate)
        rate = f"{self.rate / 1e6:.0f} MB/s" if self.rate >= 1e6 else f"{self.rate / 1e3:.0f} kB/s"
        return f"{self.share}  {rate}  {left // 60}:{left % 60:02d} left"
