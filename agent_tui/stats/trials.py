"""Several trials of one task: does it pass once (pass@k), does it pass always (pass^k)."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from math import comb
from typing import TypedDict

MOST_K = 100
"""The largest k that `trials` works out (a count): beyond it nobody reads on."""


def pass_at(n: int, c: int, k: int) -> float | None:
    """pass@k: the chance that at least one of k trials passes, from c passes in n trials; None where n < k.

    1 - C(n-c, k) / C(n, k): k of the n trials drawn without replacement (Chen et al. 2021).
    """
    if not _drawable(n, c, k):
        return None
    return 1 - comb(n - c, k) / comb(n, k)


def pass_hat(n: int, c: int, k: int) -> float | None:
    """pass^k: the chance that all of k trials pass, from c passes in n trials; None where n < k.

    C(c, k) / C(n, k): k of the n trials drawn without replacement (Yao et al. 2024, tau-bench).
    """
    if not _drawable(n, c, k):
        return None
    return comb(c, k) / comb(n, k)


def _drawable(n: int, c: int, k: int) -> bool:
    if not 0 <= c <= n or k < 1:
        raise ValueError(f"{c} passes in {n} trials, k = {k}: needs 0 <= passes <= trials and k >= 1")
    return k <= n


class TrialValue(TypedDict):
    """The mean of one k over `tasks` tasks `of` those that have trials; None where no task has k trials."""

    value: float | None
    tasks: int
    of: int


class Trials(TypedDict):
    """pass^k and pass@k for each k up to the largest number of trials; `unequal` where tasks differ in it."""

    tasks: int
    unequal: bool
    pass_hat: dict[int, TrialValue]
    pass_at: dict[int, TrialValue]


def trials(groups: Mapping[str, Sequence[bool]]) -> Trials:
    """pass^k and pass@k averaged over tasks (not over runs), with how many tasks had k trials.

    A task with fewer than k trials is left out of that k and never counted as 0; a task without trials is in nothing.
    """
    return trials_of_counts((len(passed), sum(passed)) for passed in groups.values())


def trials_of_counts(counts: Iterable[tuple[int, int]]) -> Trials:
    """`trials` where of each task only the number of scored trials and of passes is kept."""
    return trials_of_pairs(Counter(counts))


def trials_of_pairs(pairs: Mapping[tuple[int, int], int]) -> Trials:
    """`trials` where it is only known how many tasks have so many scored trials and so many passes."""
    # In one order, so that sums come out the same whichever way tasks were counted.
    filled = {(n, c): tasks for (n, c), tasks in sorted(pairs.items()) if n and tasks}
    sizes = {n for n, _ in filled}
    each_k = range(1, min(MOST_K, max(sizes, default=0)) + 1)
    estimates = [(_estimates(n, c), tasks) for (n, c), tasks in filled.items()]
    return {
        "tasks": sum(filled.values()),
        "unequal": len(sizes) > 1,
        "pass_hat": {k: _over_tasks([(hats, tasks) for (hats, _), tasks in estimates], k) for k in each_k},
        "pass_at": {k: _over_tasks([(ats, tasks) for (_, ats), tasks in estimates], k) for k in each_k},
    }


@lru_cache(maxsize=2048)
def _estimates(n: int, c: int) -> tuple[array[float], array[float]]:
    """pass^k and pass@k of a task for each k that it has trials for, from 1."""
    each_k = range(1, min(n, MOST_K) + 1)
    return array("d", [pass_hat(n, c, k) or 0.0 for k in each_k]), array("d", [pass_at(n, c, k) or 0.0 for k in each_k])


def _over_tasks(estimates: Sequence[tuple[array[float], int]], k: int) -> TrialValue:
    known = [(values[k - 1], tasks) for values, tasks in estimates if len(values) >= k]
    total = sum(tasks for _, tasks in known)
    value = sum(value * tasks for value, tasks in known) / total if known else None
    return {"value": value, "tasks": total, "of": sum(tasks for _, tasks in estimates)}
