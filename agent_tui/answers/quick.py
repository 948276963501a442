"""A quick yes: what is looked for plainly stands in the text, and the word before it cannot deny it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent_tui.answers.tokens import GUARD_WORDS

LEFT_CONTEXT = 80
"""How many characters before an occurrence are looked at for a denial (a count)."""


def plain_pattern(words: Sequence[str]) -> re.Pattern[str]:
    """A pattern for words in a row that stand alone: after a letter and a space, before a space or the end.

    What it does not find may be there all the same (`**140**`, `240.00`).
    """
    literal = re.escape(" ".join(words))
    after = r"(?:\s[^\d%\s]|\Z)" if words[-1][-1].isdigit() else r"(?:\s|\Z)"
    return re.compile(rf"{literal}(?:(?<=[a-z] {literal})|(?<=\A{literal}))(?=[.,;:!?)]*{after})")


def plainly_undenied(text: str, start: int) -> bool:
    """Whether the word before `start` is a plain one that neither denies nor is skipped by the negation guard."""
    before = text[max(0, start - LEFT_CONTEXT) : start].split()
    if not before:
        return start == 0
    word = before[-1]
    return word.isascii() and word.isalpha() and word.lower() not in GUARD_WORDS
