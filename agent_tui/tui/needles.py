"""What is searched for, in its spellings: as it is read on the screen, and as it stands in the data."""

from __future__ import annotations

import re

_RAW = {0x2400 + code: code for code in range(0x20)} | {0x2421: 0x7F}
"""Controls by the marks that stand for them on the screen."""
_PIECE = 1 << 16
"""Characters that are searched at once: plain ones are put into small letters for it, twenty times as fast."""


def as_recorded(needle: str) -> str:
    """`needle` with the marks of controls (`␛`) turned into what they stand for."""
    return needle.translate(_RAW)


def place_of(text: str, needle: str) -> int | None:
    """Where `needle` is in a text, in either spelling, whatever its case."""
    if not needle:
        return None
    found = [find(text, spelling) for spelling in {needle, as_recorded(needle)}]
    return min((place for place in found if place is not None), default=None)


def find(text: str, needle: str, start: int = 0) -> int | None:
    """The first place from `start` on where a text holds `needle`, whatever its case."""
    for at in range(start, len(text), _PIECE):
        piece = text[at : at + _PIECE + len(needle) - 1]
        if needle.isascii() and piece.isascii():
            place = piece.lower().find(needle.lower())
            if place >= 0:
                return at + place
        elif match := _caseless(needle).search(piece):
            return at + match.start()
    return None


def find_back(text: str, needle: str, end: int) -> int | None:
    """The last place before `end` where a text holds `needle`, whatever its case; it may go on beyond."""
    while end > 0:
        at = max(0, end - _PIECE)
        piece = text[at : end + len(needle) - 1]
        if needle.isascii() and piece.isascii():
            place = piece.lower().rfind(needle.lower())
        else:
            place = max((match.start() for match in _caseless(needle).finditer(piece)), default=-1)
        if place >= 0:
            return at + place
        end = at
    return None


def _caseless(needle: str) -> re.Pattern[str]:
    return re.compile(re.escape(needle), re.IGNORECASE)
