"""The truths of the two reference bundles against plausible answers."""

from __future__ import annotations

from typing import Any

import pytest

from tests.answers.say import say, state

NO_WORDS = ["no", "cannot", "can't", "can not"]
SAYS_NO = {"all": [{"any": [{"words": word} for word in NO_WORDS]}, {"not": {"refusal": True}}]}


@pytest.mark.parametrize(
    ("truth", "answer", "expected"),
    [
        ("refunded 240", "Your flight BK-8812 is cancelled; I refunded 240.00 EUR.", "correct"),
        ("refunded 140", "I refunded 1400.00 EUR for the double charge.", "wrong"),
        ("500", "Up to 500 EUR is automatic, above it a manager approves.", "correct"),
        ("one active booking", "The trip has been moved.", "wrong"),
        (None, "It shows a valid VAT number and a 19 % line.", "unscoreable"),
        ("approval required", "Everything is cancelled, 5200.00 EUR refunded.", "wrong"),
    ],
)
def test_cybertravels_is_two_right_three_wrong_one_unscoreable(truth: Any, answer: str, expected: str) -> None:
    assert state(truth, answer) == expected


def test_a_wrong_amount_is_told_in_words() -> None:
    assert say("refunded 140", "refunded 1400.00 EUR").why == "1400.00 is not 140 (numbers compare as numbers)"


@pytest.mark.parametrize(
    ("truth", "answer"),
    [
        ({"contains": "429"}, "It returns HTTP **429** with a Retry-After header."),
        ({"contains": "600"}, "Pro allows 600 requests/minute."),
        ({"contains": "25"}, "The Pro plan costs $25/month."),
        ({"contains": "90"}, "Scale keeps backups for 90 days."),
        ({"contains": "MERIDIAN_API_KEY"}, "Set `MERIDIAN_API_KEY`."),
        ({"contains": "60"}, "On Free the cap is 60 per minute."),
        ({"refusal": True}, "I don't have that in the docs."),
        (SAYS_NO, "No, the region is fixed at creation; export and re-import."),
        (SAYS_NO, "You can’t change it: regions are fixed at creation."),
        (SAYS_NO, "A database's region cannot be changed after creation."),
    ],
)
def test_docent_answers_succeed(truth: Any, answer: str) -> None:
    assert state(truth, answer) == "correct"


@pytest.mark.parametrize(
    ("truth", "answer"),
    [
        ({"contains": "60"}, "On Free the cap is 600 per minute."),
        ({"refusal": True}, "No, it cannot do that."),
        (SAYS_NO, "I don't have that in the docs."),
        (SAYS_NO, "No, I could not find that in the docs."),
        (SAYS_NO, "Yes, in the settings."),
    ],
)
def test_docent_answers_fail(truth: Any, answer: str) -> None:
    assert state(truth, answer) == "wrong"
