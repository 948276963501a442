"""One styled line broken into rows of a width: after a space where there is one, inside a word where there is none."""

from __future__ import annotations

from itertools import accumulate

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip


def wrapped(strip: Strip, width: int, hang: int = 0, blank: Style | None = None) -> list[Strip]:
    """The rows of `strip`, at least one, none wider than `width`; all but the first after `hang` cells in `blank`."""
    if strip.cell_length <= width:
        return [strip]
    hang = min(hang, width // 2)
    first, *rows = strip.divide([*_cuts(strip.text, width, hang), strip.cell_length])
    indent = [Segment(" " * hang, blank)] if hang else []
    return [first.crop(0, width), *(Strip([*indent, *row.crop(0, width - hang)]) for row in rows)]


def _cuts(text: str, width: int, hang: int = 0) -> list[int]:
    """The cells after which a row ends; the space it ends with may stick out by one."""
    ends = _ends(text)
    cuts: list[int] = []
    start = 0
    while ends[-1] - (done := cuts[-1] if cuts else 0) > (room := width - hang if cuts else width):
        stop = _reach(ends, start, done + room)
        space = text.rfind(" ", start, stop + 1)
        start = space + 1 if space > start else stop
        cuts.append(ends[start - 1])
    return cuts


def _ends(text: str) -> list[int] | range:
    """For each character, the cell after it."""
    if text.isascii():
        return range(1, len(text) + 1)
    return list(accumulate(cell_len(character) for character in text))


def _reach(ends: list[int] | range, start: int, limit: int) -> int:
    """The first character from `start` that no longer fits below `limit`; one always fits."""
    stop = start
    while stop < len(ends) and ends[stop] <= limit:
        stop += 1
    return max(stop, start + 1)
