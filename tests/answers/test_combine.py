"""`all`, `any`, `not`, `one_of`: three-valued logic."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_tui.answers import evaluate
from tests.answers.say import say, state

YES: dict[str, Any] = {"words": "paris"}
NO: dict[str, Any] = {"words": "lyon"}
UNSURE: dict[str, Any] = {"regex": "("}
EMPTY: dict[str, Any] = {"words": ""}
ANSWER = "It is Paris."

LEAVES = st.sampled_from([YES, NO, UNSURE])
TRUTHS = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.fixed_dictionaries({"all": st.lists(inner, min_size=1, max_size=3)}),
        st.fixed_dictionaries({"any": st.lists(inner, min_size=1, max_size=3)}),
        st.fixed_dictionaries({"not": inner}),
    ),
    max_leaves=8,
)
_VALUE = {"correct": True, "wrong": False, "check_error": None}


def _value(truth: Any) -> bool | None:
    return _VALUE[state(truth, ANSWER)]


def _kleene(truth: dict[str, Any]) -> bool | None:
    """The value by the tables of three-valued logic."""
    [(name, inner)] = truth.items()
    if name not in ("all", "any", "not"):
        return {json.dumps(YES): True, json.dumps(NO): False}.get(json.dumps(truth))
    if name == "not":
        value = _kleene(inner)
        return None if value is None else not value
    values = [_kleene(part) for part in inner]
    decides = name == "any"
    if decides in values:
        return decides
    return None if None in values else not decides


@given(TRUTHS)
def test_any_nesting_follows_the_tables(truth: dict[str, Any]) -> None:
    assert _value(truth) == _kleene(truth)


@given(TRUTHS, TRUTHS)
def test_de_morgan_and_double_negation_hold(left: dict[str, Any], right: dict[str, Any]) -> None:
    assert _value({"not": {"all": [left, right]}}) == _value({"any": [{"not": left}, {"not": right}]})
    assert _value({"not": {"not": left}}) == _value(left)
    assert _value({"one_of": [left, right]}) == _value({"any": [right, left]})


@pytest.mark.parametrize(
    ("truth", "expected"),
    [
        ({"all": [YES, EMPTY]}, "unscoreable"),
        ({"all": [NO, EMPTY]}, "wrong"),
        ({"any": [YES, EMPTY]}, "correct"),
        ({"any": [NO, EMPTY]}, "unscoreable"),
        ({"any": [EMPTY, UNSURE]}, "check_error"),
        ({"not": EMPTY}, "unscoreable"),
    ],
)
def test_an_empty_truth_in_it_is_something_one_cannot_tell(truth: Any, expected: str) -> None:
    assert state(truth, ANSWER) == expected


def test_several_truths_are_alternatives() -> None:
    assert state(["Lyon", {"number": 5}, "Paris"], ANSWER) == "correct"
    assert state({"one_of": ["EUR", "€"]}, "140 €") == "correct"


def test_several_checks_in_one_truth_all_hold() -> None:
    truth = {"words": "refunded", "number": 140}
    assert state(truth, "refunded 140") == "correct"
    assert state(truth, "refunded 1400") == "wrong"


def test_the_reason_names_the_part_that_decided() -> None:
    assert say({"all": [YES, {"number": 5}]}, ANSWER).why == "number: the answer holds no number"
    assert say({"any": [UNSURE, YES]}, ANSWER).flags == ("broken_part",)


def test_nesting_has_an_end() -> None:
    text = '{"not":' * 5000 + json.dumps(YES) + "}" * 5000
    assert evaluate(text, ANSWER).state == "check_error"
