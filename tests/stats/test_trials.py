"""pass@k and pass^k."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_tui.stats import pass_at, pass_hat, trials, trials_of_pairs
from agent_tui.stats.trials import MOST_K

CASE = Path(__file__).parent.parent / "cases" / "04-pass-hat-k-with-too-few-trials"
TASKS = st.dictionaries(st.text(max_size=2), st.lists(st.booleans(), max_size=6), max_size=5)


@pytest.fixture
def groups() -> dict[str, list[bool]]:
    """The scores of case 04, grouped by task."""
    by_task: dict[str, list[bool]] = defaultdict(list)
    for run in json.loads((CASE / "run.json").read_text(encoding="utf-8"))["runs"]:
        by_task[run["id"]].append(run["scores"]["success"] >= 1)
    return by_task


def test_case_04_gives_its_figures(groups: dict[str, list[bool]]) -> None:
    found = re.search(r"```json\n(.*?)```", (CASE / "case.md").read_text(encoding="utf-8"), re.DOTALL)
    assert found
    expect = json.loads(found[1])
    result = trials(groups)
    assert result["unequal"]
    assert result["pass_hat"][1]["value"] == pytest.approx(expect["pass_hat"]["1"], abs=5e-5)
    assert result["pass_hat"][2]["value"] == pytest.approx(expect["pass_hat"]["2"], abs=5e-5)
    assert result["pass_hat"][4] == expect["pass_hat"]["4"]


def test_case_04_keeps_the_two_measures_apart() -> None:
    assert pass_hat(4, 2, 2) == pytest.approx(0.1667, abs=5e-5)
    assert pass_at(4, 2, 2) == pytest.approx(0.8333, abs=5e-5)
    assert pass_hat(2, 2, 4) is None
    assert pass_at(2, 2, 4) is None


@pytest.mark.parametrize(
    ("n", "c", "k", "at", "hat"), [(8, 4, 2, 0.7857, 0.2143), (5, 3, 3, 1.0, 0.1), (4, 1, 1, 0.25, 0.25)]
)
def test_worked_examples(n: int, c: int, k: int, at: float, hat: float) -> None:
    assert pass_at(n, c, k) == pytest.approx(at, abs=5e-5)
    assert pass_hat(n, c, k) == pytest.approx(hat, abs=5e-5)


@given(st.lists(st.booleans(), min_size=1, max_size=7), st.integers(1, 7))
def test_they_are_what_drawing_k_trials_would_show(passed: list[bool], k: int) -> None:
    draws = list(combinations(passed, k))
    n, c = len(passed), sum(passed)
    if not draws:
        assert pass_at(n, c, k) is pass_hat(n, c, k) is None
        return
    assert pass_at(n, c, k) == pytest.approx(sum(map(any, draws)) / len(draws))
    assert pass_hat(n, c, k) == pytest.approx(sum(map(all, draws)) / len(draws))


@given(TASKS)
def test_a_task_with_too_few_trials_is_left_out_and_counted(groups: dict[str, list[bool]]) -> None:
    result = trials(groups)
    filled = [passed for passed in groups.values() if passed]
    assert list(result["pass_hat"]) == list(range(1, max(map(len, filled), default=0) + 1))
    for k, value in result["pass_hat"].items():
        assert value["of"] == result["tasks"] == len(filled)
        assert value["tasks"] == sum(len(passed) >= k for passed in filled)


def test_more_passes_than_trials_are_refused() -> None:
    with pytest.raises(ValueError, match="3 passes in 2 trials"):
        pass_at(2, 3, 1)


@given(st.integers(1, 400).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n))))
def test_every_k_is_what_the_formula_gives_however_many_trials_there_are(counts: tuple[int, int]) -> None:
    n, c = counts
    result = trials_of_pairs({(n, c): 3, (1, 1): 1})
    for k in range(2, min(n, MOST_K) + 1):
        for found, formula in ((result["pass_hat"], pass_hat), (result["pass_at"], pass_at)):
            assert found[k] == {"value": pytest.approx(formula(n, c, k), abs=1e-12), "tasks": 3, "of": 4}
