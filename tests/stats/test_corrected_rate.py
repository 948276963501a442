"""A judge's pass rate, corrected for the errors it makes on labels."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_tui.stats.corrected_rate import rogan_gladen

PART = st.integers(1, 200).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


def test_a_perfect_judge_needs_no_correction() -> None:
    result = rogan_gladen(300, 1000, 50, 50, 50, 50)
    assert (result.observed, result.corrected, result.is_clamped) == (0.3, 0.3, False)


@given(PART, PART, PART)
def test_figures_stay_within_0_and_1_or_are_refused_with_a_reason(
    unlabelled: tuple[int, int], right: tuple[int, int], wrong: tuple[int, int]
) -> None:
    result = rogan_gladen(*unlabelled, *right, *wrong)
    if result.corrected is None or result.delta is None or result.interval is None:
        assert result.youden_j is not None
        assert result.youden_j <= 0
        assert (result.raw, result.delta, result.interval) == (None, None, None)
        assert "no better than chance" in (result.why_none or "")
        return
    assert 0 <= result.corrected <= 1
    assert 0 <= result.delta[0] <= result.corrected <= result.delta[1] <= 1
    assert 0 <= result.interval[0] <= result.interval[1] <= 1
    assert result.is_clamped == (result.raw != result.corrected)


@given(PART, PART, PART)
def test_passes_and_failures_may_change_places(
    unlabelled: tuple[int, int], right: tuple[int, int], wrong: tuple[int, int]
) -> None:
    result = rogan_gladen(*unlabelled, *right, *wrong)
    mirrored = rogan_gladen(unlabelled[1] - unlabelled[0], unlabelled[1], *wrong, *right)
    if result.corrected is None or result.interval is None:
        assert mirrored.corrected is None
        return
    assert mirrored.corrected == pytest.approx(1 - result.corrected, abs=1e-9)
    assert mirrored.interval == pytest.approx((1 - result.interval[1], 1 - result.interval[0]), abs=1e-9)


@pytest.mark.parametrize("passes", [0, 3, 7, 10])
def test_what_the_errors_explain_exactly_is_not_called_clamped(passes: int) -> None:
    wrongly_passed = rogan_gladen(passes, 10, 10, 10, 10 - passes, 10)
    if passes < 10:
        assert (wrongly_passed.corrected, wrongly_passed.is_clamped) == (0, False)
    else:
        assert wrongly_passed.corrected is None


@pytest.mark.parametrize(
    ("counts", "why"),
    [
        ((5, 10, 0, 0, 3, 4), "no right answer was decided"),
        ((5, 10, 3, 4, 0, 0), "no wrong answer was decided"),
        ((0, 0, 3, 4, 3, 4), "no unlabelled run was decided"),
    ],
)
def test_what_is_missing_is_named(counts: tuple[int, int, int, int, int, int], why: str) -> None:
    result = rogan_gladen(*counts)
    assert (result.corrected, result.interval, result.why_none) == (None, None, why)


def test_a_judge_barely_better_than_chance_leaves_everything_open() -> None:
    result = rogan_gladen(5, 10, 38, 100, 2, 3)
    assert result.youden_j == pytest.approx(0.0466667)
    assert result.interval == (0, 1)


def test_more_passes_than_runs_are_refused() -> None:
    with pytest.raises(ValueError, match="above its total"):
        rogan_gladen(11, 10, 3, 4, 3, 4)
