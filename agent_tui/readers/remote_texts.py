"""Texts out of a file in a store: one by one request, and many behind each other by few."""

from __future__ import annotations

from agent_tui.readers.remote import remote

_NEAR = 64 << 10
"""Bytes between two texts that are read behind each other."""
_MOST = 8 << 20
"""Bytes that are fetched ahead at most."""


class RemoteTexts:
    """Keeps what was fetched last; the longer it is read on from there, the more is fetched at once."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._low, self._kept = 0, b""
        self._size: int | None = None

    def read(self, low: int, high: int) -> bytes:
        """The bytes from `low` up to `high`. Raises `OSError`."""
        end = self._low + len(self._kept)
        if not self._low <= low <= high <= end:
            is_next = bool(self._kept) and self._low <= low <= end + _NEAR
            self._fetch(low, max(high, self._further(low)) if is_next else high)
        return self._kept[low - self._low : high - self._low]

    def _further(self, low: int) -> int:
        if self._size is None:
            self._size = remote(self._name).stamp().size
        return min(self._size, low + min(_MOST, 2 * len(self._kept)))

    def _fetch(self, low: int, high: int) -> None:
        self._kept = remote(self._name).read(low, high)
        self._low = low
