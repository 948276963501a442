"""`exact`, `normalized`, `json`, `regex`: the whole text of an answer."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_tui.answers.text import fold, normalized
from tests.answers.say import say, state

PIECES = st.sampled_from(
    ["a", "É", "e\u0301", "ß", "*", "**", "_", "`", "-", "−", "5", ".5", ".", ",", " ", "\n", "(", ")", "%"]
)
TEXTS = st.text(max_size=12) | st.lists(PIECES, max_size=10).map("".join)


@given(TEXTS)
def test_normalising_twice_changes_nothing(text: str) -> None:
    assert normalized(normalized(text)) == normalized(text)
    assert fold(fold(text)) == fold(text)


@pytest.mark.parametrize(
    ("truth", "answer"),
    [
        ("Paris", " **paris**.\n"),
        ("New York", "new\n  york"),
        ("Café", "CAFE\u0301"),
        ("-5", "−5"),
        ("140", "`140`"),
        ("a b", "*a* _b_"),
        ("yes", "“Yes!”"),
    ],
)
def test_normalized_forgives_how_it_is_written(truth: str, answer: str) -> None:
    assert state({"normalized": truth}, answer) == "correct"
    assert state({"exact": truth}, answer) == "wrong"


@pytest.mark.parametrize(
    ("truth", "answer"), [("5", "-5"), ("60", "60%"), ("5", ".5"), ("Paris", "in Paris"), ("a_b", "ab"), ("6", "2*3")]
)
def test_normalized_keeps_what_has_a_meaning(truth: str, answer: str) -> None:
    assert state({"normalized": truth}, answer) == "wrong"


def test_exact_says_when_only_the_spelling_differs() -> None:
    assert state({"exact": "Paris"}, "Paris") == "correct"
    assert say({"exact": "Paris"}, "Paris\n").why.endswith("(differs in outer white space only)")
    assert say({"exact": "Paris"}, "paris").why.endswith("(differs in letter case or Unicode form only)")
    assert say({"exact": "Paris"}, "**Paris**").why.endswith("(`normalized` would pass it)")


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ('{"b": [1, 2.0], "a": 140.0}', "correct"),
        ('Here it is:\n```json\n{"a": 1.4e2, "b": [1, 2]}\n```', "correct"),
        ('{"a": 140, "b": [2, 1]}', "wrong"),
        ('{"a": true, "b": [1, 2]}', "wrong"),
        ("a is 140", "wrong"),
    ],
)
def test_json_compares_values(answer: str, expected: str) -> None:
    assert state({"json": {"a": 140, "b": [1, 2]}}, answer) == expected


def test_json_null_is_a_truth_of_its_own() -> None:
    assert state({"json": None}, "null") == "correct"
    assert state({"json": None}, "0") == "wrong"


def test_a_pattern_is_searched_for() -> None:
    assert state({"regex": r"BK-\d{4}"}, "booked BK-8812 for you") == "correct"
    assert state({"regex": r"^BK-\d{4}$"}, "booked BK-8812 for you") == "wrong"
    assert "not a regular expression" in say({"regex": "("}, "x").why


def test_a_pattern_that_never_ends_is_given_up() -> None:
    verdict = say({"regex": "(a|aa)+$"}, "a" * 30000 + "!")
    assert verdict.state == "check_error"
    assert verdict.why == 'cannot tell: the pattern "(a|aa)+$" takes too long, and is not tried any more'
