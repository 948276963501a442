"""How alike two texts are."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_tui.answers.similarity import levenshtein_ratio, similarity, token_f1

SHORT = st.text(alphabet="ab ", max_size=8)


def test_a_tenfold_amount_is_three_quarters_alike_by_letters_and_not_by_words() -> None:
    alike = similarity("140", "1400")
    assert (alike.levenshtein, alike.token_f1) == (0.75, 0.0)


def test_token_f1_is_blind_to_order() -> None:
    assert token_f1("New York", "York New") == 1.0
    assert token_f1("approved", "not approved") == pytest.approx(2 / 3)
    assert token_f1("!", "?") is None


def test_texts_too_long_to_compare_have_no_ratio() -> None:
    assert levenshtein_ratio("a" * 1001, "b" * 1000) is None
    assert levenshtein_ratio("", "") == 1.0


@given(SHORT, SHORT)
def test_the_ratio_is_symmetric_and_one_only_for_the_same_text(left: str, right: str) -> None:
    ratio = levenshtein_ratio(left, right)
    assert ratio is not None
    assert ratio == levenshtein_ratio(right, left)
    assert 0 <= ratio <= 1
    assert (ratio == 1) == (left == right)
