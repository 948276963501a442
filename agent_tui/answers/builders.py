"""Checks that stand alone, made from the value that a truth gives them.

Every builder takes the name of the check and its JSON value, and raises `BadCheck` where the value means nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal, InvalidOperation

from agent_tui.answers.combine import Nothing
from agent_tui.answers.json_check import JsonCheck
from agent_tui.answers.listing import ORDERS, ListCheck
from agent_tui.answers.locales import decimal_sign_of
from agent_tui.answers.number import WHICH, number_check
from agent_tui.answers.numbers import find_numbers
from agent_tui.answers.outcome import Check
from agent_tui.answers.pattern import regex_check
from agent_tui.answers.refusal import Refusal
from agent_tui.answers.text import normalized, plain_spelling
from agent_tui.answers.tokens import tokenize
from agent_tui.answers.whole import Exact, Normalized
from agent_tui.answers.words import contains, words
from agent_tui.runs.json_values import JsonValue, canonical_of

_NUMBER_KEYS = ("value", "abs", "rel", "which", "percent", "locale")


class BadCheck(ValueError):
    """A truth that names no check, or says something that a check does not understand."""


def _text(name: str, value: JsonValue) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        raise BadCheck(f"{name} takes text")
    return canonical_of(value).decode()


def _words_check(name: str, value: JsonValue) -> Check:
    text = _text(name, value)
    check = contains(text) if name == "contains" else words(text)
    if check is None:
        raise BadCheck(f"the truth {text!r} holds no word and no number; `exact` compares characters")
    return check


def _exact_check(name: str, value: JsonValue) -> Check:
    return Exact(_text(name, value))


def _normalized_check(name: str, value: JsonValue) -> Check:
    text = _text(name, value)
    wanted = normalized(text)
    if not wanted:
        raise BadCheck(f"nothing of the truth {text!r} is left once it is normalised")
    return Normalized(text, wanted)


def _number_check(name: str, value: JsonValue) -> Check:
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


def _regex_check(name: str, value: JsonValue) -> Check:
    if not isinstance(value, str):
        raise BadCheck("regex takes a pattern as text")
    try:
        return regex_check(value)
    except ValueError as error:
        raise BadCheck(str(error)) from error


def _refusal_check(name: str, value: JsonValue) -> Check:
    if not isinstance(value, bool):
        raise BadCheck("refusal is true or false")
    return Refusal(value)


def _json_check(name: str, value: JsonValue) -> Check:
    return JsonCheck(canonical_of(value))


def _list_check(name: str, value: JsonValue) -> Check:
    options: Mapping[str, JsonValue] = value if isinstance(value, dict) else {"items": value}
    items, order = options.get("items"), options.get("order", "ordered")
    if not isinstance(items, list) or set(options) - {"items", "order"}:
        raise BadCheck('list takes items, or {"items": [..], "order": "ordered" | "set" | "multiset"}')
    if order not in ORDERS:
        raise BadCheck(f"order is one of {', '.join(ORDERS)}")
    if not items:
        return Nothing(name, "no items are recorded")
    return ListCheck(tuple(tuple(tokenize(_text("an item of list", item))) for item in items), str(order))


BUILDERS: dict[str, Callable[[str, JsonValue], Check]] = {
    "words": _words_check,
    "contains": _words_check,
    "exact": _exact_check,
    "normalized": _normalized_check,
    "number": _number_check,
    "regex": _regex_check,
    "list": _list_check,
    "json": _json_check,
    "refusal": _refusal_check,
}
