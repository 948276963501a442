"""Where the items of a JSON array lie in their document: their text as it stands, and their line."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Raw

from agent_tui.readers import loose

_BETWEEN = re.compile(rb"[\s,]*")


def array_items(text: bytes, strict: bytes, array: Raw) -> Iterator[tuple[int, bytes]]:
    """Line and text of every item of `array`, a part of `strict`; the text is cut from `text`, which has the same places."""
    place = 0 if len(array) == len(strict) else strict.find(array)
    items = loose.items(array)
    line, seen = 1, 0
    place += 1
    for item in items:
        between = _BETWEEN.match(strict, place)
        start = between.end() if between else place
        place = start + len(item)
        line += text.count(b"\n", seen, start)
        seen = start
        yield line, text[start:place]
