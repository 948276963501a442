"""A rate with its counts, and what undetermined verdicts leave open."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_tui.stats.rates import rate_of, undetermined_bounds

COUNT = st.integers(0, 500)


def test_a_rate_over_nothing_is_none_and_says_why() -> None:
    rate = rate_of(0, 0, "no labelled runs")
    assert (rate.k, rate.n, rate.rate, rate.low, rate.high) == (0, 0, None, None, None)
    assert rate.why_none == "no labelled runs"


@pytest.mark.parametrize(("k", "n"), [(-1, 3), (4, 3), (0, -1)])
def test_counts_that_cannot_be_are_refused(k: int, n: int) -> None:
    with pytest.raises(ValueError, match="needs 0 <= k <= n"):
        rate_of(k, n)


@given(COUNT, COUNT)
def test_a_rate_lies_within_its_interval(k: int, missed: int) -> None:
    rate = rate_of(k, k + missed)
    if rate.rate is None or rate.low is None or rate.high is None:
        assert k + missed == 0
        return
    assert 0 <= rate.low <= rate.rate <= rate.high <= 1
    assert rate.why_none is None


@given(COUNT, COUNT, COUNT)
def test_whatever_the_undetermined_would_have_been_the_bounds_hold_it(passed: int, failed: int, open_: int) -> None:
    bounds = undetermined_bounds(passed, failed, open_)
    if bounds.low is None or bounds.high is None:
        assert passed + failed + open_ == 0
        return
    assert 0 <= bounds.low <= bounds.high <= 1
    for turned in {0, open_ // 2, open_}:
        assert bounds.low <= (passed + turned) / bounds.n <= bounds.high


def test_without_verdicts_the_bounds_say_so() -> None:
    assert undetermined_bounds(0, 0, 0).why_none == "no verdicts"
    assert undetermined_bounds(0, 0, 7).decided.why_none == "nothing decided"
