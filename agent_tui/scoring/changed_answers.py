"""Answers made wrong: another number, or the opposite of what was said."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from random import Random

from msgspec import Raw

from agent_tui.answers.numbers import Number, find_numbers, part_codes
from agent_tui.answers.text import plain_spelling
from agent_tui.answers.tokens import GUARD_WORDS, Token, holds_negation, is_currency, tokenize
from agent_tui.runs import JsonValue, parse
from agent_tui.runs.json_values import canonical_of

DENIAL = "not "
DENYING_PREFIX = "It is not true that: "

_NOT_STATED = frozenset({"not", "refusal", "regex", "json", "allow_empty"})
"""Checks whose value is no text that an answer states."""


def numbers_of(answer: str) -> list[tuple[int, Number]]:
    """The numbers of an answer as the checks read them, each with where it starts in the answer."""
    plain = plain_spelling(answer)
    parted = part_codes(plain)
    origins = range(len(plain) + 1) if parted == plain else _origins(plain, parted)
    return [(origins[number.start], number) for number in find_numbers(parted)]


def _origins(plain: str, parted: str) -> Sequence[int]:
    """Where each character of `parted` stands in `plain`, which lacks some of its spaces."""
    origins, at = [], 0
    for character in parted:
        origins.append(at)
        at += at < len(plain) and plain[at] == character
    return origins


def with_other_number(answer: str, at: int, draw: Random) -> str:
    """The answer with another first digit (that is not 0) in the number that starts at `at`."""
    digits = re.compile("[1-9]").search(plain_spelling(answer), at)
    number = next(number for start, number in numbers_of(answer) if start == at)
    if digits is None or not any(digit in number.text for digit in "123456789"):
        digits = re.compile("[0-9]").search(plain_spelling(answer), at)
    assert digits is not None
    other = draw.choice([digit for digit in "123456789" if digit != digits[0]])
    return answer[: digits.start()] + other + answer[digits.end() :]


def denied(answer: str, truth: Raw) -> str:
    """The answer with `not` before what it says of the truth; where it says nothing of it, denied as a whole."""
    places = {at for text in _stated(parse(truth)) for at in _stated_at(text, answer)}
    if not places:
        return DENYING_PREFIX + answer
    for at in sorted(places, reverse=True):
        answer = answer[:at] + DENIAL + answer[at:]
    return answer


def _stated(truth: JsonValue) -> Iterator[str]:
    """The texts that a right answer states, by the recorded truth."""
    if isinstance(truth, str):
        yield truth
    elif isinstance(truth, list):
        for item in truth:
            yield from _stated(item)
    elif isinstance(truth, dict):
        for name, value in truth.items():
            if name in ("number", "list") and isinstance(value, dict):
                yield from _stated(value.get("value" if name == "number" else "items"))
            elif name not in _NOT_STATED:
                yield from _stated(value)
    elif truth is not None and not isinstance(truth, bool):
        yield canonical_of(truth).decode()


def _stated_at(text: str, answer: str) -> list[int]:
    """Where the first telling word or number of a text stands in the answer; a text that denies tells nothing."""
    tokens = tokenize(text)
    if holds_negation(tokens):
        return []
    telling = (token for token in tokens if not is_currency(token) and token not in GUARD_WORDS)
    found = (list(_places(token, answer)) for token in telling)
    return next((places for places in found if places), [])


def _places(token: Token, answer: str) -> Iterator[int]:
    plain = plain_spelling(answer)
    if isinstance(token, str):
        word = re.compile(rf"(?<!\w){re.escape(token)}(?!\w)", re.IGNORECASE)
        yield from (_before_marks(plain, found.start()) for found in word.finditer(plain))
        return
    wanted = _values(token)
    yield from (_before_marks(plain, at) for at, number in numbers_of(answer) if wanted & _values(number))


def _values(token: Decimal | Number) -> set[Decimal]:
    if isinstance(token, Decimal):
        return {token}
    return {token.value} if token.other is None else {token.value, token.other}


def _before_marks(text: str, at: int) -> int:
    """`at`, or before the signs that stand right before it (`$`, a quote, a bracket, an emphasis)."""
    start = at
    while start and not text[start - 1].isspace() and not text[start - 1].isalnum():
        start -= 1
    return start if start == 0 or text[start - 1].isspace() else at
