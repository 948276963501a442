"""Filter expressions and orders over the rows of a bundle.

    quality < 0.6 and not exact = pass
    cause = wrong_args or (calls >= 4 and status = done)
    quality = n/a               id ~ refund          weak          "odd name" > 3

A comparison is a field, one of = != < <= > >= ~ (contains, in any case) and a value: a number, a word, or a text in
quotes. A field alone holds where it is known and not 0, no or empty; a word that is no field is sought in id and task.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Collection, Sequence
from functools import partial
from typing import Any, TypeAlias

from msgspec import Struct

from agent_tui.bundles import masks
from agent_tui.bundles.bundle import Bundle
from agent_tui.bundles.fields import (
    NOT_AVAILABLE,
    UNSCORED,
    Counted,
    Field,
    Figure,
    Value,
    field,
    field_names,
    names_of_two,
)
from agent_tui.errors import BadExpression, UnknownName
from agent_tui.scoring.table import NOT_FINITE

Mask: TypeAlias = Callable[[], bytes]
"""Looks a part of a filter up in all rows."""

READY_FILTERS = {
    "failing": "verdict = fail",
    "passing": "verdict = pass",
    "errored": "verdict = error",
    "unscoreable answers": "output = unscoreable",
    "passes only weaker matchers": "gap",
    "weak paths": "weak",
    "right answer by a wrong way": "task_success = pass and exact = fail",
    "wrong answer by the right way": "task_success = fail and exact = pass",
    "with failed calls": "errors > 0",
    "not finished": "status != done and status != error",
    "with findings": "finding",
}
"""Filters by the name that people would give them."""

_TOKEN = re.compile(
    r"""\s*(?:(?P<op><=|>=|!=|==|=|<|>|~|\(|\))|"(?P<text>(?:[^"\\]|\\.)*)"|(?P<word>[^\s<>=!~()"]+))"""
)
_REASONS = frozenset({"null", "absent", "not a number", *NOT_FINITE})
"""What a recorded score says of itself where it is no number."""
_NO_NUMBER = (UNSCORED, NOT_AVAILABLE)
_NOT_KNOWN = _REASONS | {NOT_AVAILABLE, "unscoreable", "pending"}
_COMPARISONS = ("=", "==", "!=", "<", "<=", ">", ">=", "~")


class _Token(Struct, frozen=True):
    text: str
    kind: str


def _tokens(expression: str) -> list[_Token]:
    tokens, position = [], 0
    end = len(expression.rstrip())
    while position < end:
        found = _TOKEN.match(expression, position)
        if found is None:
            raise BadExpression(f"filter: {expression[position:].strip()!r} does not parse")
        kind = found.lastgroup or ""
        text = found[kind]
        tokens.append(_Token(re.sub(r"\\(.)", r"\1", text) if kind == "text" else text, kind))
        position = found.end()
    return tokens


def two_meanings(bundle: Bundle, expression: str) -> list[str]:
    """Fields in a filter that are a figure of ours and a recorded score too: `score.f1` is the recorded one."""
    try:
        words = {token.text for token in _tokens(expression) if token.kind != "op"}
    except BadExpression:
        return []
    return [name for name in names_of_two(bundle) if name in words]


def counts_errors(expression: str) -> bool:
    """Whether a filter asks how many calls failed, for which every run has to be read once."""
    try:
        return any(token.kind == "word" and token.text == "errors" for token in _tokens(expression))
    except BadExpression:
        return False


def parse_filter(bundle: Bundle, expression: str, measure: str) -> Mask:
    """What gives the rows that a filter keeps, as a mask; `measure` is what `verdict` and `gap` mean.

    Raises `BadExpression` where it does not parse.
    """
    parser = _Parser(bundle, _tokens(expression), measure)
    mask = parser.either()
    if parser.rest:
        raise BadExpression(f"filter: {parser.rest[0].text!r} was not expected here; join with and, or")
    return mask


def kept_rows(bundle: Bundle, expression: str, measure: str) -> array[int]:
    """The rows that a filter keeps, in order. Raises `BadExpression`."""
    return masks.rows_of(parse_filter(bundle, expression, measure)())


class _Parser:
    """Recursive descent: either > both > one."""

    def __init__(self, bundle: Bundle, tokens: list[_Token], measure: str) -> None:
        self.rest = tokens
        self._bundle = bundle
        self._measure = measure

    def _next_is(self, *words: str) -> bool:
        return bool(self.rest) and self.rest[0].kind != "text" and self.rest[0].text.lower() in words

    def _take(self, expected: str) -> _Token:
        if not self.rest:
            raise BadExpression(f"filter: it ends where {expected} was expected")
        return self.rest.pop(0)

    def either(self) -> Mask:
        mask = self.both()
        while self._next_is("or"):
            self.rest.pop(0)
            mask = partial(_joined, masks.either, mask, self.both())
        return mask

    def both(self) -> Mask:
        mask = self.one()
        while self._next_is("and"):
            self.rest.pop(0)
            mask = partial(_joined, masks.both, mask, self.one())
        return mask

    def one(self) -> Mask:
        if self._next_is("not"):
            self.rest.pop(0)
            inner = self.one()
            return lambda: masks.none_of(inner())
        if self._next_is("("):
            self.rest.pop(0)
            inside = self.either()
            if self._take("a closing bracket").text != ")":
                raise BadExpression("filter: a closing bracket is missing")
            return inside
        return self.comparison()

    def comparison(self) -> Mask:
        name = self._take("a field")
        if name.kind == "op":
            raise BadExpression(f"filter: a field was expected before {name.text!r}")
        if self._next_is(*_COMPARISONS):
            op = self.rest.pop(0).text
            value = self._take("a value")
            if value.kind == "op":
                raise BadExpression(f"filter: a value was expected after {op!r}, not {value.text!r}")
            return _compare(name.text, self._field(name.text), op, value.text)
        try:
            alone = self._field(name.text)
        except BadExpression:
            return self._looks_like(name.text)
        return partial(alone.mask, _Says(_NOT_KNOWN if alone.meanings is not None else frozenset()))

    def _field(self, name: str) -> Field:
        try:
            return field(self._bundle, name, self._measure)
        except UnknownName as error:
            raise BadExpression(f"filter: {error}") from error

    def _looks_like(self, word: str) -> Mask:
        sought = _Holds(word.casefold())
        named, asked = (field(self._bundle, name, "") for name in ("id", "task"))
        return partial(_joined, masks.either, partial(named.mask, sought), partial(asked.mask, sought))


def _joined(how: Callable[[bytes, bytes], bytes], left: Mask, right: Mask) -> bytes:
    return how(left(), right())


def _compare(name: str, values: Field, op: str, wanted: str) -> Mask:
    if op == "~":
        return partial(values.mask, _Holds(wanted.casefold()))
    try:
        number: float | None = float(wanted)
    except ValueError:
        number = None
    if op in ("=", "==", "!="):
        mask = partial(values.mask, _question(name, values, wanted, number))
        return mask if op != "!=" else lambda: masks.none_of(mask())
    if number is None:
        raise BadExpression(f"filter: {op} needs a number, not {wanted!r}")
    if not isinstance(values, Figure | Counted):
        raise BadExpression(f"filter: {name} is no number: {op} says nothing of it; there are =, != and ~")
    return partial(values.mask, _Stands(op, number))


def _question(name: str, values: Field, wanted: str, number: float | None) -> _Equals | _Among:
    """Whether a value is what is wanted. Raises `BadExpression` for a word that no value of the field can be."""
    meanings, word = values.meanings, wanted.casefold()
    if meanings is None or (number is not None and isinstance(values, Figure | Counted)):
        return _Equals(wanted, number)
    if word in meanings:
        return _Among(meanings[word])
    if word in _NO_NUMBER or not word:
        return _Equals(wanted, number)
    if not meanings:
        raise BadExpression(f"filter: {name} is a number, not {wanted!r}")
    raise BadExpression(f"filter: {UnknownName(f'value of {name}', wanted, meanings)}")


class _Says(Struct, frozen=True):
    """Whether a value is known, and not 0, no or empty."""

    unknown: frozenset[str]
    """Words that say that it is not known."""
    sought: str | None = None

    def holds(self, value: Value) -> bool:
        return value not in (None, 0, "", "no") and value not in self.unknown

    def hold(self, texts: Sequence[str | None]) -> list[bool]:
        return list(map(self.holds, texts))

    def numbers(self, column: Any) -> bytes:
        return masks.either(masks.by_number(column, "<", 0), masks.by_number(column, ">", 0))


class _Holds:
    """Whether a text stands in a value, in any case."""

    def __init__(self, sought: str) -> None:
        self.sought: str | None = sought

    def holds(self, value: Value) -> bool:
        return (self.sought or "") in str(_shown(value)).casefold()

    def hold(self, texts: Sequence[str | None]) -> list[bool]:
        sought = self.sought or ""
        return [sought in (text or "").casefold() for text in texts]

    def numbers(self, column: Any) -> None:
        return None


class _Equals:
    """Whether a value is a text in any case, or a number."""

    sought: str | None = None

    def __init__(self, wanted: str, number: float | None) -> None:
        self._wanted, self._number = wanted, number

    def holds(self, value: Value) -> bool:
        return _equal(value, self._wanted, self._number)

    def hold(self, texts: Sequence[str | None]) -> list[bool]:
        wanted = self._wanted.casefold()
        if wanted in _NO_NUMBER:
            return list(map(self.holds, texts))
        return [(text or "").casefold() == wanted for text in texts]

    def numbers(self, column: Any) -> bytes:
        return bytes(len(column)) if self._number is None else masks.by_number(column, "=", self._number)


class _Among(Struct, frozen=True):
    """Whether a value is one of a few texts."""

    wanted: Collection[str]
    sought: str | None = None

    def holds(self, value: Value) -> bool:
        return value in self.wanted

    def hold(self, texts: Sequence[str | None]) -> list[bool]:
        return [text in self.wanted for text in texts]

    def numbers(self, column: Any) -> bytes:
        return bytes(len(column))


class _Stands(Struct, frozen=True):
    """Whether a value is a number that stands to another one as an operator says."""

    op: str
    bound: float
    sought: str | None = None

    def holds(self, value: Value) -> bool:
        return isinstance(value, float | int) and masks.OPERATORS[self.op](value, self.bound)

    def hold(self, texts: Sequence[str | None]) -> list[bool]:
        return [False] * len(texts)

    def numbers(self, column: Any) -> bytes:
        return masks.by_number(column, self.op, self.bound)


def _shown(value: Value) -> str:
    return "" if value is None else str(value)


def _equal(value: Value, wanted: str, number: float | None) -> bool:
    if isinstance(value, float | int):
        return number is not None and value == number
    if wanted.casefold() in _NO_NUMBER and (value is None or value in _REASONS):
        return True
    return _shown(value).casefold() == wanted.casefold()


def sorted_rows(
    bundle: Bundle, rows: Sequence[int], name: str, measure: str, *, descending: bool = False
) -> array[int]:
    """`rows` by a field; what is not known, or is no number among numbers, comes last in both directions.

    Raises `UnknownName` for a field that does not exist.
    """
    return field(bundle, name, measure).order(rows, descending=descending)


__all__ = ["READY_FILTERS", "counts_errors", "field_names", "kept_rows", "parse_filter", "sorted_rows", "two_meanings"]
