"""Rows in the order of a text each: a million short texts as numbers of eight bytes, which sort without Python."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import Any

from agent_tui.bundles import masks
from agent_tui.scoring.columns import Texts

_WORD = 8
_LONGEST = 40
"""Bytes of a text that are turned into numbers at most: what is longer is sorted as text."""
_BLOCK = 1 << 16
"""Rows that are turned into numbers at a time: what it takes in memory meanwhile is bounded."""


_PREPARED: list[tuple[Texts, Any]] = []
"""The last column that was put in order, and the place of each of its rows."""


def prepare(texts: Texts) -> None:
    """Put a whole column of different texts in order, so that any of its rows are at once; a thread's work."""
    numpy = masks.numpy_if_loaded()
    words = None if numpy is None else _as_numbers(numpy, *texts.parts())
    if numpy is not None and words is not None:
        places = numpy.empty(len(words[0]), "u4")
        places[numpy.lexsort(words[::-1])] = numpy.arange(len(places), dtype="u4")
        _PREPARED[:] = [(texts, places)]


def _prepared(texts: Texts) -> Any:
    """The place of each row of a column; None where it was not put in order, or has grown since."""
    return next((places for known, places in _PREPARED if known is texts and len(places) == len(texts)), None)


def in_text_order(texts: Texts, rows: Sequence[int], *, descending: bool) -> array[int]:
    """`rows` by their texts, code point by code point; equal ones as they stand."""
    numpy, ready = masks.numpy_if_loaded(), _prepared(texts)
    if numpy is not None and ready is not None:
        return masks.in_order(ready, rows, descending=descending)
    words = None if numpy is None else _as_numbers(numpy, *texts.parts())
    if numpy is None or words is None:
        return array("I", sorted(rows, key=texts.__getitem__, reverse=descending))
    places = numpy.asarray(rows, "u4")
    keys = [~word[places] if descending else word[places] for word in reversed(words)]
    return array("I", places[numpy.lexsort(keys)].astype("u4").tobytes())


def _as_numbers(numpy: Any, blob: bytes, ends: bytes) -> list[Any] | None:
    """Of each text its bytes, eight a number, zeros behind its end; None where one is too long or holds a zero."""
    stop = numpy.frombuffer(ends, "u8").astype("i8")
    start = numpy.concatenate(([0], stop[:-1])) + 1  # behind the separator
    longest = int((stop - start).max(initial=0))
    if longest > _LONGEST or b"\0" in blob:
        return None
    count = max(1, -(-longest // _WORD))
    letters = numpy.frombuffer(blob + bytes(count * _WORD), "u1")
    words = [numpy.zeros(len(stop), "u8") for _ in range(count)]
    for low in range(0, len(stop), _BLOCK):
        block = slice(low, low + _BLOCK)
        for place in range(count * _WORD):
            at = start[block] + place
            letter = numpy.where(at < stop[block], letters[numpy.minimum(at, len(letters) - 1)], 0)
            word = words[place // _WORD]
            word[block] = word[block] << _WORD | letter
    return words
