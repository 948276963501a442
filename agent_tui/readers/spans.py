"""Where the items of a JSON array lie in their document: their text as it stands, and their line."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Raw

from agent_tui.readers import loose

_BETWEEN = re.compile(rb"[\s,]*")


def array_items(text: bytes, strict: bytes) -> Iterator[tuple[int, bytes]]:
    """Line and text of every item of an array, which `strict` is.

    The text is cut from `text`, which has the same places as `strict`.
    """
    return items_at(text, strict, 0, Raw(strict))


def items_at(text: bytes, strict: bytes, start: int, array: Raw) -> Iterator[tuple[int, bytes]]:
    """Line and text of every item of `array`, which starts at a place of `strict`."""
    place = start + 1
    line, seen = 1, 0
    for item in loose.items(array):
        between = _BETWEEN.match(strict, place)
        start = between.end() if between else place
        place = start + len(memoryview(item))
        line += text.count(b"\n", seen, start)
        seen = start
        yield line, text[start:place]
