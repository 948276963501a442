"""Does a judge pass the longer of wrong answers?"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_tui.stats.length_bias import length_bias

ANSWERS = st.lists(st.tuples(st.integers(0, 5000), st.sampled_from([True, False, None])), max_size=40)


@given(ANSWERS)
def test_figures_stay_in_their_range_or_there_is_a_reason(answers: list[tuple[int, bool | None]]) -> None:
    result = length_bias(answers)
    if result.auc is None:
        assert result.n_pass in (0, result.n)
        assert "not testable" in (result.why_none or "")
        return
    assert 0 <= result.auc <= 1
    assert (result.p_value is None) == bool(result.why_none)
    for p in (result.p_value, result.point_biserial_p):
        assert p is None or 0 <= p <= 1
    for correlation in (result.spearman, result.point_biserial):
        assert correlation is None or -1 <= correlation <= 1


@given(ANSWERS)
def test_undetermined_and_order_do_not_matter(answers: list[tuple[int, bool | None]]) -> None:
    decided = [answer for answer in answers if answer[1] is not None]
    one, other = length_bias(answers), length_bias(sorted(decided, key=repr))
    assert (one.n, one.n_pass) == (other.n, other.n_pass)
    assert one.auc == pytest.approx(other.auc)
    assert one.spearman == pytest.approx(other.spearman)


def test_equally_long_answers_cannot_show_a_bias() -> None:
    result = length_bias([(80, True), (80, False), (80, False)])
    assert (result.auc, result.p_value, result.spearman) == (0.5, None, None)
    assert result.why_none == "all wrong answers are equally long: not testable"


def test_without_decided_wrong_answers_it_says_so() -> None:
    assert length_bias([(80, None)]).why_none == "no wrong answer was decided: not testable"


def test_an_empty_answer_counts_as_the_shortest() -> None:
    result = length_bias([(0, False), (10, False), (100, True), (1000, True)])
    assert result.auc == 1
    assert result.point_biserial is not None


def test_a_perfect_correlation_is_not_due_to_chance() -> None:
    assert length_bias([(10, False), (10, False), (100, True), (100, True)]).point_biserial_p == pytest.approx(0)


def test_two_answers_have_no_p_of_a_correlation() -> None:
    result = length_bias([(10, False), (100, True)])
    assert (result.point_biserial, result.point_biserial_p) == (1, None)


def test_a_length_below_0_is_refused() -> None:
    with pytest.raises(ValueError, match="below 0"):
        length_bias([(-1, True), (3, False)])
