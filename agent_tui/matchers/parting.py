"""Where two long texts part, and how much of both may be left out so that it is seen."""

from __future__ import annotations

_BEFORE = 4
"""One part of so many of the room is for what stands before the place, and as much for what follows it at least."""


def parting(one: str, other: str) -> int:
    """How many characters both begin with."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def left_out(one: str, other: str, room: int) -> int:
    """How many characters to leave out in front, of texts that are cut at `room`, so that they are seen to differ."""
    at, before = parting(one, other), room // _BEFORE
    return 0 if max(len(one), len(other)) <= room or at <= room - before else at - before


def without_front(text: str, skipped: int) -> str:
    """A text without its first characters, which is said: `…+420 …y = 2 AND z = 3`."""
    return f"…+{skipped:,} …{text[skipped:]}" if skipped else text
