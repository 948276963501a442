"""`words` and `contains`: tokens, numbers by value, the negation guard."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from agent_tui.answers.tokens import tokenize
from agent_tui.answers.words import Words, contains, words
from tests.answers.say import say, state

SNIPPETS = st.sampled_from(
    [
        "not",
        "the",
        "140",
        "1.400",
        "1,400",
        "paris",
        "Paris.",
        "never",
        "about",
        "rather",
        "than",
        "instead",
        "of",
        "n't",
        "isn't",
        "a",
        "**140**",
        "60%",
        "€140",
        "-5",
        "’",
        ",",
        "no",
        "1.0.1",
        "v140.0",
        "140.0.1",
        "05.01.140",
        "١٤٠",
        "e१४०",
    ]
)
TEXTS = st.lists(SNIPPETS, min_size=1, max_size=9).map(" ".join)
TRUTHS = st.sampled_from(["140", "paris", "paris 140", "not paris", "60%", "1400", "€140", "-5", "140.0.1"])


@pytest.mark.parametrize(
    ("truth", "answer"),
    [
        ("1400", "1.400,00 EUR"),
        ("1400", "1'400"),
        ("140", "€140"),
        ("140", "140EUR"),
        ("140", "１４０"),
        ("140", "140,00 €"),
        ("60%", "60 %"),
        ("-5", "it was −5 °C"),
        ("5", "on 3-5 days"),
        ("MERIDIAN_API_KEY", "_MERIDIAN_API_KEY_"),
        ("'Paris'", "Paris"),
        ("1400", "'1,400'"),
        ("1400.5", "_1,400.50_"),
        ("refunded", "re**fund**ed"),
        ("नमस्ते", "वह बोला: नमस्ते!"),
        ("1.400", "1.400"),
        ("1.0.1", "it is v1.0.1."),
        ("v1.0.1", "version 1.0.1"),
        ("python3.11", "Python3.11"),
        ("2024", "on 05.01.2024."),
        ("05.01.2024", "5.1.2024"),
        ("1234567", "1.234.567"),
        ("١٤٠", "140.00"),
        ("1400.5", "١٬٤٠٠٫٥"),
        ("140", "राशि १४०"),
        ("60%", "٦٠٪"),
    ],
)
def test_another_spelling_is_the_same_word(truth: str, answer: str) -> None:
    assert state({"words": truth}, answer) == state({"contains": truth}, answer) == "correct"


@pytest.mark.parametrize(
    ("truth", "answer"),
    [
        ("140", "BK140"),
        ("1000", "1e3"),
        ("1.2", "1.2.3"),
        ("1", "1.0.1"),
        ("1", "v1.0.1"),
        ("0", "1.0.1rc2"),
        ("11", "python3.11"),
        ("1", "v2.1"),
        ("168", "192.168.0.1"),
        ("1.0.1", "1.0.10"),
        ("1.0.1", "1, 0 and 1"),
        ("14", "१४०"),
        ("5", "-5"),
        ("60", "60 %"),
        ("14", "14,50"),
        ("can", "can't"),
        ("€140", "140 $"),
    ],
)
def test_a_part_or_another_value_is_not_the_word(truth: str, answer: str) -> None:
    assert state({"words": truth}, answer) == state({"contains": truth}, answer) == "wrong"


@pytest.mark.parametrize(
    "answer",
    [
        "not 600",
        "never the 600",
        "no 600",
        "isn’t exactly 600",
        "500 rather than 600",
        "500 instead of about 600",
        "not €600",
        "**not** 600",
    ],
)
def test_a_denied_occurrence_does_not_count(answer: str) -> None:
    verdict = say("600", answer)
    assert (verdict.state, verdict.flags) == ("wrong", ("negated",))


@pytest.mark.parametrize("answer", ["not 600, or rather 600", "not only 600", "more than 600", "of 600"])
def test_one_counting_occurrence_is_enough(answer: str) -> None:
    assert state("600", answer) == "correct"


def test_the_guard_is_off_for_a_truth_that_denies() -> None:
    assert state("not approved", "It was not approved.") == "correct"
    assert state("no", "No.") == "correct"
    assert state("can't", "You can’t.") == "correct"


def test_a_currency_sign_of_the_truth_is_wanted_too() -> None:
    assert state("€140", "140 €") == "correct"
    assert state("€140", "140") == "wrong"


def test_contains_wants_the_words_in_a_row() -> None:
    assert state({"contains": "refunded 140"}, "I refunded €140.") == "correct"
    assert state({"contains": "refunded 140"}, "140 was refunded") == "wrong"
    assert state({"words": "refunded 140"}, "140 was refunded") == "correct"


def test_a_number_with_two_meanings_is_told_only_where_it_matters() -> None:
    verdict = say("1400", "it costs 1.400")
    assert (verdict.state, verdict.flags) == ("check_error", ("ambiguous",))
    assert verdict.why == "1.400 may mean 1.4 or 1400, and the truth is one of them"
    assert state("1400", "1.400, that is 1400") == "correct"
    assert state("140", "1.400") == "wrong"


def test_a_truth_without_words_is_broken() -> None:
    assert say("!!", "!!").state == "check_error"


@given(TEXTS)
def test_tokens_of_a_text_are_in_it(text: str) -> None:
    check = contains(text)
    if check is not None and tokenize(text):
        assert replace(check, guarded=False).verdict(text).state == "correct"


@given(TRUTHS, TEXTS)
def test_contains_implies_words_where_nothing_is_denied(truth: str, text: str) -> None:
    phrase, single = contains(truth), words(truth)
    assert phrase is not None
    assert single is not None
    if replace(phrase, guarded=False).verdict(text).state == "correct":
        assert replace(single, guarded=False).verdict(text).state == "correct"


@given(TRUTHS, TEXTS, st.booleans())
def test_the_quick_look_agrees_with_the_full_one(truth: str, text: str, in_a_row: bool) -> None:
    check = contains(truth) if in_a_row else words(truth)
    assert check is not None
    assert check.verdict(text) == _without_quick_look(check).verdict(text)


def _without_quick_look(check: Words) -> Words:
    return replace(check, phrases=tuple(replace(phrase, plain=None) for phrase in check.phrases))
