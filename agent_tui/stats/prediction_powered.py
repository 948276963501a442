"""The pass rate of all runs from few labels and many verdicts, for labels that were drawn at random."""

from __future__ import annotations

from collections.abc import Iterable
from math import sqrt

from msgspec import Struct

from agent_tui.stats.intervals import Z95


class Estimate(Struct, frozen=True):
    """A pass rate with its 95 % interval, cut to 0..1."""

    value: float
    low: float
    high: float
    standard_error: float


class PredictionPowered(Struct, frozen=True):
    """Three estimates of one pass rate; holds only if the labelled runs were drawn at random from the same runs.

    All are None where there is too little to estimate from, and `why_none` says so.
    """

    n_labelled: int
    n_unlabelled: int
    ppi: Estimate | None
    ppi_pp: Estimate | None
    """With the verdicts weighted by `weight`: never much worse than labels alone."""
    labels_only: Estimate | None
    weight: float | None
    """Lambda, how far the verdicts are believed (0..1)."""
    why_none: str | None

    @property
    def is_narrower_than_labels_only(self) -> bool:
        """Whether the plain estimate gains anything over not asking the judge."""
        if self.ppi is None or self.labels_only is None:
            return False
        return self.ppi.standard_error < self.labels_only.standard_error


def prediction_powered_mean(
    labelled: Iterable[tuple[bool, bool]], judge_pass_unlabelled: int, n_unlabelled: int
) -> PredictionPowered:
    """mean(f over unlabelled) + mean(y - f), from (truth passed, judge passed) pairs (Angelopoulos et al. 2023, PPI).

    PPI++ weights f by Cov(y, f) / ((1 + n/N) Var(f over all)), cut to 0..1 (Angelopoulos, Duchi and Zrnic 2023).
    Variances are those of populations.
    """
    if not 0 <= judge_pass_unlabelled <= n_unlabelled:
        raise ValueError(f"{judge_pass_unlabelled} of {n_unlabelled}: needs 0 <= passes <= unlabelled")
    pairs = list(labelled)
    n = len(pairs)
    if n < 2 or not n_unlabelled:
        why = "fewer than 2 labelled runs" if n < 2 else "no unlabelled run was decided"
        return PredictionPowered(n, n_unlabelled, None, None, None, None, why)
    weight = _weight(pairs, judge_pass_unlabelled, n_unlabelled)
    unlabelled = judge_pass_unlabelled / n_unlabelled
    return PredictionPowered(
        n_labelled=n,
        n_unlabelled=n_unlabelled,
        ppi=_estimate(pairs, unlabelled, n_unlabelled, 1.0),
        ppi_pp=_estimate(pairs, unlabelled, n_unlabelled, weight),
        labels_only=_estimate(pairs, unlabelled, n_unlabelled, 0.0),
        weight=weight,
        why_none=None,
    )


def _estimate(pairs: list[tuple[bool, bool]], unlabelled: float, n_unlabelled: int, weight: float) -> Estimate:
    rests = [truth - weight * judge for truth, judge in pairs]
    mean = sum(rests) / len(rests)
    spread = sum((rest - mean) ** 2 for rest in rests) / len(rests)
    value = weight * unlabelled + mean
    variance = weight**2 * unlabelled * (1 - unlabelled) / n_unlabelled + spread / len(rests)
    error = sqrt(variance)
    return Estimate(_clamp(value), _clamp(value - Z95 * error), _clamp(value + Z95 * error), error)


def _weight(pairs: list[tuple[bool, bool]], passes: int, n_unlabelled: int) -> float:
    n = len(pairs)
    true, judged = sum(truth for truth, _ in pairs), sum(judge for _, judge in pairs)
    both = sum(truth and judge for truth, judge in pairs)
    pooled = (judged + passes) / (n + n_unlabelled)
    variance = pooled * (1 - pooled)
    if variance == 0:
        return 0.0
    covariance = both / n - true / n * (judged / n)
    return _clamp(covariance / ((1 + n / n_unlabelled) * variance))


def _clamp(rate: float) -> float:
    return min(1.0, max(0.0, rate))
