"""JSON texts as values that strict JSON can hold: what is no number becomes null, with a note of what it was."""

from __future__ import annotations

import json
import math
from typing import Any

_WORDS = {"NaN": "NaN", "Infinity": "inf", "-Infinity": "-inf"}


class _NotUsable(str):
    """A number that strict JSON cannot hold, as a word."""

    __slots__ = ()


def strict_value(text: bytes) -> Any:
    """The value of a JSON text; NaN, the infinities and numbers out of range are null."""
    return _without_unusable(_loads(text), "", {})


def strict_record(record: bytes) -> dict[str, Any]:
    """A record as a value; `not_usable` says, by path, what stood where null now stands."""
    words: dict[str, str] = {}
    value = _without_unusable(_loads(record), "", words)
    assert isinstance(value, dict)
    return value | {"not_usable": words} if words else value


def _loads(text: bytes) -> Any:
    try:
        source = text.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        source = text.decode("utf-8", "surrogateescape")  # a byte that is no UTF-8 is spelt as an escape
    return json.loads(
        source, parse_constant=lambda word: _NotUsable(_WORDS[word]), parse_float=_number, parse_int=_integer
    )


def _number(literal: str) -> float | _NotUsable:
    value = float(literal)
    return value if math.isfinite(value) else _NotUsable(literal)


def _integer(literal: str) -> int | _NotUsable:
    try:
        return int(literal)
    except ValueError:  # more digits than Python converts
        return _NotUsable(literal)


def _without_unusable(value: Any, path: str, words: dict[str, str]) -> Any:
    if isinstance(value, _NotUsable):
        words[path] = str(value)
        return None
    if isinstance(value, dict):
        start = f"{path}." if path else ""
        return {key: _without_unusable(inner, f"{start}{key}", words) for key, inner in value.items()}
    if isinstance(value, list):
        return [_without_unusable(inner, f"{path}[{index}]", words) for index, inner in enumerate(value)]
    return value
