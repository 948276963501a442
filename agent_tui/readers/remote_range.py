"""A range of a file in a store: one request gives it with some more, in which its last line ends nearly always."""

from __future__ import annotations

from types import TracebackType
from typing import Self

from agent_tui.readers.ranges import Stamp
from agent_tui.readers.remote import remote
from agent_tui.readers.source import BOM, Unreadable
from agent_tui.safety import Limits

MORE = 256 << 10
"""Bytes behind a range that come with it; twice as many each time that they are not enough."""


class RemoteRange:
    """What lies around a range, kept while it is read. See `Pieces`."""

    def __init__(self, name: str, low: int, high: int, stamp: Stamp, limits: Limits) -> None:
        self._remote, self._stamp = remote(name), stamp
        self._low = 0 if low <= len(BOM) else low - 1  # the byte before says whether a line begins here
        self._high, self._longest = high, high + limits.line + MORE
        self._text = b""
        self._more = MORE
        self._is_checked = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """What was read goes away with this."""

    def pread(self, length: int, place: int) -> bytes:
        """See `Pieces`. Raises `Unreadable` where a line has no end."""
        end = min(place + length, self._stamp.size)
        while self._low + len(self._text) < end:
            self._read_more(end)
        return self._text[max(0, place - self._low) : max(0, end - self._low)]

    def _read_more(self, end: int) -> None:
        known = self._low + len(self._text)
        if known > self._longest:
            raise Unreadable(f"a line of over {self._longest - self._high:,} bytes: read it from a file of its own")
        wanted = self._high + MORE if not self._text else known + self._more
        if self._text:
            self._more *= 2
        self._text += self._remote.read(known, min(self._stamp.size, max(end, wanted)))
        self._is_checked = False

    def is_still(self, stamp: Stamp) -> bool:
        """See `Pieces`: asked after the bytes came, once for each request."""
        if not self._is_checked and self._remote.stamp() != stamp:
            return False
        self._is_checked = True
        return True
