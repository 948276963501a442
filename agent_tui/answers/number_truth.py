"""What a recorded truth says to the check `number`: value, tolerance, which number, percent, locale."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal, InvalidOperation

from agent_tui.answers.combine import Nothing
from agent_tui.answers.locales import decimal_sign_of
from agent_tui.answers.number import WHICH, number_check
from agent_tui.answers.numbers import find_numbers
from agent_tui.answers.outcome import Check
from agent_tui.answers.text import plain_spelling
from agent_tui.answers.truths import BadCheck
from agent_tui.runs.json_values import JsonValue

_NUMBER_KEYS = ("value", "abs", "rel", "which", "percent", "locale")


def build(name: str, value: JsonValue) -> Check:
    """The check of a truth. Raises `BadCheck`."""
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
