"""Intervals of a rate."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_tui.stats import clustered, clustered_counts, design_effect, wilson

COUNTS = st.integers(1, 3000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))
GROUPS = st.dictionaries(st.text(max_size=3), st.lists(st.booleans(), max_size=5), max_size=30)


@pytest.mark.parametrize(
    ("passed", "scored", "low", "high"),
    [
        (9, 10, 0.5958499732, 0.9821237869),
        (10, 10, 0.7224672001, 1.0),
        (50, 100, 0.4038315303, 0.5961684697),
        (5, 5, 0.5655175352, 1.0),
        (4, 5, 0.3755346298, 0.9637758914),
        (0, 12, 0.0, 0.2424940067),
        (87, 100, 0.7901964856, 0.9224283257),
    ],
)
def test_wilson_gives_the_published_figures(passed: int, scored: int, low: float, high: float) -> None:
    assert wilson(passed, scored) == pytest.approx((low, high), abs=1e-9)


def test_a_rate_over_nothing_has_no_interval() -> None:
    assert wilson(0, 0) is None


@given(COUNTS)
def test_wilson_stays_within_0_and_1_and_holds_the_rate(counts: tuple[int, int]) -> None:
    passed, scored = counts
    interval = wilson(passed, scored)
    assert interval is not None
    assert 0 <= interval[0] <= passed / scored <= interval[1] <= 1


@given(COUNTS)
def test_one_more_pass_lifts_both_ends(counts: tuple[int, int]) -> None:
    passed, scored = counts
    before, after = wilson(passed, scored + 1), wilson(passed + 1, scored + 1)
    assert before is not None
    assert after is not None
    assert before[0] < after[0]
    assert before[1] < after[1]


@given(COUNTS)
def test_the_interval_mirrors_when_passes_and_failures_change_places(counts: tuple[int, int]) -> None:
    passed, scored = counts
    interval, mirrored = wilson(passed, scored), wilson(scored - passed, scored)
    assert interval is not None
    assert mirrored == pytest.approx((1 - interval[1], 1 - interval[0]), abs=1e-12)


def test_a_clustered_rate_agrees_with_inspect() -> None:
    passes = [2, 1, 2, 3, 4, 0, 1, 2, 3, 4, 0, 1]
    rate = clustered_counts(zip([3] + [4] * 11, passes, strict=True))
    assert rate is not None
    # ci(cluster=..) and ci_wilson(cluster=..) of inspect-ai 0.3.285 on the same scores
    assert (rate.low, rate.high) == pytest.approx((0.26406068326, 0.71466272099), abs=1e-9)
    assert rate.wilson == pytest.approx((0.28574730213, 0.69656838920), abs=1e-9)


def test_below_ten_tasks_it_says_so_instead_of_a_bar() -> None:
    rate = clustered({f"t{i}": [True, False] for i in range(9)})
    assert rate is not None
    assert (rate.low, rate.high, rate.wilson) == (None, None, None)
    assert rate.why_no_interval == "too few tasks (9, needs 10)"


def test_epochs_that_always_agree_count_as_one_run_a_task() -> None:
    rate = clustered({f"t{i}": [i % 2 == 0] * 4 for i in range(20)})
    assert rate is not None
    assert rate.effective_runs == pytest.approx(19, abs=1e-9)
    assert rate.design_effect > 4


def test_passing_everywhere_does_not_make_one_certain() -> None:
    rate = clustered({f"t{i}": [True] * 5 for i in range(10)})
    assert rate is not None
    assert rate.effective_runs == 10
    assert rate.wilson is not None
    assert rate.wilson[0] < 0.73


@given(GROUPS)
def test_clustering_never_makes_an_interval_leave_0_to_1(groups: dict[str, list[bool]]) -> None:
    rate = clustered(groups)
    if rate is None:
        assert not any(groups.values())
        return
    ends = [end for end in (rate.low, rate.high, *(rate.wilson or ())) if end is not None]
    assert all(0 <= end <= 1 for end in ends)
    assert rate.effective_runs <= rate.runs + 1e-9


def test_without_runs_there_is_neither_rate_nor_effect() -> None:
    assert clustered({"a": []}) is None
    assert design_effect([]) == 1.0
