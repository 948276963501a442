"""Does a judge pass more wrong answers of its own family?"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_tui.stats.family_preference import fisher_exact, newcombe, same_family_preference

PART = st.integers(1, 80).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


@given(PART, PART)
def test_the_interval_holds_the_difference(same: tuple[int, int], other: tuple[int, int]) -> None:
    result = same_family_preference(*same, *other)
    assert result.low is not None
    assert result.high is not None
    assert result.difference is not None
    assert -1 - 1e-12 <= result.low <= result.difference <= result.high <= 1 + 1e-12


@given(PART, PART)
def test_changing_sides_turns_the_sign_and_keeps_p(same: tuple[int, int], other: tuple[int, int]) -> None:
    interval = newcombe(*same, *other)
    assert interval is not None
    assert newcombe(*other, *same) == pytest.approx((-interval[1], -interval[0]), abs=1e-12)
    assert fisher_exact(*other, *same) == pytest.approx(fisher_exact(*same, *other), abs=1e-12)


@given(PART, PART)
def test_p_is_a_probability_and_sees_no_direction(same: tuple[int, int], other: tuple[int, int]) -> None:
    p = fisher_exact(*same, *other)
    assert 0 < p <= 1
    assert fisher_exact(same[1] - same[0], same[1], other[1] - other[0], other[1]) == pytest.approx(p, abs=1e-12)


def test_equal_rates_give_p_1() -> None:
    assert fisher_exact(5, 10, 10, 20) == 1
    assert fisher_exact(0, 10, 0, 20) == 1


def test_a_table_that_is_only_slightly_likelier_does_not_count() -> None:
    # scipy 1.12: stats.fisher_exact; one other table is 1.018 times as likely as this one
    assert fisher_exact(2, 11, 6, 14) == pytest.approx(0.2336842105263, abs=1e-12)


def test_the_lady_tasting_tea() -> None:
    assert fisher_exact(3, 4, 1, 4) == pytest.approx(34 / 70)


def test_an_empty_side_is_named() -> None:
    assert same_family_preference(0, 0, 4, 30).why_none == "no wrong answer by the judge's own family: not testable"
    assert same_family_preference(1, 3, 0, 0).why_none == "no wrong answer by another family: not testable"
    assert newcombe(1, 3, 0, 0) is None
