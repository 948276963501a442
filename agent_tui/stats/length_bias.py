"""Does a judge pass the longer of wrong answers?"""

from __future__ import annotations

from collections.abc import Iterable
from math import log10, sqrt

from msgspec import Struct

from agent_tui.stats.ranks import mann_whitney, mean_ranks, pearson
from agent_tui.stats.student_t import student_t_cdf


class LengthBias(Struct, frozen=True):
    """How length goes with a pass among wrong answers; None where it cannot be tested, `why_none` says why."""

    n: int
    n_pass: int
    auc: float | None
    """The chance that a passed one is longer than a failed one (0..1, 0.5 = length does not matter)."""
    p_value: float | None
    spearman: float | None
    point_biserial: float | None
    """Correlation of pass and log10 of the length (-1..1)."""
    point_biserial_p: float | None
    why_none: str | None


def length_bias(wrong_answers: Iterable[tuple[int, bool | None]]) -> LengthBias:
    """AUC with Mann and Whitney's p (1947), Spearman's and the point-biserial correlation, of (length, judge passed).

    Only answers whose recorded truth is fail belong in here: among all answers length goes with being right, and the
    figure would blame the judge for that. Undetermined (None) is left out.
    """
    decided = [(length, passed) for length, passed in wrong_answers if passed is not None]
    lengths, passes = [length for length, _ in decided], [float(passed) for _, passed in decided]
    if any(length < 0 for length in lengths):
        raise ValueError("a length is below 0")
    n, n_pass = len(decided), sum(passed for _, passed in decided)
    if n_pass in (0, n):
        why = "only one verdict among wrong answers: not testable" if n else "no wrong answer was decided: not testable"
        return LengthBias(n, n_pass, None, None, None, None, None, why)
    auc, p_value = mann_whitney([x for x, passed in decided if passed], [x for x, passed in decided if not passed])
    # An empty answer has no logarithm; one character stands in for it.
    biserial = pearson([log10(max(1, length)) for length in lengths], passes)
    return LengthBias(
        n=n,
        n_pass=n_pass,
        auc=auc,
        p_value=p_value,
        spearman=pearson(mean_ranks(lengths), passes),
        point_biserial=biserial,
        point_biserial_p=None if biserial is None else _correlation_p(biserial, n),
        why_none="all wrong answers are equally long: not testable" if p_value is None else None,
    )


def _correlation_p(correlation: float, n: int) -> float | None:
    """Two-sided p of no correlation, by t with n - 2 degrees of freedom; None for two points."""
    if n < 3:
        return None
    rest = (1 - correlation) * (1 + correlation)
    if rest <= 0:
        return 0.0
    return 2 * student_t_cdf(-abs(correlation) * sqrt((n - 2) / rest), n - 2)
