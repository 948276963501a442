"""Equality of JSON values, by canonical text.

Two values are equal when their canonical texts are the same bytes. Numbers compare by value without rounding
(1 = 1.0 = 1e0, 2^53 is not 2^53+1, a literal with more than 15 significant digits compares as a decimal), booleans are
not numbers, null is not absent, strings compare by code point, key order is free and list order is kept. The last of
two equal keys of one object wins.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, InvalidOperation
from functools import lru_cache
from typing import Any, TypeAlias

import msgspec

JsonValue: TypeAlias = bool | int | float | Decimal | str | list["JsonValue"] | dict[str, "JsonValue"] | None

_INTEGER_DIGITS = 4300
"""The longest integer literal that is read (Python's and msgspec's limit); longer ones are no JSON to us."""
_EXACT_DIGITS = 15
_EXACT_INTEGERS = 2**53
_TINY = 1e-300


_REMEMBERED = 1024
"""Numbers of arguments are few (1.0, 2.0, a price): a literal seen before is read in a third of the time."""


@lru_cache(maxsize=_REMEMBERED)
def _number(literal: str) -> int | float | Decimal:
    """The value of a JSON number that has a point or an exponent: one value, one type, whatever the spelling."""
    if len(literal) <= _EXACT_DIGITS + 1:
        value = float(literal)
        if _TINY < abs(value) < _EXACT_INTEGERS:
            return int(value) if value.is_integer() else value
    try:
        exact = Decimal(literal)
    except InvalidOperation as error:
        raise ValueError(f"{literal[:40]} is out of range") from error
    if exact.is_zero():
        return 0
    if exact.adjusted() < _INTEGER_DIGITS and exact == exact.to_integral_value():
        return int(exact)
    significant = exact.normalize(Context(prec=len(literal), Emax=MAX_EMAX, Emin=MIN_EMIN))
    if len(significant.as_tuple().digits) > _EXACT_DIGITS or not -300 < exact.adjusted() < 300:
        return significant
    return float(literal)


_decode = msgspec.json.Decoder(float_hook=_number).decode
_encode: Callable[[Any], bytes] = msgspec.json.Encoder(order="deterministic", decimal_format="number").encode


def parse(text: bytes | str | msgspec.Raw) -> JsonValue:
    """The value of a JSON text; numbers are int, float or, where a float would round, Decimal.

    Raises `ValueError` where the text is not JSON.
    """
    try:
        value: JsonValue = _decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        value = _parse_slowly(bytes(text) if isinstance(text, msgspec.Raw) else text, error)
    return value


def _parse_slowly(text: bytes | str, error: Exception) -> JsonValue:
    """The value where the fast decoder refuses: lone surrogates are the one thing it refuses and we accept."""
    import json  # here, since few values need it and every command starts with this module

    source = text.decode("utf-8", "surrogatepass") if isinstance(text, bytes) else text
    if "\\u" not in source:
        raise ValueError(str(error)) from error
    try:
        value: JsonValue = json.loads(source, parse_float=_number, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as second:
        raise ValueError(str(error)) from second
    return value


def _refuse_constant(word: str) -> Any:
    raise ValueError(f"{word} is not JSON")


def canonical_of(value: JsonValue) -> bytes:
    """The canonical text of a value."""
    try:
        return _encode(value)
    except (OverflowError, UnicodeEncodeError, msgspec.EncodeError):
        return _spell(value).encode("utf-8", "surrogatepass")


def _spell(value: JsonValue) -> str:
    """`canonical_of` for what the encoder refuses: integers past 64 bits, lone surrogates."""
    import json  # as in `_parse_slowly`

    if isinstance(value, dict):
        return "{" + ",".join(f"{json.dumps(key)}:{_spell(value[key])}" for key in sorted(value)) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(_spell, value)) + "]"
    if isinstance(value, Decimal):
        return str(value)
    return json.dumps(value)


def canonical(text: bytes | str | msgspec.Raw) -> bytes:
    """The canonical text of a JSON text. Raises `ValueError` where it is not JSON."""
    try:
        return _encode(_decode(text))
    except Exception:  # whatever the fast pair refuses is decided by the careful one, which raises ValueError
        return canonical_of(parse(text))


PLAIN, DECODED, UNPARSEABLE = 0, 1, 2
"""How arguments were recorded: as JSON, as JSON text inside a string, as text that is no JSON."""


def canonical_args(raw: bytes | msgspec.Raw) -> tuple[bytes, int]:
    """Canonical text of a call's arguments, and how they were recorded (PLAIN, DECODED, UNPARSEABLE).

    Arguments recorded as JSON text are read as the JSON in it; text that is not JSON stays a string, which equals the
    same text only. Bytes that are no JSON themselves stand for themselves.
    """
    try:
        value = _decode(raw)
        if type(value) is not str:
            return _encode(value), PLAIN
        return canonical(value), DECODED
    except Exception:  # as in `canonical`
        value, kind = read_args(raw)
    return canonical_of(value), kind


def read_args(raw: bytes | msgspec.Raw) -> tuple[JsonValue, int]:
    """Arguments as a value, and how they were recorded; never raises: what is no JSON is the text itself."""
    try:
        value = parse(raw)
    except ValueError:
        return bytes(raw).decode("utf-8", "surrogateescape"), UNPARSEABLE
    if not isinstance(value, str):
        return value, PLAIN
    try:
        return parse(value), DECODED
    except ValueError:
        return value, UNPARSEABLE


def args_value(raw: bytes | msgspec.Raw) -> JsonValue:
    """The arguments as a value: JSON text is read, text that is not JSON is the text itself."""
    return read_args(raw)[0]


def args_values(raws: Sequence[bytes | msgspec.Raw]) -> list[JsonValue]:
    """`args_value` of each, in one pass over all where none is a text."""
    try:
        values: list[JsonValue] = _decode(b"[" + b",".join(raws) + b"]")
    except Exception:  # as in `canonical`
        values = []
    if len(values) == len(raws) and str not in map(type, values):
        return values
    return [args_value(raw) for raw in raws]


def json_equal(left: JsonValue, right: JsonValue) -> bool:
    """Whether two values are the same JSON."""
    return canonical_of(left) == canonical_of(right)
