"""Filter expressions and orders over the rows of a bundle.

    quality < 0.6 and not exact = pass
    cause = wrong_args or (calls >= 4 and status = done)
    quality = n/a               id ~ refund          weak          "odd name" > 3

A comparison is a field, one of = != < <= > >= ~ (contains, in any case) and a value: a number, a word, or a text in
quotes. A field alone holds where it is known and not 0, no or empty; a word that is no field is sought in id and task.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable
from typing import TypeAlias

from msgspec import Struct

from agent_tui.bundles.bundle import Bundle
from agent_tui.bundles.fields import NOT_AVAILABLE, UNSCORED, Field, Value, field, field_names, names_of_two
from agent_tui.errors import BadExpression, UnknownName
from agent_tui.scoring.table import NOT_FINITE

Predicate: TypeAlias = Callable[[int], bool]

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
_ORDERS: dict[str, Callable[[float, float], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_REASONS = frozenset({"null", "absent", "not a number", *NOT_FINITE})
"""What a recorded score says of itself where it is no number."""
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


def parse_filter(bundle: Bundle, expression: str, measure: str) -> Predicate:
    """Which rows a filter keeps; `measure` is what `verdict` and `gap` mean.

    Raises `BadExpression` where it does not parse.
    """
    parser = _Parser(bundle, _tokens(expression), measure)
    predicate = parser.either()
    if parser.rest:
        raise BadExpression(f"filter: {parser.rest[0].text!r} was not expected here; join with and, or")
    return predicate


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

    def either(self) -> Predicate:
        parts = [self.both()]
        while self._next_is("or"):
            self.rest.pop(0)
            parts.append(self.both())
        return parts[0] if len(parts) == 1 else lambda row: any(part(row) for part in parts)

    def both(self) -> Predicate:
        parts = [self.one()]
        while self._next_is("and"):
            self.rest.pop(0)
            parts.append(self.one())
        return parts[0] if len(parts) == 1 else lambda row: all(part(row) for part in parts)

    def one(self) -> Predicate:
        if self._next_is("not"):
            self.rest.pop(0)
            inner = self.one()
            return lambda row: not inner(row)
        if self._next_is("("):
            self.rest.pop(0)
            inside = self.either()
            if self._take("a closing bracket").text != ")":
                raise BadExpression("filter: a closing bracket is missing")
            return inside
        return self.comparison()

    def comparison(self) -> Predicate:
        name = self._take("a field")
        if name.kind == "op":
            raise BadExpression(f"filter: a field was expected before {name.text!r}")
        if self._next_is(*_COMPARISONS):
            op = self.rest.pop(0).text
            value = self._take("a value")
            if value.kind == "op":
                raise BadExpression(f"filter: a value was expected after {op!r}, not {value.text!r}")
            return _compare(self._field(name.text), op, value.text)
        try:
            alone = self._field(name.text)
        except BadExpression:
            return self._looks_like(name.text)
        return lambda row: alone(row) not in (None, 0, "", "no")

    def _field(self, name: str) -> Field:
        try:
            return field(self._bundle, name, self._measure)
        except UnknownName as error:
            raise BadExpression(f"filter: {error}") from error

    def _looks_like(self, word: str) -> Predicate:
        named, asked = field(self._bundle, "id", ""), field(self._bundle, "task", "")
        sought = word.casefold()
        return lambda row: sought in f"{named(row)}\n{asked(row)}".casefold()


def _compare(values: Field, op: str, wanted: str) -> Predicate:
    if op == "~":
        sought = wanted.casefold()
        return lambda row: sought in str(_shown(values(row))).casefold()
    try:
        number: float | None = float(wanted)
    except ValueError:
        number = None
    if op in ("=", "==", "!="):
        return lambda row: _equal(values(row), wanted, number) is (op != "!=")
    if number is None:
        raise BadExpression(f"filter: {op} needs a number, not {wanted!r}")
    bound = number
    compare = _ORDERS[op]
    return lambda row: isinstance(value := values(row), float | int) and compare(value, bound)


def _shown(value: Value) -> str:
    return "" if value is None else str(value)


def _equal(value: Value, wanted: str, number: float | None) -> bool:
    if isinstance(value, float | int):
        return number is not None and value == number
    if wanted.casefold() in (UNSCORED, NOT_AVAILABLE) and (value is None or value in _REASONS):
        return True
    return _shown(value).casefold() == wanted.casefold()


def sorted_rows(bundle: Bundle, rows: Iterable[int], name: str, measure: str, *, descending: bool = False) -> list[int]:
    """`rows` by a field; what is not known, or is no number among numbers, comes last in both directions.

    Raises `UnknownName` for a field that does not exist.
    """
    values = field(bundle, name, measure)
    keyed = [(values(row), row) for row in rows]
    if any(isinstance(value, float | int) for value, _ in keyed):
        known = [(float(value), row) for value, row in keyed if isinstance(value, float | int)]
        ordered = [row for _, row in sorted(known, key=lambda pair: pair[0], reverse=descending)]
        unknown = [row for value, row in keyed if not isinstance(value, float | int)]
    else:
        texts = [(str(value), row) for value, row in keyed if value is not None]
        ordered = [row for _, row in sorted(texts, key=lambda pair: pair[0], reverse=descending)]
        unknown = [row for value, row in keyed if value is None]
    return ordered + unknown


__all__ = ["READY_FILTERS", "field_names", "parse_filter", "sorted_rows", "two_meanings"]
