"""Words and numbers of a text, and which of them are denied."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from functools import cache
from typing import TypeAlias

from agent_tui.answers.numbers import (
    CURRENCY_SIGNS,
    NUMBER,
    VERSION,
    VERSIONED,
    WIDE,
    Number,
    is_version,
    part_codes,
    read_number,
)
from agent_tui.answers.text import fold

Token: TypeAlias = str | Decimal | Number
"""A word, a currency sign or a percentage (`60%`) is text; a number is a Decimal; one of two meanings is a Number."""

# Marks that Python does not count to \w though they belong to a word: accents left by NFC, vowel signs of Indic, Thai,
# Arabic and Hebrew letters.
_MARKS = (
    "\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u0610-\u061a\u064b-\u065f\u0670"
    "\u06d6-\u06dc\u06df-\u06e4\u0900-\u0963\u0970-\u0dff\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1-\u0ebc\u0f71-\u0f84"
    "\u102b-\u103e\u17b4-\u17d3"
)
_ASCII_TOKEN = re.compile(rf"[a-z_][a-z0-9_']*|{NUMBER}|\$|{VERSION}|[0-9][a-z0-9_']*", re.ASCII)
_goes_on = re.compile(r"(?<=[^\W0-9])[0-9]+\.[0-9]").search
"""Where a word may go on after a point (`v1.0.1`), which few texts hold and which takes longer to look for."""
_DIGITS = frozenset("0123456789")
_NUMBER_START = frozenset("0123456789+-.")

_NEGATIONS = frozenset({"not", "no", "never", "cannot"})
_SKIPPED = frozenset({"a", "an", "the", "exactly", "about", *CURRENCY_SIGNS})
_PAIRS = {"than": "rather", "of": "instead"}
GUARD_WORDS = _NEGATIONS | _SKIPPED | _PAIRS.keys()
"""Plain words that have a part in the negation guard (words in n't beside)."""


def tokenize(text: str, *, folded: bool = False) -> list[Token]:
    """The tokens of a text by the rules of the checks `words` and `contains`."""
    text = part_codes(text if folded else fold(text))
    pattern = _ASCII_TOKEN if text.isascii() and not _goes_on(text) else _any_token()
    tokens: list[Token] = []
    for found in pattern.findall(text):
        if found[0] in _NUMBER_START:
            tokens.append(_number_token(found))
        elif word := found.rstrip("'"):
            tokens.append(Decimal(word) if word.isascii() and word.isdigit() else word)
        if "." in found and isinstance(tokens[-1], str):
            tokens[-1] = _without_v(tokens[-1])
    return tokens


def _without_v(word: str) -> str:
    """A word; `v1.0.1` is the version `1.0.1`."""
    return word[1:] if word[0] == "v" and word[1:2].isdigit() and word.count(".") > 1 else word


@cache
def _any_token() -> re.Pattern[str]:
    """The pattern of a token of any text, made where it is first needed: it is long."""
    return re.compile(
        rf"[^\W0-9][\w'{_MARKS}]*{VERSIONED}|{NUMBER}|[{CURRENCY_SIGNS}]|{VERSION}|[\w{_MARKS}][\w'{_MARKS}]*"
    )


def _number_token(text: str) -> Token:
    if text[-1] not in _DIGITS and text[-1] != "%":
        return text.rstrip("'")
    if not text.isdigit() and (is_version(text) or any(char.isalpha() or char == "_" for char in text)):
        return text
    number = read_number(text)
    if number.percent:
        return f"{number.value.normalize(WIDE)}%"
    return number.value if number.other is None else number


def is_currency(token: Token) -> bool:
    """Whether a token is a currency sign."""
    return isinstance(token, str) and token in CURRENCY_SIGNS


def meets(wanted: Token, found: Token) -> bool | None:
    """Whether two tokens are the same word or value; None where one spelling allows two values and it matters."""
    if wanted == found:
        return True
    if isinstance(wanted, str) or isinstance(found, str):
        return False
    left, right = _values(wanted), _values(found)
    if left == right:
        return True
    return None if left & right else False


def _values(token: Decimal | Number) -> set[Decimal]:
    if isinstance(token, Decimal):
        return {token}
    return {token.value} if token.other is None else {token.value, token.other}


def is_negated(tokens: Sequence[Token], at: int) -> bool:
    """Whether the token before `at` denies it: not, no, never, …n't, rather than, instead of."""
    before = at - 1
    while before >= 0 and tokens[before] in _SKIPPED:
        before -= 1
    if before < 0:
        return False
    return negates(tokens, before)


def negates(tokens: Sequence[Token], at: int) -> bool:
    """Whether the token at `at` is a negation, or ends one of two words."""
    token = tokens[at]
    if not isinstance(token, str):
        return False
    if token in _NEGATIONS or token.endswith("n't"):
        return True
    first = _PAIRS.get(token)
    return first is not None and at > 0 and tokens[at - 1] == first


def holds_negation(tokens: Sequence[Token]) -> bool:
    """Whether a truth itself denies something, which switches the negation guard off for it."""
    for at, token in enumerate(tokens):  # noqa: SIM110 - a loop takes a third of the time of any()
        if isinstance(token, str) and negates(tokens, at):
            return True
    return False


def spell_token(token: Token) -> str:
    """A token as it may stand in a sentence."""
    return token.text if isinstance(token, Number) else str(token)
