"""From a recorded truth to the check that it names."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal, InvalidOperation
from functools import lru_cache

from msgspec import Raw
from msgspec.structs import replace

from agent_tui.answers.combine import All, AnyOf, Broken, Not, Nothing
from agent_tui.answers.json_check import JsonCheck
from agent_tui.answers.listing import ORDERS, ListCheck
from agent_tui.answers.locales import decimal_sign_of
from agent_tui.answers.number import WHICH, NumberCheck, number_check
from agent_tui.answers.numbers import find_numbers
from agent_tui.answers.outcome import Check
from agent_tui.answers.pattern import Regex
from agent_tui.answers.refusal import Refusal
from agent_tui.answers.text import normalized, plain_spelling
from agent_tui.answers.tokens import tokenize
from agent_tui.answers.whole import Blank, Exact, Normalized
from agent_tui.answers.words import Words, contains, words
from agent_tui.runs.json_values import JsonValue, canonical_of, parse

_CACHED_CHECKS = 4096
_CACHED_BYTES = 4096
_DEEPEST = 32
_ALLOW_EMPTY = "allow_empty"
_NUMBER_KEYS = ("value", "abs", "rel", "which", "percent", "locale")


class BadCheck(ValueError):
    """A truth that names no check, or says something that a check does not understand."""


def parse_check(truth: Raw | bytes | str) -> Check:
    """The check that a truth names, given as JSON text. Never raises: what means nothing is a `Broken` check."""
    text = truth.encode("utf-8", "surrogatepass") if isinstance(truth, str) else bytes(truth)
    return _parse_cached(text) if len(text) <= _CACHED_BYTES else _parse(text)


def _parse(text: bytes) -> Check:
    try:
        return _truth(parse(text), 0)
    except BadCheck as error:
        return Broken("check", str(error))
    except (ValueError, RecursionError) as error:
        return Broken("check", f"the recorded truth is not JSON: {error}")


_parse_cached = lru_cache(maxsize=_CACHED_CHECKS)(_parse)


def _truth(value: JsonValue, depth: int) -> Check:
    """The check of a truth in any of its forms."""
    if depth > _DEEPEST:
        raise BadCheck(f"checks nested deeper than {_DEEPEST}")
    if value is None or value == "" or value == {} or value == []:
        return Nothing("words" if value == "" else "check", "no truth is recorded")
    if isinstance(value, bool):
        raise BadCheck(f"a truth of {str(value).lower()} names no check: {_known()}")
    if isinstance(value, str):
        return _words("words", value, depth)
    if isinstance(value, list):
        return _one_of("one_of", value, depth)
    if isinstance(value, dict):
        return _named(value, depth)
    return _number("number", value, depth)


def _named(fields: dict[str, JsonValue], depth: int) -> Check:
    """The check of an object: all the checks that it names hold."""
    names = [name for name in fields if name != _ALLOW_EMPTY]
    unknown = [name for name in names if name not in _BUILDERS]
    if unknown:
        raise BadCheck(f"unknown check {unknown[0]!r}: {_known()}")
    if not names:
        raise BadCheck(f"the truth names no check: {_known()}")
    allow_empty = fields.get(_ALLOW_EMPTY, False)
    if not isinstance(allow_empty, bool):
        raise BadCheck(f"{_ALLOW_EMPTY} is true or false")
    checks = tuple(_build(name, fields[name], allow_empty, depth) for name in names)
    return checks[0] if len(checks) == 1 else All(checks)


def _build(name: str, value: JsonValue, allow_empty: bool, depth: int) -> Check:
    if value is None and name != "json":
        return Nothing(name, "no truth is recorded")
    if isinstance(value, str) and not value.strip() and name != "json":
        return Blank(name) if allow_empty else Nothing(name, "the recorded truth is empty")
    try:
        check = _BUILDERS[name](name, value, depth)
    except BadCheck as error:
        return Broken(name, str(error))
    return _taking_blank(check) if allow_empty else check


def _taking_blank(check: Check) -> Check:
    if isinstance(check, Regex):
        return Regex(check.pattern, takes_blank=True)
    if isinstance(check, Words | Exact | Normalized | NumberCheck | Refusal | JsonCheck | ListCheck):
        return replace(check, takes_blank=True)
    return check


def _known() -> str:
    return f"there are {', '.join(CHECKS)}"


def _text(name: str, value: JsonValue) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        raise BadCheck(f"{name} takes text")
    return canonical_of(value).decode()


def _words(name: str, value: JsonValue, depth: int) -> Check:
    text = _text(name, value)
    if not text.strip():
        return Nothing(name, "the recorded truth is empty")
    check = contains(text) if name == "contains" else words(text)
    return check or Broken(name, f"the truth {text!r} holds no word and no number; `exact` compares characters")


def _exact(name: str, value: JsonValue, depth: int) -> Check:
    return Exact(_text(name, value))


def _normalized(name: str, value: JsonValue, depth: int) -> Check:
    text = _text(name, value)
    wanted = normalized(text)
    if not wanted:
        raise BadCheck(f"nothing of the truth {text!r} is left once it is normalised")
    return Normalized(text, wanted)


def _number(name: str, value: JsonValue, depth: int) -> Check:
    options: Mapping[str, JsonValue] = value if isinstance(value, dict) else {"value": value}
    unknown = [key for key in options if key not in _NUMBER_KEYS]
    if unknown:
        raise BadCheck(f"number does not know {unknown[0]!r}: there are {', '.join(_NUMBER_KEYS)}")
    if options.get("value") is None:
        return Nothing(name, "no value is recorded")
    which, percent, locale = options.get("which", "only"), options.get("percent"), options.get("locale")
    if which not in WHICH:
        raise BadCheck(f"which is one of {', '.join(WHICH)}")
    if percent not in (None, "as_number"):
        raise BadCheck('percent is "as_number" or absent')
    return number_check(
        _decimal(options["value"]),
        absolute=_tolerance("abs", options.get("abs")),
        relative=_tolerance("rel", options.get("rel")),
        which=str(which),
        percent_as_number=percent is not None,
        decimal_sign=None if locale is None else _decimal_sign(locale),
    )


def _decimal(value: JsonValue) -> Decimal:
    if isinstance(value, str):
        text = plain_spelling(value).strip()
        numbers = list(find_numbers(text))
        if len(numbers) == 1 and numbers[0].text == text and numbers[0].other is None and not numbers[0].percent:
            return numbers[0].value
        raise BadCheck(f"number takes a number, not {value!r}")
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        raise BadCheck("number takes a number as its value")
    return Decimal(repr(value)) if isinstance(value, float) else Decimal(value)


def _tolerance(key: str, value: JsonValue) -> Decimal:
    if value is None:
        return Decimal(0)
    try:
        tolerance = _decimal(value)
    except (BadCheck, InvalidOperation):
        tolerance = Decimal(-1)
    if tolerance < 0:
        raise BadCheck(f"{key} is a number, 0 or more")
    return tolerance


def _decimal_sign(locale: JsonValue) -> str:
    sign = decimal_sign_of(locale) if isinstance(locale, str) else None
    if sign is None:
        raise BadCheck(f"locale {locale!r} is not known: a language such as en or de, or de-CH")
    return sign


def _regex(name: str, value: JsonValue, depth: int) -> Check:
    if not isinstance(value, str):
        raise BadCheck("regex takes a pattern as text")
    return Regex(value)


def _refusal(name: str, value: JsonValue, depth: int) -> Check:
    if not isinstance(value, bool):
        raise BadCheck("refusal is true or false")
    return Refusal(value)


def _json(name: str, value: JsonValue, depth: int) -> Check:
    return JsonCheck(canonical_of(value))


def _list(name: str, value: JsonValue, depth: int) -> Check:
    options: Mapping[str, JsonValue] = value if isinstance(value, dict) else {"items": value}
    items, order = options.get("items"), options.get("order", "ordered")
    if not isinstance(items, list) or set(options) - {"items", "order"}:
        raise BadCheck('list takes items, or {"items": [..], "order": "ordered" | "set" | "multiset"}')
    if order not in ORDERS:
        raise BadCheck(f"order is one of {', '.join(ORDERS)}")
    if not items:
        return Nothing(name, "no items are recorded")
    return ListCheck(tuple(tuple(tokenize(_text("an item of list", item))) for item in items), str(order))


def _one_of(name: str, value: JsonValue, depth: int) -> Check:
    return AnyOf(_parts(name, value, depth), name)


def _all(name: str, value: JsonValue, depth: int) -> Check:
    return All(_parts(name, value, depth), name)


def _not(name: str, value: JsonValue, depth: int) -> Check:
    return Not(_part(value, depth + 1))


def _parts(name: str, value: JsonValue, depth: int) -> tuple[Check, ...]:
    if not isinstance(value, list):
        raise BadCheck(f"{name} takes a list of truths")
    return tuple(_part(item, depth + 1) for item in value) or (Nothing(name, "no truth is recorded"),)


def _part(value: JsonValue, depth: int) -> Check:
    try:
        return _truth(value, depth)
    except BadCheck as error:
        return Broken("check", str(error))


_Builder = Callable[[str, JsonValue, int], Check]
_BUILDERS: dict[str, _Builder] = {
    "words": _words,
    "contains": _words,
    "exact": _exact,
    "normalized": _normalized,
    "number": _number,
    "regex": _regex,
    "one_of": _one_of,
    "list": _list,
    "json": _json,
    "refusal": _refusal,
    "all": _all,
    "any": _one_of,
    "not": _not,
}
CHECKS: tuple[str, ...] = tuple(_BUILDERS)
"""Names of the checks that a truth may use."""
