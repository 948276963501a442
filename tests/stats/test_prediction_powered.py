"""The pass rate from few labels and many verdicts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_tui.stats.prediction_powered import Estimate, prediction_powered_mean

PAIRS = st.lists(st.tuples(st.booleans(), st.booleans()), min_size=2, max_size=60)
PART = st.integers(1, 500).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


@given(PAIRS, PART)
def test_estimates_lie_within_their_intervals_and_within_0_and_1(
    pairs: list[tuple[bool, bool]], unlabelled: tuple[int, int]
) -> None:
    result = prediction_powered_mean(pairs, *unlabelled)
    for estimate in (result.ppi, result.ppi_pp, result.labels_only):
        assert isinstance(estimate, Estimate)
        assert 0 <= estimate.low <= estimate.value <= estimate.high <= 1
    assert result.weight is not None
    assert 0 <= result.weight <= 1


@given(PAIRS, PART)
def test_the_order_of_labels_does_not_matter(pairs: list[tuple[bool, bool]], unlabelled: tuple[int, int]) -> None:
    one, other = prediction_powered_mean(pairs, *unlabelled), prediction_powered_mean(sorted(pairs), *unlabelled)
    assert one.ppi is not None
    assert other.ppi is not None
    assert (other.ppi.value, other.ppi.low) == pytest.approx((one.ppi.value, one.ppi.low), abs=1e-12)
    assert other.weight == one.weight


def test_a_judge_that_always_says_the_same_is_not_believed() -> None:
    result = prediction_powered_mean([(True, True), (False, True), (True, True)], 100, 100)
    assert result.weight == 0
    assert result.ppi_pp == result.labels_only


def test_a_judge_right_on_all_labels_gives_what_it_says() -> None:
    result = prediction_powered_mean([(True, True), (False, False)] * 20, 25, 100)
    assert result.ppi is not None
    assert result.ppi.value == pytest.approx(0.25)
    assert result.is_narrower_than_labels_only


@pytest.mark.parametrize(
    ("pairs", "n", "why"),
    [
        ([], 10, "fewer than 2 labelled runs"),
        ([(True, True)], 10, "fewer than 2 labelled runs"),
        ([(True, True), (False, False)], 0, "no unlabelled run was decided"),
    ],
)
def test_too_little_gives_none_and_the_reason(pairs: list[tuple[bool, bool]], n: int, why: str) -> None:
    result = prediction_powered_mean(pairs, 0, n)
    assert (result.ppi, result.ppi_pp, result.labels_only, result.weight) == (None, None, None, None)
    assert result.why_none == why
    assert not result.is_narrower_than_labels_only


def test_more_passes_than_runs_are_refused() -> None:
    with pytest.raises(ValueError, match="passes <= unlabelled"):
        prediction_powered_mean([], 11, 10)
