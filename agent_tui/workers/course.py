"""How reading goes: how much of it is done, how fast, and how long it will take."""

from __future__ import annotations

import time

from msgspec import Struct, field


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
        """Bytes a second; None where nothing was read yet."""
        seconds, read = self.now - self.began, self.done - (self.done if self.first is None else self.first)
        return read / seconds if seconds > 0 and read > 0 else None

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
        return f"{self.share}  {self.rate / 1e6:.0f} MB/s  {left // 60}:{left % 60:02d} left"
