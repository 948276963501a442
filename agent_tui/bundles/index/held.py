"""A column of an index in memory of our own: what becomes of its file afterwards changes no number and ends nothing.

A piece of a file is read when somebody asks for what is in it, and held to its hash on the way; nothing of the file is
mapped. Columns that nobody looks at cost a descriptor.
"""

from __future__ import annotations

import os
import stat
import tempfile
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import pairwise
from mmap import ACCESS_COPY, PAGESIZE, mmap
from pathlib import Path
from threading import RLock
from typing import Any
from weakref import finalize

from xxhash import xxh3_64, xxh3_64_intdigest

from agent_tui.errors import NotPossible
from agent_tui.scoring.columns import mapped

BLOCK = 1 << 18
"""Bytes of a piece of a finished index: few are read to show a few rows, and not too many pieces to show all."""
_MANY = 1024
"""Pieces that a column may have beside blocks before they are put together (a count)."""


class Damaged(Exception):
    """An index does not hold what its log says: it has to be made again."""


class NoRoom(NotPossible, OSError):
    """There is no room for what is read of an index: whoever can do without one does, all others end with this line."""


@contextmanager
def _room() -> Iterator[None]:
    """Raise `NoRoom` where the system gives none."""
    try:
        yield
    except OSError as error:
        reason = f"no room for what is read of the index: {error.strerror or error}"
        raise NoRoom(f"{reason}; TMPDIR names a folder that has room") from error


def blocks_of(pieces: Iterable[tuple[int, int]], read: Callable[[int, int], bytes]) -> list[tuple[int, int]]:
    """Pieces, each a length and a hash, as blocks of the same bytes, which `read` gives by place and length.

    Raises `Damaged` where the bytes are not those of a piece.
    """
    return list(_blocks_of(pieces, read))


def _blocks_of(pieces: Iterable[tuple[int, int]], read: Callable[[int, int], bytes]) -> Iterator[tuple[int, int]]:
    place, filled, block = 0, 0, xxh3_64()
    for length, expected in pieces:
        piece, end = xxh3_64(), place + length
        while place < end and (text := read(place, min(end - place, BLOCK - filled))):
            piece.update(text)
            block.update(text)
            place, filled = place + len(text), filled + len(text)
            if filled == BLOCK:
                yield filled, block.intdigest()
                filled, block = 0, xxh3_64()
        if place < end or piece.intdigest() != expected:
            raise Damaged(f"something else than was written before byte {end}")
    if filled:
        yield filled, block.intdigest()


class Held:
    """The bytes of a column file, as far as they were asked for."""

    def __init__(self, path: Path, spoilt: Callable[[str], Damaged]) -> None:
        """`spoilt` gives what is to be raised, for a reason."""
        self.size = 0
        """Bytes that were written."""
        self._path, self._spoilt = path, spoilt
        self._ends, self._hashes = array("Q"), array("Q")
        self._is_held = bytearray()
        """Of each piece, whether it is in memory."""
        self._blocks = 0
        """How many of the pieces are blocks (a count)."""
        self._file: int | None = None
        self._leave: Callable[[], object] = lambda: None
        """Closes the file."""
        self._memory: int | None = None
        self._lock = RLock()  # threads look at columns too

    def add(self, length: int, digest: int) -> None:
        """Take one more piece for written."""
        self.size += length
        self._blocks += length == BLOCK and self._blocks == len(self._ends)
        self._ends.append(self.size)
        self._hashes.append(digest)
        self._is_held.append(0)

    def settle(self) -> None:
        """Put very many small pieces together, as a file that is followed for days has. Raises `Damaged`."""
        if len(self._ends) - self._blocks >= _MANY:
            with self._lock:
                self._put_together(self._blocks)

    def _put_together(self, first: int) -> None:
        start, held, ends, hashes = self._start(first), self._is_held[first:], self._ends[first:], self._hashes[first:]
        lengths = (end - low for low, end in pairwise([start, *ends]))
        try:
            blocks = blocks_of(zip(lengths, hashes, strict=True), lambda at, length: self._read(start + at, length))
        except (Damaged, OSError) as error:
            raise self._spoilt(f"{self._path.name}: {error}") from error
        del self._ends[first:], self._hashes[first:], self._is_held[first:]
        for length, digest in blocks:
            end = start + length
            parts = held[bisect_right(ends, start) : bisect_left(ends, end) + 1]
            self._ends.append(end)
            self._hashes.append(digest)
            self._is_held.append(all(parts))
            start = end
        self._blocks = len(self._ends) - 1  # the last one is filled up the next time

    def see(self) -> None:
        """Open the file, which can be read then whatever becomes of its name. Raises `Damaged`."""
        try:
            if self._file is None or os.fstat(self._file).st_size < self.size:
                self._open()
        except OSError as error:
            raise self._spoilt(f"{self._path.name}: {error.strerror or error}") from error

    def _open(self) -> None:
        # A pipe in its place is not waited for.
        descriptor = os.open(self._path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode) or found.st_size < self.size:
            os.close(descriptor)
            raise self._spoilt(f"{self._path.name} is cut off")
        self._leave()
        self._file, self._leave = descriptor, finalize(self, os.close, descriptor)

    def mapped(self, size: int) -> mmap:
        """The memory of the first bytes: good where they are held, and what is changed in it is changed there only.

        Raises `NoRoom`.
        """
        with self._lock, _room():
            if self._memory is None:
                self._memory = _own_memory()
                finalize(self, os.close, self._memory)
            if os.fstat(self._memory).st_size < self.size:
                os.truncate(self._memory, self.size)
            return mmap(self._memory, size, access=ACCESS_COPY)

    def hold(self, low: int, high: int) -> tuple[int, int]:
        """Have some bytes in memory, and what else is in their pieces: from where to where.

        Raises `Damaged` and `NoRoom`.
        """
        with self._lock:
            first, last = bisect_right(self._ends, low), bisect_left(self._ends, high)
            for number in range(first, last + 1):
                if not self._is_held[number]:
                    assert self._memory is not None  # they are held for somebody who mapped them
                    text = self._piece(number)
                    with _room():
                        _write(self._memory, text, self._start(number))
                    self._is_held[number] = 1
            return self._start(first), self._ends[last]

    def check(self, most: int | None = None) -> None:
        """Hold what is not in memory, or the pieces that end within some bytes, to its hashes. Raises `Damaged`."""
        with self._lock:
            for number in range(len(self._ends) if most is None else bisect_right(self._ends, most)):
                if not self._is_held[number]:
                    self._piece(number)

    def read(self, low: int, high: int) -> bytes:
        """Some bytes that are needed once. Raises `Damaged`."""
        with self._lock:
            self.see()
            first, last = bisect_right(self._ends, low), bisect_left(self._ends, high)
            start = self._start(first)
            return b"".join(map(self._piece, range(first, last + 1)))[low - start : high - start]

    def _start(self, number: int) -> int:
        return self._ends[number - 1] if number else 0

    def _piece(self, number: int) -> bytes:
        """A piece as it was written; where a shorter file took the place of the opened one, from that."""
        start, expected = self._start(number), self._hashes[number]
        with suppress(OSError):
            text = self._read(start, self._ends[number] - start)
            if xxh3_64_intdigest(text) == expected:
                return text
        try:
            self._open()
            text = self._read(start, self._ends[number] - start)
        except OSError as error:
            raise self._spoilt(f"{self._path.name}: {error.strerror or error}") from error
        if xxh3_64_intdigest(text) != expected:
            raise self._spoilt(f"{self._path.name} holds something else before byte {self._ends[number]}")
        return text

    def _read(self, place: int, length: int) -> bytes:
        assert self._file is not None  # whoever shows a column has seen its file
        return os.pread(self._file, length, place)


def _write(descriptor: int, text: bytes, place: int) -> None:
    rest = memoryview(text)
    while rest:
        written = os.pwrite(descriptor, rest, place)
        rest, place = rest[written:], place + written


def _own_memory() -> int:
    """A file without a name; in memory where the system has such, which is then shared and not anonymous."""
    if hasattr(os, "memfd_create"):
        with suppress(OSError):
            return os.memfd_create("agent-tui-column", os.MFD_CLOEXEC)
    descriptor, name = tempfile.mkstemp(prefix="agent-tui-column-")
    os.unlink(name)
    return descriptor


class Column:
    """Numbers of a column, each in memory once it is asked for: reads like an `array`, and is never added to.

    What is changed in it is changed for this program only.
    """

    def __init__(self, held: Held, kind: str, size: int) -> None:
        self.itemsize = array(kind).itemsize
        self._held, self._kind, self.size = held, kind, size
        self._length = size // self.itemsize
        self._map: mmap | None = None
        self._view: Any = None
        self._low = self._high = 0
        """From where to where it is held, at the least (bytes)."""
        self._is_whole = False

    def __len__(self) -> int:
        return self._length

    def __getitem__(self, key: Any) -> Any:
        return self._view[key] if self._is_whole else self._having(key)[key]

    def __setitem__(self, key: Any, value: Any) -> None:
        self._having(key, PAGESIZE)[key] = value

    def __iter__(self) -> Iterator[Any]:
        return iter(self.whole())

    def __bytes__(self) -> bytes:
        return bytes(self.whole())

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        import numpy  # whoever asks for this has it

        found = numpy.asarray(self.whole(), dtype)
        return found.copy() if copy else found

    def check(self, most: int | None = None) -> None:
        """See `Held.check`."""
        self._held.check(most)

    def tobytes(self) -> bytes:
        """All of it."""
        return bytes(self.whole().tobytes())

    def find(self, sought: bytes, low: int, high: int) -> int:
        """Where bytes stand in it; -1 where they do not."""
        self.whole()
        assert self._map is not None
        return self._map.find(sought, low, high)

    def whole(self) -> Any:
        """A view of all of it. Raises `Damaged`."""
        if not self._is_whole:
            self._hold(0, self.size)
            self._is_whole = True
        return self._view

    def _having(self, key: Any, page: int = 1) -> Any:
        """A view in which what a key means is good. What is changed takes its pages along, so they are good before."""
        if isinstance(key, slice):
            low, high, step = key.indices(self._length)
            low, high = (low, max(low, high)) if step > 0 else (0, self._length)
        else:
            low = key + self._length if key < 0 else key
            high = min(low + 1, self._length)
        low, high = low * self.itemsize, high * self.itemsize
        self._hold(low // page * page, min(-(-high // page) * page, self.size))
        return self._view

    def _hold(self, low: int, high: int) -> None:
        if self._map is None:
            self._map = self._held.mapped(self.size)
            self._view = mapped(memoryview(self._map), self._kind)
        if low < high and not self._low <= low < high <= self._high:
            self._low, self._high = self._held.hold(low, high)
