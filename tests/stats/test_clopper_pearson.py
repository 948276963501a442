"""Exact bounds of a rate."""

from __future__ import annotations

from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_tui.stats.clopper_pearson import beta_quantile, false_pass_upper_bound, lower_bound, upper_bound

COUNTS = st.integers(1, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


def chance_of_at_most(k: int, n: int, rate: float) -> float:
    return sum(comb(n, i) * rate**i * (1 - rate) ** (n - i) for i in range(k + 1))


@given(st.integers(1, 60).flatmap(lambda n: st.tuples(st.integers(0, n - 1), st.just(n))))
def test_at_the_bound_so_few_would_have_the_chance_that_was_asked_for(counts: tuple[int, int]) -> None:
    k, n = counts
    assert chance_of_at_most(k, n, upper_bound(k, n, 0.05)) == pytest.approx(0.05, abs=1e-9)
    assert chance_of_at_most(n - k - 1, n, lower_bound(n - k, n, 0.025)) == pytest.approx(0.975, abs=1e-9)


@given(COUNTS)
def test_the_bounds_hold_the_rate_and_stay_within_0_and_1(counts: tuple[int, int]) -> None:
    k, n = counts
    bound = false_pass_upper_bound(k, n)
    assert bound.low is not None
    assert bound.high is not None
    assert bound.upper95 is not None
    assert 0 <= bound.low <= k / n <= bound.upper95 <= bound.high <= 1


@given(COUNTS)
def test_one_more_false_pass_lifts_the_bound_and_one_more_wrong_answer_caught_lowers_it(
    counts: tuple[int, int],
) -> None:
    k, n = counts
    caught, passed = upper_bound(k, n + 1, 0.05), upper_bound(k + 1, n + 1, 0.05)
    assert caught < upper_bound(k, n, 0.05) <= passed
    assert caught < passed


def test_none_of_59_is_the_first_that_proves_under_5_percent() -> None:
    assert upper_bound(0, 58, 0.05) > 0.05 > upper_bound(0, 59, 0.05)


def test_without_wrong_answers_there_is_no_bound() -> None:
    bound = false_pass_upper_bound(0, 0)
    assert (bound.upper95, bound.low, bound.high, bound.rule_of_three) == (None, None, None, None)
    assert bound.why_none == "no wrong answer is labelled"


@pytest.mark.parametrize("n", [1, 2, 3, 30])
def test_the_rule_of_three_is_never_above_1(n: int) -> None:
    assert false_pass_upper_bound(0, n).rule_of_three == min(1, 3 / n)


def test_it_keeps_its_digits_for_many_labels() -> None:
    # scipy 1.12: stats.beta.ppf
    assert beta_quantile(0.95, 50_001, 50_000) == pytest.approx(0.5026057177397, abs=1e-12)
    assert upper_bound(3, 100_000, 0.05) == pytest.approx(7.7534722385647e-05, rel=1e-9)


@pytest.mark.parametrize(("k", "n"), [(-1, 5), (6, 5), (0, 0)])
def test_counts_that_cannot_be_are_refused(k: int, n: int) -> None:
    with pytest.raises(ValueError, match="needs 0 <= k <= n"):
        upper_bound(k, n, 0.05)
