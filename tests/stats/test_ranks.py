"""Order and association."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from agent_tui.stats.ranks import mann_whitney, mean_ranks, pearson

DISTINCT = st.lists(st.integers(0, 10_000), min_size=2, max_size=9, unique=True)


def test_equal_values_share_the_mean_of_their_ranks() -> None:
    assert mean_ranks([30, 10, 20, 20]) == [4, 1, 2.5, 2.5]
    assert mean_ranks([]) == []


@given(DISTINCT, st.data())
def test_the_exact_p_is_the_share_of_arrangements_at_least_as_far_out(values: list[int], data: st.DataObject) -> None:
    size = data.draw(st.integers(1, len(values) - 1))
    ours, others = values[:size], values[size:]
    middle = size * len(others) / 2

    def wins(chosen: tuple[int, ...]) -> int:
        return sum(a > b for a in chosen for b in values if b not in chosen)

    every = [wins(chosen) for chosen in combinations(values, size)]
    seen = wins(tuple(ours))
    far = sum(abs(u - middle) >= abs(seen - middle) for u in every)
    share, p = mann_whitney(ours, others)
    assert share == pytest.approx(seen / (size * len(others)))
    assert p == pytest.approx(1.0 if seen == middle else far / len(every))


@given(st.lists(st.integers(0, 20), min_size=1, max_size=30), st.lists(st.integers(0, 20), min_size=1, max_size=30))
def test_the_two_sides_mirror_each_other(ours: list[int], others: list[int]) -> None:
    share, p = mann_whitney(ours, others)
    mirrored, same_p = mann_whitney(others, ours)
    assert mirrored == pytest.approx(1 - share)
    assert same_p == pytest.approx(p)
    assert p is None or 0 <= p <= 1


def test_where_all_are_equal_there_is_nothing_to_test() -> None:
    assert mann_whitney([5, 5], [5, 5, 5]) == (0.5, None)


def test_beyond_20_values_the_normal_curve_stands_in() -> None:
    # scipy 1.12: stats.mannwhitneyu(range(0, 22, 2), range(1, 23, 2), method="asymptotic")
    assert mann_whitney(range(0, 22, 2), range(1, 23, 2)) == pytest.approx((55 / 121, 0.7426659029197), abs=1e-12)


@given(st.lists(st.integers(-50, 50), min_size=2, max_size=20), st.integers(1, 9), st.integers(-9, 9))
def test_a_straight_line_correlates_fully(xs: list[int], slope: int, shift: int) -> None:
    assume(len(set(xs)) > 1)
    assert pearson(xs, [slope * x + shift for x in xs]) == pytest.approx(1)
    assert pearson(xs, [-slope * x + shift for x in xs]) == pytest.approx(-1)


def test_what_does_not_vary_does_not_correlate() -> None:
    assert pearson([1, 1, 1], [1, 2, 3]) is None
    assert pearson([], []) is None
