"""The recorded pairs of truth and answer, and where we differ from the peers' checks."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.answers.say import state

PAIRS: list[dict[str, Any]] = json.loads(
    (Path(__file__).parent.parent / "conformance" / "answer-pairs.json").read_text(encoding="utf-8")
)["pairs"]
BY_ID = {pair["id"]: pair for pair in PAIRS}


@pytest.mark.parametrize("check", ["words", "contains"])
@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair["id"])
def test_a_pair_gets_its_recorded_state(pair: dict[str, Any], check: str) -> None:
    assert state({check: pair["truth"]}, pair["answer"]) == pair["ours"][check]


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair["id"])
def test_a_plain_text_truth_is_the_check_words(pair: dict[str, Any]) -> None:
    assert state(pair["truth"], pair["answer"]) == pair["ours"]["words"]


@pytest.mark.parametrize(
    ("expected", "ids"),
    [
        ("correct", "a002 a003 a005 a010 a011 a021 a022"),
        ("wrong", "a006 a007 a013 a025 a026 a030"),
        ("check_error", "a009"),
    ],
)
def test_number_says_what_was_agreed(expected: str, ids: str) -> None:
    for pair in map(BY_ID.__getitem__, ids.split()):
        truth = {"number": json.loads(pair["truth"])}
        assert state(truth, pair["answer"]) == expected, pair["id"]


@pytest.mark.parametrize("id", "a007 a013 a029 a030 a031 a033 a041 a061".split())  # noqa: SIM905
def test_contains_differs_from_a_substring_check(id: str) -> None:
    pair = BY_ID[id]
    assert pair["peers"]["inspect.includes"] is True
    assert state({"contains": pair["truth"]}, pair["answer"]) != "correct"


@pytest.mark.parametrize("id", ["a035", "a039", "a057"])
def test_contains_agrees_with_a_substring_check_on_letter_case(id: str) -> None:
    pair = BY_ID[id]
    assert pair["peers"]["inspect.includes"] is True
    assert state({"contains": pair["truth"]}, pair["answer"]) == "correct"
