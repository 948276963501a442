"""A range of a file of JSON Lines: the lines whose first byte lies in it, as a source of their own.

However a file is cut into ranges, together they hold every line once, in order.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Protocol, Self

from msgspec import Struct
from msgspec.structs import replace

from agent_tui.readers.addresses import is_address
from agent_tui.readers.source import BOM, CHUNK, Source, Unreadable
from agent_tui.safety import Limits

CHANGED = "has changed while it was read: open it again"
_LOOKS, _PAUSE = 10, 0.01
"""How often a file is looked at that has only another time of writing, and seconds between (a count)."""
GROWS = -1
"""In place of when a file was written: nothing of it but its end changes, since only we write it."""
_PEEK = 1 << 16


class Stamp(Struct, frozen=True):
    """What tells that a file is still what it was: its size (bytes), when it was written (ns), and its inode.

    Of a file in a store the other two are made of what the store says: its tag, else when it was written.
    """

    size: int
    modified: int
    inode: int

    @classmethod
    def of(cls, file: int | str | Path) -> Stamp:
        """The stamp of a file as it is now. Raises `OSError`."""
        if isinstance(file, str) and is_address(file):
            from agent_tui.readers.remote import remote  # here, since few files lie in a store

            return remote(file).stamp()
        found = os.stat(file)
        return cls(found.st_size, found.st_mtime_ns, found.st_ino)

    @classmethod
    def growing(cls, file: str | Path) -> Stamp:
        """The stamp of a file that only we write, which may be longer any moment. Raises `OSError`."""
        found = os.stat(file)
        return cls(found.st_size, GROWS, found.st_ino)

    def holds(self, now: Stamp) -> bool:
        """Whether a file that has another stamp by now may still begin with what it was: it is the same, or longer."""
        is_longer = now.size >= self.size if self.modified == GROWS else now.size > self.size
        return now == self or (now.inode == self.inode and is_longer)

    def is_still_of(self, descriptor: int) -> bool:
        """Whether an open file still begins with what it was. Raises `OSError`.

        A write changes the time before the length: a file that has only another time is looked at for a moment.
        """
        for number in range(_LOOKS):
            if number:
                time.sleep(_PAUSE)
            now = Stamp.of(descriptor)
            if self.holds(now):
                return True
            if replace(now, modified=self.modified) != self:
                break
        return False


def last_line_end(file: str | Path, size: int) -> int:
    """Where the last whole line of the first `size` bytes ends; 0 where there is none. Raises `OSError`.

    A file in a store is whole: it does not grow, but another one takes its place.
    """
    if is_address(str(file)):
        return size
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


def digests_of_first(file: BinaryIO, *sizes: int) -> Iterator[str | None]:
    """The xxh3_128 of the first so many bytes of a file that is at its start, for sizes that rise; None: it is shorter.

    Raises `OSError`.
    """
    from xxhash import xxh3_128  # here, as in `Source.digest`

    digest, place = xxh3_128(), 0
    for size in sizes:
        while place < size and (chunk := file.read(min(CHUNK, size - place))):
            digest.update(chunk)
            place += len(chunk)
        yield None if place < size else digest.hexdigest()


class Pieces(Protocol):
    """A file that can be read anywhere; closed at the end of a `with`."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

    def pread(self, length: int, place: int) -> bytes:
        """At most so many bytes from a place on. Raises `OSError`."""
        ...

    def is_still(self, stamp: Stamp) -> bool:
        """Whether what was read is of the file with a stamp. Raises `OSError`."""
        ...


class _OnDisk:
    """A file of this machine."""

    def __init__(self, file: str) -> None:
        self._descriptor = os.open(file, os.O_RDONLY | os.O_CLOEXEC)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        os.close(self._descriptor)

    def pread(self, length: int, place: int) -> bytes:
        """See `Pieces`."""
        return os.pread(self._descriptor, length, place)

    def is_still(self, stamp: Stamp) -> bool:
        """See `Pieces`; more may have come behind."""
        return stamp.is_still_of(self._descriptor)


class RangeSource(Source):
    """The lines of a file that begin in `low <= byte < high`; their numbers count from the first of them."""

    def __init__(
        self, file: str, low: int, high: int, stamp: Stamp, limits: Limits | None = None, *, name: str | None = None
    ) -> None:
        path = None if is_address(file) else Path(file)
        opener = lambda: open(file, "rb", buffering=0)  # noqa: E731, SIM115 - whoever opens closes
        super().__init__(name or file, opener, path=path, limits=limits)
        self._file = file
        self._low, self._high, self._stamp = low, high, stamp
        self.line_feeds = 0
        """How many lines ended in what was read (a count)."""

    def _opened(self) -> Pieces:
        return _OnDisk(self._file) if self.path is not None else self._in_store

    @cached_property
    def _in_store(self) -> Pieces:
        from agent_tui.readers.remote_range import RemoteRange  # here, since few files lie in a store

        return RemoteRange(self._file, self._low, self._high, self._stamp, self.limits)

    @cached_property
    def begin(self) -> int:
        """Where in the file the first line begins (bytes)."""
        with self._opened() as file:
            return self._line_from(file, self._low)

    def chunks(self) -> Iterator[bytes]:
        """The bytes of the lines. Raises `Unreadable` where the file is another than it was."""
        with self._opened() as file:
            place, end = self.begin, self._line_from(file, self._high)
            while place < end:
                chunk = file.pread(min(CHUNK, end - place), place)
                if not chunk or not file.is_still(self._stamp):
                    raise Unreadable(CHANGED)
                place += len(chunk)
                self.line_feeds += chunk.count(b"\n")
                yield chunk

    def _line_from(self, file: Pieces, place: int) -> int:
        """The first line that begins at a place or behind it; the end of the file where there is none."""
        if place <= len(BOM):
            if file.pread(len(BOM), 0) == BOM:
                return len(BOM)
            if place == 0:
                return 0
        place -= 1
        while place < self._stamp.size and (peek := file.pread(_PEEK, place)):
            found = peek.find(b"\n")
            if found >= 0:
                return place + found + 1
            place += len(peek)
        return self._stamp.size
