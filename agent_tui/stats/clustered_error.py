"""How sure an agreement is where several labelled runs belong to one task."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import sqrt

from msgspec import Struct


class ClusteredError(Struct, frozen=True):
    """Standard errors of a share of `n` runs in `clusters` tasks, as if independent and as they are."""

    n: int
    clusters: int
    mean: float | None
    se_naive: float | None
    se_clustered: float | None
    design_effect: float | None
    """Clustered variance over naive variance; None where all runs are alike."""
    effective_n: float | None
    """n / design effect; above n where runs of a task differ more than chance would have it."""
    why_none: str | None

    @property
    def usable_n(self) -> float | None:
        """The effective n, never more than n: what may be claimed. None where all runs are alike."""
        if self.design_effect is None:
            return None
        return self.n if self.effective_n is None else min(self.n, self.effective_n)


def clustered_error(groups: Mapping[str, Sequence[bool]]) -> ClusteredError:
    """Var = Σ_g (Σ_i (y_i - ȳ))² / n², in population form (Liang and Zeger 1986; Miller 2024), of runs by task.

    Runs of one task are alike: eight runs of two tasks may be as good as two. `intervals.clustered` gives the interval
    of a pass rate, with its factor for few tasks.
    """
    counts = [(len(runs), sum(runs)) for runs in groups.values() if runs]
    n, right = sum(size for size, _ in counts), sum(passed for _, passed in counts)
    if not n:
        return ClusteredError(0, 0, None, None, None, None, None, "no labelled runs")
    # n times the residuals of a task are whole numbers, so that a sum of 0 is 0
    squares = sum((passed * n - right * size) ** 2 for size, passed in counts)
    spread = n * right * (n - right)
    return ClusteredError(
        n=n,
        clusters=len(counts),
        mean=right / n,
        se_naive=sqrt(spread / n**4),
        se_clustered=sqrt(squares / n**4),
        design_effect=squares / spread if spread else None,
        effective_n=n * spread / squares if squares else None,
        why_none=None if squares else _why_no_effective_n(spread),
    )


def _why_no_effective_n(spread: int) -> str:
    return "every task has the same share" if spread else "all runs are alike: no variance"
