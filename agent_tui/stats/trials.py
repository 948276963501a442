"""Several trials of one task: does it pass once (pass@k), does it pass always (pass^k)."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate, zip_longest
from math import comb
from operator import mul, truediv
from typing import TypedDict

MOST_K = 100
"""The largest k that `trials` works out (a count): beyond it nobody reads on."""
_FEW = 64


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
    tasks, of = list(filled.values()), sum(filled.values())
    having = [sum(times for (n, _), times in filled.items() if n >= k) if min(sizes) < k else of for k in each_k]

    def over_tasks(estimates: Iterable[array[float]]) -> dict[int, TrialValue]:
        """The mean of each k over the tasks that have so many trials; the others add nothing."""
        columns = zip_longest(*estimates, fillvalue=0.0)
        return {
            k: {"value": sum(map(mul, values, tasks)) / known, "tasks": known, "of": of}
            for k, values, known in zip(each_k, columns, having, strict=True)
        }

    return {
        "tasks": of,
        "unequal": len(sizes) > 1,
        "pass_hat": over_tasks(_estimates(n, c)[0] for n, c in filled),
        "pass_at": over_tasks(_estimates(n, c)[1] for n, c in filled),
    }


@lru_cache(maxsize=4096)
def _estimates(n: int, c: int) -> tuple[array[float], array[float]]:
    """pass^k and pass@k of a task for each k that it has trials for, from 1."""
    return array("d", _chances(c, n)), array("d", [1 - chance for chance in _chances(n - c, n)])


def _chances(m: int, n: int) -> Iterator[float]:
    """C(m, k) / C(n, k) for each k from 1: exact where few are drawn from, else to 1e-13 and ten times as fast."""
    most = min(n, MOST_K)
    above, below = (max(0, m - drawn) for drawn in range(most)), range(n, n - most, -1)
    if n > _FEW:
        return accumulate(map(truediv, above, below), mul)
    return map(truediv, accumulate(above, mul), accumulate(below, mul))
