"""Intervals of a pass rate: one epoch a task, or several."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import sqrt
from operator import mul
from typing import NamedTuple

from msgspec import Struct

from agent_tui.stats.student_t import student_t_quantile

Z95 = 1.959963984540054
"""Two-sided 95 % point of the normal distribution."""
FEW_TASKS = 10
"""Below this many tasks an interval over tasks is not printed: `too few tasks`."""
_TWO_SIDED_95 = 0.975

Interval = tuple[float, float]


def wilson(passed: float, scored: float, z: float = Z95) -> Interval | None:
    """Wilson's score interval of a rate (both ends in 0..1); None where nothing was scored.

    (p + z²/2n ± z √(p(1-p)/n + z²/4n²)) / (1 + z²/n), with p = passed / scored and n = scored (Wilson 1927). Counts may
    be fractions: `wilson_effective` calls it so.
    """
    if scored <= 0:
        return None
    rate = passed / scored
    centre = rate + z * z / (2 * scored)
    half = z * sqrt(max(0.0, rate * (1 - rate)) / scored + z * z / (4 * scored * scored))
    scale = 1 + z * z / scored
    low = 0.0 if passed <= 0 else (centre - half) / scale
    high = 1.0 if passed >= scored else (centre + half) / scale
    return max(0.0, low), min(1.0, high)


class ClusteredRate(Struct, frozen=True):
    """A pass rate over several epochs of the same tasks, and how sure one may be of it.

    Epochs of one task are alike, so the tasks carry the uncertainty and the runs do not. `low`/`high` (t interval) and
    `wilson` are None where there are too few tasks, and `why_no_interval` says so in words.
    """

    rate: float
    runs: int
    """How many scored runs (a count)."""
    tasks: int
    """How many tasks have a scored run (a count)."""
    standard_error: float | None
    low: float | None
    high: float | None
    design_effect: float
    """Variance over that of as many independent runs (a ratio)."""
    effective_runs: float
    """Runs / design effect: as many independent runs would be as good (a count)."""
    wilson: Interval | None
    why_no_interval: str | None


def clustered(groups: Mapping[str, Sequence[bool]]) -> ClusteredRate | None:
    """The pass rate of runs grouped by task, with the interval that clustering by task leaves; None without runs.

    SE = √(C/(C-1) Σ_c (Σ_i (s_i - s̄))²) / N over C tasks and N runs; rate ± t(C-1 degrees of freedom) · SE,
    cut to 0..1 (cluster-robust variance of a mean: Liang and Zeger 1986; Miller 2024, "Adding Error Bars to
    Evals"). Beside it Wilson's interval at effective n = N / design effect with the same t for z (Korn and
    Graubard 1998), which keeps its width where every run passes. Below `FEW_TASKS` tasks neither is given.
    """
    return clustered_counts((len(runs), sum(runs)) for runs in groups.values())


def clustered_counts(counts: Iterable[tuple[int, int]]) -> ClusteredRate | None:
    """`clustered` where of each task only the number of scored runs and of passes is kept."""
    return clustered_pairs(Counter(counts))


def clustered_pairs(pairs: Mapping[tuple[int, int], int]) -> ClusteredRate | None:
    """`clustered` where it is only known how many tasks have so many scored runs and so many passes."""
    sums = _sums(pairs)
    total, tasks = sums.runs, sums.tasks
    if not total:
        return None
    rate = sums.passes / total
    error, effect = _cluster_error(sums), _design_effect(sums)
    enough = tasks >= FEW_TASKS
    t = student_t_quantile(_TWO_SIDED_95, tasks - 1) if enough else Z95
    half = t * error if enough and error is not None else None
    return ClusteredRate(
        rate=rate,
        runs=total,
        tasks=tasks,
        standard_error=error,
        low=None if half is None else max(0.0, rate - half),
        high=None if half is None else min(1.0, rate + half),
        design_effect=effect,
        effective_runs=total / effect,
        wilson=wilson_effective(rate, total, effect, t) if enough else None,
        why_no_interval=None if enough else f"too few tasks ({tasks}, needs {FEW_TASKS})",
    )


class _Sums(NamedTuple):
    """Sums over tasks, as whole numbers: they come out the same whichever way tasks were counted."""

    tasks: int
    runs: int
    passes: int
    runs_squared: int
    passes_squared: int
    products: int
    """Of the runs of a task and its passes."""


def _sums(pairs: Mapping[tuple[int, int], int]) -> _Sums:
    known = [(runs, passes, tasks) for (runs, passes), tasks in pairs.items() if runs and tasks]
    runs, passes, tasks = zip(*known, strict=True) if known else ((), (), ())
    all_runs, all_passes = list(map(mul, tasks, runs)), list(map(mul, tasks, passes))
    return _Sums(
        tasks=sum(tasks),
        runs=sum(all_runs),
        passes=sum(all_passes),
        runs_squared=sum(map(mul, all_runs, runs)),
        passes_squared=sum(map(mul, all_passes, passes)),
        products=sum(map(mul, all_runs, passes)),
    )


def wilson_effective(rate: float, scored: int, effect: float, z: float = Z95) -> Interval | None:
    """Wilson's interval at the effective number of runs, `scored` / `effect`."""
    effective = scored / effect
    return wilson(rate * effective, effective, z)


def design_effect(counts: Iterable[tuple[int, int]]) -> float:
    """How much clustering by task inflates the variance of the rate (a ratio, at least 1), from (runs, passes) a task.

    Cluster variance / (p(1-p)/N). Where all runs agree, both are 0 and nothing can be estimated: then the mean
    number of epochs weighted by size is taken, as if the epochs of a task were copies (the cautious end). Never
    below 1, so that tasks which happen to differ less than chance do not buy a narrower interval.
    """
    return _design_effect(_sums(Counter(counts)))


def _design_effect(sums: _Sums) -> float:
    if not sums.runs:
        return 1.0
    rate, error = sums.passes / sums.runs, _cluster_error(sums)
    if error is None or rate in (0.0, 1.0):
        return sums.runs_squared / sums.runs
    return max(1.0, error * error / (rate * (1 - rate) / sums.runs))


def _cluster_error(sums: _Sums) -> float | None:
    """The cluster-robust standard error of the mean (same unit as the rate); None for a single task.

    The sum over tasks of (passes - rate runs)² is worked out in whole numbers, times the square of all runs.
    """
    runs, passes = sums.runs, sums.passes
    if sums.tasks < 2:
        return None
    whole = runs * runs * sums.passes_squared - 2 * runs * passes * sums.products + passes * passes * sums.runs_squared
    squares = whole / (runs * runs)
    return sqrt(sums.tasks / (sums.tasks - 1) * squares) / runs
