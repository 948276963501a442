"""The author's name stays out of what a judge reads; names that are subject matter stay in."""

from __future__ import annotations

import pytest

from agent_tui.judge.openers import is_only_openers
from agent_tui.judge.self_naming import WITHHELD, blank_self_naming


@pytest.mark.parametrize(
    ("text", "blanked"),
    [
        ("I'm Claude, made by Anthropic.", f"I'm {WITHHELD}, made by {WITHHELD}."),
        (
            "I am Claude Opus 5.5, an AI assistant created by Anthropic",
            f"I am {WITHHELD}, an AI assistant created by {WITHHELD}",
        ),
        ("My name is ChatGPT.", f"My name is {WITHHELD}."),
        ("As Gemini, I cannot.", f"As {WITHHELD}, I cannot."),
        ("As a large language model trained by Google, I", f"As a large language model trained by {WITHHELD}, I"),
        ("I am an AI language model called Qwen2.5-72B", f"I am an AI language model called {WITHHELD}"),
        ("You are DeepSeek-V3, at a desk.", f"You are {WITHHELD}, at a desk."),
        ("Powered by GPT-5 mini", f"Powered by {WITHHELD}"),
        ("I was developed by OpenAI", f"I was developed by {WITHHELD}"),
    ],
)
def test_an_author_that_names_itself_is_blanked(text: str, blanked: str) -> None:
    assert blank_self_naming(text) == blanked


@pytest.mark.parametrize(
    "text",
    [
        "Claude Monet painted it.",
        "Gemini rises in May.",
        "As Google says, it rains.",
        "I am using Google Maps.",
        "This is an Amazon order.",
        "GPT-5 and Claude differ in price.",
        "Codex was created by OpenAI.",
    ],
)
def test_names_that_are_subject_matter_stay(text: str) -> None:
    assert blank_self_naming(text, "model-a") == text


def test_the_authors_own_id_is_blanked_wherever_it_stands() -> None:
    assert blank_self_naming("Sent by Model-A1.", "model-a1") == f"Sent by {WITHHELD}."
    assert blank_self_naming("submodel-a12 stays", "model-a1") == "submodel-a12 stays"


def test_an_id_that_the_task_names_or_that_is_a_word_stays() -> None:
    assert blank_self_naming("model-a1 is cheaper", "model-a1", "Is Model-A1 cheaper?") == "model-a1 is cheaper"
    assert blank_self_naming("a test of it", "test") == "a test of it"


@pytest.mark.parametrize(
    "text", ["Thought process:", "**Final answer:**", "Let’s think step by step.", "Answer...", "Sure! The answer is:"]
)
def test_an_opener_alone_is_no_answer(text: str) -> None:
    assert is_only_openers(text)


@pytest.mark.parametrize(
    "text", ["", "Answer", "OK", "Sure", "Solution", "The answer is 4", "Result: 3", "step by step " * 200]
)
def test_what_may_be_an_answer_is_no_opener(text: str) -> None:
    assert not is_only_openers(text)
