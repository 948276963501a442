"""The pass rate of unlabelled runs, corrected for the errors a judge makes on the labelled ones."""

from __future__ import annotations

from math import sqrt

from msgspec import Struct

from agent_tui.stats.intervals import Z95, Interval


class CorrectedRate(Struct, frozen=True):
    """A judge's pass rate corrected by its sensitivity and specificity; holds however the labels were picked.

    Where the correction is refused its figures are None and `why_none` says why.
    """

    observed: float | None
    """What the judge said, uncorrected (0..1)."""
    sensitivity: float | None
    specificity: float | None
    youden_j: float | None
    raw: float | None
    """The formula's own figure, which may lie outside 0..1."""
    corrected: float | None
    is_clamped: bool
    """Whether `raw` was outside 0..1: then say so."""
    delta: Interval | None
    """95 % interval by the delta method: too narrow with few labels, kept to compare."""
    interval: Interval | None
    """95 % interval of Lang and Reiczigel: the one to show."""
    why_none: str | None


def rogan_gladen(
    pass_unlabelled: int, n_unlabelled: int, tp: int, n_truth_pass: int, tn: int, n_truth_fail: int
) -> CorrectedRate:
    """(p + Sp - 1) / (Se + Sp - 1), all over decided verdicts (Rogan and Gladen 1978; Lang and Reiczigel 2014).

    The judge passed `pass_unlabelled` of `n_unlabelled`, `tp` of the right answers, and failed `tn` of the wrong ones.
    A judge that is no better than chance on the labels corrects nothing.
    """
    n, n1, n0 = n_unlabelled, n_truth_pass, n_truth_fail
    if not (0 <= pass_unlabelled <= n and 0 <= tp <= n1 and 0 <= tn <= n0):
        raise ValueError("a count is below 0 or above its total")
    better = tp * n0 + tn * n1 - n1 * n0  # J · n1 · n0: in whole numbers, a coin-flip judge is exactly 0
    p, se, sp = pass_unlabelled / n if n else None, tp / n1 if n1 else None, tn / n0 if n0 else None
    if p is None or se is None or sp is None or better <= 0:
        youden = better / (n1 * n0) if n1 and n0 else None
        return CorrectedRate(p, se, sp, youden, None, None, False, None, None, _why_refused(n, n1, n0))
    youden = better / (n1 * n0)
    raw = (pass_unlabelled * n0 + tn * n - n * n0) * n1 / (better * n)
    half = Z95 * sqrt(_variance(p, n, se, n1, sp, n0, raw)) / youden
    return CorrectedRate(
        observed=p,
        sensitivity=se,
        specificity=sp,
        youden_j=youden,
        raw=raw,
        corrected=_clamp(raw),
        is_clamped=not 0 <= raw <= 1,
        delta=(_clamp(raw - half), _clamp(raw + half)),
        interval=_lang_reiczigel(p, n, se, n1, sp, n0),
        why_none=None,
    )


def _why_refused(n_unlabelled: int, n_truth_pass: int, n_truth_fail: int) -> str:
    if not n_truth_pass:
        return "no right answer was decided"
    if not n_truth_fail:
        return "no wrong answer was decided"
    if not n_unlabelled:
        return "no unlabelled run was decided"
    return "judge no better than chance on the labels: no correction, no rate"


def _lang_reiczigel(p: float, n: int, se: float, n1: int, sp: float, n0: int) -> Interval:
    """The interval from figures drawn towards the middle; 0..1 where they leave no judge better than chance."""
    square = Z95 * Z95
    p = (n * p + square / 2) / (n + square)
    se, sp = (n1 * se + 1) / (n1 + 2), (n0 * sp + 1) / (n0 + 2)
    youden = se + sp - 1
    if youden <= 0:
        return 0.0, 1.0
    rate = (p + sp - 1) / youden
    shift = 2 * square * (rate * se * (1 - se) / (n1 + 2) - (1 - rate) * sp * (1 - sp) / (n0 + 2))
    half = Z95 * sqrt(_variance(p, n + square, se, n1 + 2, sp, n0 + 2, rate)) / youden
    return _clamp(rate + shift - half), _clamp(rate + shift + half)


def _variance(p: float, n: float, se: float, n1: int, sp: float, n0: int, rate: float) -> float:
    """What the three samples add to the variance, before it is divided by J²."""
    return p * (1 - p) / n + rate**2 * se * (1 - se) / n1 + (1 - rate) ** 2 * sp * (1 - sp) / n0


def _clamp(rate: float) -> float:
    return min(1.0, max(0.0, rate))
