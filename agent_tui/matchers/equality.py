"""Whether arguments are equal, at the least expense: by their bytes, else as Python values, else by canonical text.

Canonical text (`runs.canonical_args`) is the definition. Most questions are answered before it comes to that: texts
are read together into Python values without rounding any number, so equal JSON is equal in Python, and the converse
fails for booleans only (True equals 1). What makes no such values (JSON text in a string, text that is no JSON, a
number out of range, a lone surrogate) is left to canonical text. Tests hold the two together over many spellings.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal
from functools import lru_cache
from itertools import combinations
from typing import Any, TypeAlias

import msgspec
from msgspec import Raw

from agent_tui.runs import canonical_args
from agent_tui.runs.json_values import args_value, args_values, canonical_of, json_equal

Text: TypeAlias = Raw | bytes

_exactly = lru_cache(maxsize=1024)(Decimal)  # no rounding: 2^53+1.0 is not 2^53
_decode = msgspec.json.Decoder(list[object], float_hook=_exactly).decode
_FEW = 8


def equal_args(one: Text, other: Text) -> bool:
    """Whether the arguments of two calls are equal."""
    return one == other or (not all_differ((one, other)) and canonical_args(one)[0] == canonical_args(other)[0])


def equal_pairwise(left: Sequence[Text], right: Sequence[Text]) -> bool:
    """Whether the arguments of two equally long lists of calls are equal, place by place."""
    return canonical_of(args_values(left)) == canonical_of(args_values(right))


def shared_arguments(expected: Text, actual: Text) -> tuple[int, int]:
    """How many argument keys have equal values, of how many on both sides; what is no object counts as one."""
    same: Callable[[Any, Any], bool] = _same_booleans
    values = _values((expected, actual))
    if values is None:
        values, same = [args_value(expected), args_value(actual)], json_equal
    one, other = values
    if not (isinstance(one, dict) and isinstance(other, dict)):
        return (1, 1) if one == other and same(one, other) else (0, 1)
    agreed, counted = 0, len(other)
    for key, value in one.items():
        if key not in other:
            counted += 1
        elif value == other[key] and (type(value) is str or same(value, other[key])):
            agreed += 1
    return agreed, counted


def differ_from(text: bytes, others: Sequence[bytes]) -> bool:
    """Whether arguments are proved to differ from each of others; False where one is equal or it takes more to tell.

    A text without a backslash spells each string in it as it stands: one that lacks a string of other arguments is not
    equal to them.
    """
    if text in others:
        return False
    start = _first_text(text)
    if start is not None:
        key, value = start.groups()
        if text.count(b'"%b"' % key) == 1 and b"\\u" not in text:  # no later value of this key counts instead
            others = [other for other in others if value in other or b"\\" in other]
            if not others:
                return True
    values = _values((text, *others)) if len(others) < _FEW else None
    return values[0] not in values[1:] if values is not None else all_differ((text, *others))


def all_differ(texts: Sequence[Text]) -> bool:
    """Whether arguments are proved to differ pairwise; False where two are equal or where it takes more to tell."""
    return all(_values_differ(alike) for alike in _alike_at_the_start(texts))


def _values_differ(texts: Sequence[Text]) -> bool:
    values = _values(texts) if len(texts) <= _FEW else None  # of more it is quicker to compare canonical texts
    return values is not None and not any(one == other for one, other in combinations(values, 2))


def _values(texts: Sequence[Text]) -> list[Any] | None:
    """Arguments as Python values for comparing, read in one pass; None: they need another look."""
    try:
        values = _decode(b"[" + b",".join(texts) + b"]")
    except (ValueError, ArithmeticError, RecursionError):
        return None
    if len(values) != len(texts) or str in map(type, values):
        return None  # JSON text in a string may be another spelling of an object
    return values


def _same_booleans(one: Any, other: Any) -> bool:
    """Whether of two values that Python calls equal no boolean stands where the other has a number."""
    if isinstance(one, dict) and isinstance(other, dict):
        return all(_same_booleans(value, other[key]) for key, value in one.items())
    if isinstance(one, list) and isinstance(other, list):
        return all(map(_same_booleans, one, other))
    return isinstance(one, bool) == isinstance(other, bool)


_first_value = re.compile(rb'\{"(\w+)": ?("[^"\\]*"|[1-9][0-9]*(?=[,}]))').match
"""The first key of an object and its value, where that is a text without escapes or a plain whole number."""
_first_text = re.compile(rb'\{"(\w+)": ?("[^"\\]*")').match


def _alike_at_the_start(texts: Sequence[Text]) -> Iterable[Sequence[Text]]:
    """Those of some arguments that may be equal: all, or those with one value at the start, apart from the others.

    Values of one key have one spelling there, so their bytes decide, where that key cannot stand in any text again: as
    it stands, or with escapes of the form \\u. The last of two would count.
    """
    keys: set[bytes] = set()
    by_value: dict[bytes, list[Text]] = {}
    for text in texts:
        start = _first_value(text)
        if start is None:
            return (texts,)
        key, value = start.groups()
        keys.add(key)
        by_value.setdefault(value, []).append(text)
    joined = b"".join(texts)
    if len(keys) > 1 or b"\\u" in joined or joined.count(b'"%b"' % keys.pop()) != len(texts):
        return (texts,)
    return [alike for alike in by_value.values() if len(alike) > 1]
