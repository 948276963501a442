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

    def holds(self, now: Stamp) -> bool:
        """Whether a file that has another stamp by now may still begin with what it was: it is the same, or longer."""
        return now == self or (now.inode == self.inode and now.size > self.size)


def last_line_end(file: str | Path, size: int) -> int:
    """Where the last whole line of the first `size` bytes ends; 0 where there is none. Raises `OSError`."""
    with open(file, "rb", buffering=0) as opened:
        while size > 0:
            low = max(0, size - _PEEK)
            found = os.pread(opened.fileno(), size - low, low).rfind(b"\n")
            if found >= 0:
                return low + found + 1
            size = low
    return 0


def line_after(file: str | Path, place: int) -> int | None:
    """Where lines go on behind one that was read up to `place`, with its end or without; `place` if nothing came yet.

    None where something came that makes it another line. Raises `OSError`.
    """
    with open(file, "rb", buffering=0) as opened:
        if not place or os.pread(opened.fileno(), 1, place - 1) == b"\n":
            return place
        at = place
        while peek := os.pread(opened.fileno(), _PEEK, at):
            found = peek.find(b"\n")
            if peek[: found if found >= 0 else None].strip():
                return None
            if found >= 0:
                return at + found + 1
            at += len(peek)
    return place


class RangeSource(Source):
    """The lines of a file that begin in `low <= byte < high`; their numbers count from the first of them."""

    def __init__(
        self, path: Path, low: int, high: int, stamp: Stamp, limits: Limits | None = None, *, name: str | None = None
    ) -> None:
        super().__init__(name or str(path), lambda: path.open("rb", buffering=0), path=path, limits=limits)
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
                if not chunk or not self._stamp.holds(Stamp.of(descriptor)):
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
