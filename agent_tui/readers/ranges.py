"""A range of a file of JSON Lines: the lines whose first byte lies in it, as a source of their own.

However a file is cut into ranges, together they hold every line once, in order.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path

from msgspec import Struct

from agent_tui.readers.source import BOM, CHUNK, Source, Unreadable
from agent_tui.safety import Limits

_PEEK = 1 << 16


class Stamp(Struct, frozen=True):
    """What tells that a file is still what it was: its size (bytes), when it was written (ns), and its inode."""

    size: int
    modified: int
    inode: int

    @classmethod
    def of(cls, file: int | str | Path) -> Stamp:
        """The stamp of a file as it is now. Raises `OSError`."""
        found = os.stat(file)
        return cls(found.st_size, found.st_mtime_ns, found.st_ino)


class RangeSource(Source):
    """The lines of a file that begin in `low <= byte < high`; their numbers count from the first of them."""

    def __init__(self, path: Path, low: int, high: int, stamp: Stamp, limits: Limits | None = None) -> None:
        super().__init__(str(path), lambda: path.open("rb", buffering=0), path=path, limits=limits)
        self._low, self._high, self._stamp = low, high, stamp
        self.line_feeds = 0
        """How many lines ended in what was read (a count)."""

    @cached_property
    def begin(self) -> int:
        """Where in the file the first line begins (bytes)."""
        with self.open_raw() as file:
            return self._line_from(file.fileno(), self._low)

    def chunks(self) -> Iterator[bytes]:
        """The bytes of the lines. Raises `Unreadable` where the file is another than it was."""
        with self.open_raw() as file:
            descriptor = file.fileno()
            place, end = self.begin, self._line_from(descriptor, self._high)
            while place < end:
                chunk = os.pread(descriptor, min(CHUNK, end - place), place)
                if not chunk or Stamp.of(descriptor) != self._stamp:
                    raise Unreadable("has changed while it was read: open it again")
                place += len(chunk)
                self.line_feeds += chunk.count(b"\n")
                yield chunk

    def _line_from(self, descriptor: int, place: int) -> int:
        """The first line that begins at a place or behind it; the end of the file where there is none."""
        if place <= len(BOM):
            if os.pread(descriptor, len(BOM), 0) == BOM:
                return len(BOM)
            if place == 0:
                return 0
        place -= 1
        while place < self._stamp.size and (peek := os.pread(descriptor, _PEEK, place)):
            found = peek.find(b"\n")
            if found >= 0:
                return place + found + 1
            place += len(peek)
        return self._stamp.size
