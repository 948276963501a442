"""`list`: the items that an answer enumerates."""

from __future__ import annotations

from typing import Any

import pytest

from tests.answers.say import say, state

CITIES = ["Rome", "New York", "Paris"]


@pytest.mark.parametrize(
    "answer",
    [
        "Rome, New York, Paris",
        "Rome, New York and Paris.",
        "Rome; New York; and Paris",
        "The cities are: rome, new york, paris",
        "Cities:\n- Rome\n- **New York**\n- Paris",
        "1. Rome\n2. New York\n3. Paris",
        '["Rome", "New York", "Paris"]',
    ],
)
def test_items_are_read_from_any_usual_form(answer: str) -> None:
    assert state({"list": CITIES}, answer) == "correct"


@pytest.mark.parametrize(
    ("order", "answer", "expected"),
    [
        ("ordered", "Paris, Rome, New York", "wrong"),
        ("multiset", "Paris, Rome, New York", "correct"),
        ("multiset", "Paris, Rome, New York, Rome", "wrong"),
        ("set", "Paris, Rome, New York, Rome", "correct"),
        ("set", "Paris, Rome", "wrong"),
    ],
)
def test_the_order_says_what_counts(order: str, answer: str, expected: str) -> None:
    assert state({"list": {"items": CITIES, "order": order}}, answer) == expected


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        ("Rome, New York", '"paris" is not listed'),
        ("Rome, New York, Paris, Oslo", '"oslo" is listed and should not be'),
        ("New York, Rome, Paris", "the items stand in another order"),
    ],
)
def test_the_first_difference_is_told(answer: str, why: str) -> None:
    assert say({"list": CITIES}, answer).why == why


@pytest.mark.parametrize("answer", ["1, 2, 1400", "[1, 2.0, 1400]", "1; 2; 1,400"])
def test_numbers_compare_by_value(answer: Any) -> None:
    assert state({"list": [1, 2, 1400]}, answer) == "correct"
