"""What is searched for, in its spellings: as it is read on the screen, and as it stands in the data."""

from __future__ import annotations

import re

_RAW = {0x2400 + code: code for code in range(0x20)} | {0x2421: 0x7F}
"""Controls by the marks that stand for them on the screen."""


def as_recorded(needle: str) -> str:
    """`needle` with the marks of controls (`␛`) turned into what they stand for."""
    return needle.translate(_RAW)


def place_of(text: str, needle: str) -> int | None:
    """Where `needle` is in a text, in either spelling, whatever its case."""
    if not needle:
        return None
    spellings = {needle, as_recorded(needle)}
    found = re.search("|".join(map(re.escape, spellings)), text, re.IGNORECASE)
    return found.start() if found else None
