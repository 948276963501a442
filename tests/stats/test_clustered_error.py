"""Agreement where several runs belong to one task."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_tui.stats.clustered_error import clustered_error

GROUPS = st.dictionaries(st.text(max_size=3), st.lists(st.booleans(), max_size=6), max_size=15)


@given(GROUPS)
def test_what_may_be_claimed_is_never_more_than_n(groups: dict[str, list[bool]]) -> None:
    result = clustered_error(groups)
    assert result.usable_n is None or 0 < result.usable_n <= result.n
    assert (result.effective_n is None) == bool(result.why_none)


@given(GROUPS)
def test_the_order_of_tasks_and_runs_does_not_matter(groups: dict[str, list[bool]]) -> None:
    turned = {name: runs[::-1] for name, runs in reversed(groups.items())}
    assert clustered_error(turned) == clustered_error(groups)


@given(st.lists(st.booleans(), min_size=1, max_size=30))
def test_one_run_a_task_changes_nothing(runs: list[bool]) -> None:
    result = clustered_error({str(place): [run] for place, run in enumerate(runs)})
    assert result.se_clustered == pytest.approx(result.se_naive)
    assert result.design_effect in (None, pytest.approx(1))


@given(GROUPS, st.integers(2, 5))
def test_copies_of_runs_add_no_certainty(groups: dict[str, list[bool]], copies: int) -> None:
    one = clustered_error(groups)
    copied = clustered_error({name: runs * copies for name, runs in groups.items()})
    assert copied.se_clustered == pytest.approx(one.se_clustered)
    assert copied.effective_n == pytest.approx(one.effective_n)


def test_without_runs_nothing_is_known() -> None:
    result = clustered_error({"a": []})
    assert (result.n, result.mean, result.se_naive, result.why_none) == (0, None, None, "no labelled runs")


def test_the_reason_tells_no_variance_from_tasks_that_are_alike() -> None:
    assert clustered_error({"a": [True], "b": [True]}).why_none == "all runs are alike: no variance"
    alike = clustered_error({"a": [True, False], "b": [False, True]})
    assert (alike.why_none, alike.usable_n) == ("every task has the same share", 4)
