"""A file in a store as a source: what of it is read is fetched once, into a file without a name that goes away."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from typing import cast

from agent_tui.readers.ranges import CHANGED
from agent_tui.readers.remote import StoreError, remote
from agent_tui.readers.source import Source, Unreadable
from agent_tui.safety import Limits

_BLOCK = 1 << 20
_AHEAD = 16
"""Blocks that are fetched at once where a file is read from its start to its end."""


class RemoteSource(Source):
    """A file in a store. What is not JSON Lines of ours has to be read from its start, and is, up to a limit."""

    def __init__(self, name: str, limits: Limits | None = None, folder: str | None = None) -> None:
        """Raises `StoreError` where the store does not give it."""
        super().__init__(name, lambda: cast("io.FileIO", _File(self._blocks)), limits=limits, folder=folder)
        self.stamp = remote(name).stamp()
        self._blocks = _Blocks(name, self.stamp.size, self.limits.download)

    def chunks(self) -> Iterator[bytes]:
        """See `Source`. Raises `Unreadable` too where it is another than it was, or too large to be read whole."""
        read = 0
        for chunk in super().chunks():
            read += len(chunk)
            if self.stamp.size > self.limits.download and read > 2 * _BLOCK:
                raise Unreadable(self._blocks.too_large)
            yield chunk
        if remote(self.name).stamp() != self.stamp:
            raise Unreadable(CHANGED)

    def digest(self) -> str:
        """What the store says of it; of its bytes where it says nothing."""
        return remote(self.name).digest(self.stamp) or super().digest()


class _Blocks:
    """The blocks of a file that were fetched so far."""

    def __init__(self, name: str, size: int, limit: int) -> None:
        import tempfile  # here, as in `streams`

        self.name, self.size = name, size
        self.too_large = f"{size:,} bytes that are read from their start, which is done up to {limit:,}: copy it here"
        self._spool = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115 - lives as long as the source
        self._limit = limit
        self._fetched: set[int] = set()
        self._ahead = 1

    def read(self, place: int, length: int) -> bytes:
        """At most so many bytes from a place on. Raises `OSError`."""
        end = min(place + length, self.size)
        if place >= end:
            return b""
        for block in range(place // _BLOCK, (end - 1) // _BLOCK + 1):
            if block not in self._fetched:
                self._fetch(block)
        return os.pread(self._spool.fileno(), end - place, place)

    def _fetch(self, first: int) -> None:
        """Fetch a block, and more behind it where the one before was read too."""
        self._ahead = min(_AHEAD, 2 * self._ahead) if first - 1 in self._fetched else 1
        last = first
        while last - first + 1 < self._ahead and (last + 1) * _BLOCK < self.size and last + 1 not in self._fetched:
            last += 1
        if len(self._fetched) * _BLOCK > self._limit:
            raise StoreError(self.too_large)
        text = remote(self.name).read(first * _BLOCK, min(self.size, (last + 1) * _BLOCK))
        place, rest = first * _BLOCK, memoryview(text)
        while rest:
            written = os.pwrite(self._spool.fileno(), rest, place)
            place, rest = place + written, rest[written:]
        self._fetched.update(range(first, last + 1))


class _File(io.RawIOBase):
    """A file that fetches what is read of it."""

    def __init__(self, blocks: _Blocks) -> None:
        self._blocks, self._at = blocks, 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET, /) -> int:
        base = {io.SEEK_SET: 0, io.SEEK_CUR: self._at, io.SEEK_END: self._blocks.size}[whence]
        self._at = max(0, base + offset)
        return self._at

    def tell(self) -> int:
        return self._at

    def readinto(self, buffer: bytearray | memoryview, /) -> int:  # type: ignore[override]
        text = self._blocks.read(self._at, len(buffer))
        buffer[: len(text)] = text
        self._at += len(text)
        return len(text)
