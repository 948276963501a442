"""Where the items of a JSON array lie in their document: their text as it stands, and their line."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Raw

from agent_tui.readers import loose
from agent_tui.readers.loose import Text
from agent_tui.readers.source import Source

_BETWEEN = re.compile(rb"[\s,]*")


def array_items(source: Source) -> Iterator[tuple[int, int, bytes]]:
    """Line, place and text of every item of the array that is the document of a source."""
    return items_at(source, 0, Raw(source.head.text))


def items_at(source: Source, start: int, array: Raw) -> Iterator[tuple[int, int, bytes]]:
    """Line, place and text of every item of `array`, which starts at a place of the document."""
    text, strict = source.document(), source.head.text
    line, seen = 1 + source.lines_before, 0
    place = start + 1
    for _, item in loose.each(array):
        between = _BETWEEN.match(strict, place)
        start = between.end() if between else place
        place = start + len(memoryview(item))
        line += _line_feeds(text, seen, start)
        seen = start
        source.passed(place)
        yield line, start, bytes(text[start:place])


def _line_feeds(text: Text, start: int, end: int) -> int:
    """How many there are between two places (a count)."""
    return text.count(b"\n", start, end) if isinstance(text, bytes) else bytes(text[start:end]).count(b"\n")
