"""`refusal`: information or a service is said not to be available."""

from __future__ import annotations

import pytest

from tests.answers.say import say, state


@pytest.mark.parametrize(
    "answer",
    [
        "I don't have that in the docs.",
        "I don’t **have** information on that.",
        "The documentation does not mention aggregation pipelines.",
        "The docs do not explicitly cover this.",
        "They do not document it.",
        "That isn't covered in the docs.",
        "This is not in the Meridian documentation.",
        "There is no information about that.",
        "I could not find anything on it.",
        "I'm unable to find this.",
    ],
)
def test_saying_that_it_is_not_there_is_a_refusal(answer: str) -> None:
    assert state({"refusal": True}, answer) == "correct"
    assert state({"refusal": False}, answer) == "wrong"


@pytest.mark.parametrize(
    "answer",
    [
        "No.",
        "No, you cannot.",
        "It can't be changed.",
        "The region is not changeable.",
        "It is in the docs.",
        "Not in this way. The docs say 60.",
        "You must not mention it to them.",
    ],
)
def test_a_plain_no_is_no_refusal(answer: str) -> None:
    assert state({"refusal": True}, answer) == "wrong"
    assert state({"refusal": False}, answer) == "correct"


def test_the_reason_quotes_the_words() -> None:
    assert say({"refusal": True}, "Sorry, I couldn't find it.").why == 'it refuses: "couldn\'t find"'
