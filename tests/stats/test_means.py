"""Means over what can be averaged."""

from __future__ import annotations

from math import inf, nan

from agent_tui.stats import Mean, mean_of_usable


def test_what_is_not_a_finite_number_is_counted_and_not_averaged() -> None:
    assert mean_of_usable([1, None, 0.5, nan, inf, "0.9", True]) == Mean(value=2.5 / 3, n=3, of=7)


def test_a_mean_over_nothing_is_none_and_not_zero() -> None:
    assert mean_of_usable([None]) == Mean(value=None, n=0, of=1)
    assert mean_of_usable([]).value is None


def test_many_small_numbers_do_not_drift() -> None:
    assert mean_of_usable([0.1] * 10).value == 0.1
