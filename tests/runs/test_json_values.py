"""Equality of JSON values: by value, whatever the spelling."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_tui.runs.json_values import (
    DECODED,
    PLAIN,
    UNPARSEABLE,
    args_value,
    args_values,
    canonical,
    canonical_args,
    json_equal,
    parse,
)

EQUAL = [
    ("1", "1.0"),
    ("140", "1.4e2"),
    ("-0", "0.0"),
    ("0.10", "1e-1"),
    ("9007199254740993", "9007199254740993.0"),
    ("1" + "0" * 40, "1e40"),
    ("1" + "0" * 400, "1.0E+400"),
    ("18446744073709551616", "1.8446744073709551616e19"),
    ("0.30000000000000004", "30000000000000004e-17"),
    ("1e-400", "10e-401"),
    ('{"a": 1, "b": 2}', '{"b":2,"a":1}'),
    ('{"a": 1, "a": 2}', '{"a": 2}'),
    ('"\\u00e9"', '"é"'),
    ('"\\ud800"', '"\\uD800"'),
    ('["\\ud800", 1.50]', '["\\ud800", 1.5]'),
]
DIFFERENT = [
    ("1", "true"),
    ("0", "false"),
    ("1", '"1"'),
    ("null", '"None"'),
    ("null", '""'),
    ("9007199254740992", "9007199254740993"),
    ("9007199254740993", "9007199254740992.0"),
    ("0.3", "0.30000000000000004"),
    ("1e-400", "0"),
    ("1e400", "1e401"),
    ("[1, 2]", "[2, 1]"),
    ('{"a": null}', "{}"),
    ('"é"', '"e\u0301"'),
]


@pytest.mark.parametrize(("one", "other"), EQUAL)
def test_equal_values_have_one_canonical_text(one: str, other: str) -> None:
    assert canonical(one) == canonical(other)
    assert json_equal(parse(one), parse(other))


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_different_values_have_different_canonical_texts(one: str, other: str) -> None:
    assert canonical(one) != canonical(other)
    assert not json_equal(parse(one), parse(other))


@pytest.mark.parametrize(
    "text", ["", "{", "NaN", "Infinity", "1e99999999999999999999", "9" * 5000, '{"a":1}x', "[" * 3000]
)
def test_what_is_no_json_is_a_value_error(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - the words are the decoder's
        parse(text)
    with pytest.raises(ValueError):  # noqa: PT011
        canonical(text)


LITERALS = st.from_regex(r"\A-?(0|[1-9][0-9]{0,22})(\.[0-9]{1,22})?([eE][+-]?[0-9]{1,3})?\Z")


@given(LITERALS, LITERALS)
def test_numbers_are_equal_exactly_when_their_values_are(one: str, other: str) -> None:
    assert (canonical(one) == canonical(other)) == (Decimal(one) == Decimal(other))


@given(LITERALS, st.integers(1, 30))
def test_a_number_does_not_depend_on_its_spelling(literal: str, zeros: int) -> None:
    mantissa, _, exponent = literal.lower().partition("e")
    padded = mantissa + ("0" * zeros if "." in mantissa else "." + "0" * zeros)
    shifted = f"{padded}e{int(exponent or 0)}"
    assert canonical(shifted) == canonical(literal)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(VALUES)
def test_any_spelling_of_a_value_has_its_canonical_text(value: Any) -> None:
    compact = json.dumps(value, ensure_ascii=True, separators=(",", ":"))
    loose = json.dumps(value, ensure_ascii=False, indent=1, sort_keys=True)
    assert canonical(compact) == canonical(loose.encode())
    assert canonical(canonical(compact)) == canonical(compact)


@given(VALUES, VALUES)
def test_equal_json_is_equal_in_python_too(one: Any, other: Any) -> None:
    left, right = parse(json.dumps(one)), parse(json.dumps(other))
    if canonical(json.dumps(one)) == canonical(json.dumps(other)):
        assert left == right


def test_arguments_as_text_are_read_as_the_json_in_them() -> None:
    assert canonical_args(b'{"b":1,"a":2}') == (b'{"a":2,"b":1}', PLAIN)
    assert canonical_args(b'"{\\"b\\":1, \\"a\\":2}"') == (b'{"a":2,"b":1}', DECODED)
    assert canonical_args(b'"{\\"b\\":"') == (b'"{\\"b\\":"', UNPARSEABLE)


@pytest.mark.parametrize("raw", [b'{"a":"\xff"}', b"{", b""])
def test_bytes_that_are_no_json_stand_for_themselves(raw: bytes) -> None:
    assert canonical_args(raw)[1] == UNPARSEABLE
    assert canonical_args(raw) == canonical_args(raw)
    assert isinstance(args_value(raw), str)


@given(st.lists(st.sampled_from([b'{"a":1}', b'"{}"', b'"{"', b"[1.0]", b'"\xff"']), max_size=5))
def test_many_arguments_are_read_like_each(raws: list[bytes]) -> None:
    assert args_values(raws) == [args_value(raw) for raw in raws]
