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


def places_in_order(texts: Texts) -> Any:
    """The place of each row of a whole column of different texts; None where that is not quick."""
    numpy = masks.numpy_if_loaded()
    words = None if numpy is None else _as_numbers(numpy, *texts.parts())
    if numpy is None or words is None:
        return None
    places = numpy.empty(len(words[0]), "u4")
    places[numpy.lexsort(words[::-1])] = numpy.arange(len(places), dtype="u4")
    return places


def in_text_order(texts: Texts, rows: Sequence[int], *, descending: bool, places: Any = None) -> array[int]:
    """`rows` by their texts, code point by code point; equal ones as they stand. `places` are those of all rows."""
    numpy = masks.numpy_if_loaded()
    if numpy is not None and places is not None:
        return masks.in_order(places, rows, descending=descending)
    words = None if numpy is None else _as_numbers(numpy, *texts.parts())
    if numpy is None or words is None:
        return array("I", sorted(rows, key=texts.__getitem__, reverse=descending))
    taken = numpy.asarray(rows, "u4")
    keys = [~word[taken] if descending else word[taken] for word in reversed(words)]
    return array("I", taken[numpy.lexsort(keys)].astype("u4").tobytes())


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
