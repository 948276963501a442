"""Where the items of a JSON array lie in their document: their text as it stands, and their line."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Raw

from agent_tui.readers import loose

_TOLD_BY = 64
_BETWEEN = re.compile(rb"[\s,]*")


def array_items(text: bytes, strict: bytes, array: Raw | None = None) -> Iterator[tuple[int, bytes]]:
    """Line and text of every item of `array`, a part of `strict`, by default all of it.

    The text is cut from `text`, which has the same places as `strict`.
    """
    whole = strict.strip() if array is None else array
    place = _place_of(whole, strict) + 1
    line, seen = 1, 0
    for item in loose.items(whole):
        between = _BETWEEN.match(strict, place)
        start = between.end() if between else place
        place = start + len(memoryview(item))
        line += text.count(b"\n", seen, start)
        seen = start
        yield line, text[start:place]


def _place_of(part: Raw | bytes, text: bytes) -> int:
    """Where the last value that is `part` begins: told by its first and last bytes and its length, which is quick."""
    view = memoryview(part)
    first, last = bytes(view[:_TOLD_BY]), bytes(view[-_TOLD_BY:])
    place = text.rfind(first)
    while place > 0 and not text.startswith(last, place + len(view) - len(last)):
        place = text.rfind(first, 0, place + len(first) - 1)
    return max(place, 0)
