"""What a recorded truth means."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_tui.answers import CHECKS, evaluate, parse_check
from tests.answers.say import say, state

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from([*CHECKS, "allow_empty", "value", "items"]) | st.text(max_size=3), inner, max_size=3
        )
    ),
    max_leaves=8,
)


@pytest.mark.parametrize(
    ("truth", "check"),
    [
        ("refunded 140", "words"),
        (140, "number"),
        (1.5, "number"),
        (["a", "b"], "one_of"),
        ({"contains": "a"}, "contains"),
        ({"contains": 429}, "contains"),
        ({"words": "a", "number": 1}, "all"),
    ],
)
def test_the_form_of_a_truth_names_its_check(truth: Any, check: str) -> None:
    assert say(truth, "nothing of it").check == check


@pytest.mark.parametrize("truth", [None, "", "  ", [], {}, {"words": ""}, {"number": None}, {"list": []}, {"all": []}])
def test_an_empty_truth_is_unscoreable(truth: Any) -> None:
    assert state(truth, "anything") == "unscoreable"


@pytest.mark.parametrize(
    "truth",
    [
        True,
        False,
        {"wrods": "a"},
        {"words": True},
        {"words": ["a"]},
        {"number": "many"},
        {"number": {"valeu": 1}},
        {"number": {"value": 1, "which": "both"}},
        {"number": {"value": 1, "abs": -1}},
        {"refusal": "yes"},
        {"any": "a"},
        {"number": {"value": 1, "percent": True}},
        {"regex": 5},
        {"list": {"items": ["a"], "order": "random"}},
        {"allow_empty": True},
        {"words": "a", "allow_empty": "yes"},
        {"normalized": "..."},
        {"regex": "("},
    ],
)
def test_a_truth_that_means_nothing_is_a_check_error(truth: Any) -> None:
    assert state(truth, "anything") == "check_error"


def test_an_unknown_check_lists_those_that_exist() -> None:
    verdict = say({"wrods": "a"}, "a")
    assert "'wrods'" in verdict.why
    assert all(name in verdict.why for name in CHECKS)
    assert all(name in say(True, "a").why for name in CHECKS)


def test_text_that_is_not_json_is_a_check_error() -> None:
    assert evaluate(b'{"words":', "a").state == "check_error"
    assert evaluate(b"\xff", "a").state == "check_error"


def test_an_empty_truth_that_is_allowed_wants_an_empty_answer() -> None:
    truth = {"exact": "", "allow_empty": True}
    assert [state(truth, answer) for answer in ("", " ", None, "x")] == ["correct", "correct", "correct", "wrong"]


def test_a_check_is_parsed_once() -> None:
    assert parse_check(b'{"words":"a"}') is parse_check('{"words":"a"}')


@given(JSON, st.text(max_size=12) | st.none())
def test_no_truth_and_no_answer_raise(truth: Any, answer: str | None) -> None:
    verdict = say(truth, answer)
    assert verdict.state in {"correct", "wrong", "no_answer", "unscoreable", "check_error"}
    assert verdict.why
