"""A judge's verdicts against recorded truth: six counts and the rates that follow from them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from math import sqrt

from msgspec import Struct

from agent_tui.stats.rates import Figure, Rate, rate_of

_NO_LABELS = "no labelled runs"
_NOTHING_DECIDED = "no labelled run was decided"
_NO_RIGHT = "no right answer is labelled"
_NO_WRONG = "no wrong answer is labelled"
_NO_RIGHT_DECIDED = "no right answer was decided"
_NO_WRONG_DECIDED = "no wrong answer was decided"


class Confusion(Struct, frozen=True):
    """Counts of labelled runs: first letter the truth (p, f), second the judge (p, f, u for undetermined).

    A rate that ends in `_decided` leaves undetermined out of its denominator; every other one keeps it in.
    """

    pp: int
    pf: int
    pu: int
    fp: int
    ff: int
    fu: int

    def __post_init__(self) -> None:
        if min(self.pp, self.pf, self.pu, self.fp, self.ff, self.fu) < 0:
            raise ValueError("a count is below 0")

    @property
    def truth_pass(self) -> int:
        """Right answers that are labelled."""
        return self.pp + self.pf + self.pu

    @property
    def truth_fail(self) -> int:
        """Wrong answers that are labelled."""
        return self.fp + self.ff + self.fu

    @property
    def labelled(self) -> int:
        return self.truth_pass + self.truth_fail

    @property
    def agreed(self) -> int:
        return self.pp + self.ff

    @property
    def decided(self) -> int:
        """Labelled runs that the judge passed or failed."""
        return self.pp + self.pf + self.fp + self.ff

    @property
    def decided_table(self) -> tuple[tuple[int, int], tuple[int, int]]:
        """Rows truth, columns judge, pass first: what kappa, AC1 and alpha are computed from."""
        return (self.pp, self.pf), (self.fp, self.ff)

    @property
    def agreement_decided(self) -> Rate:
        return rate_of(self.agreed, self.decided, _NOTHING_DECIDED if self.labelled else _NO_LABELS)

    @property
    def agreement_strict(self) -> Rate:
        """Agreement where an undetermined verdict counts as a miss."""
        return rate_of(self.agreed, self.labelled, _NO_LABELS)

    @property
    def coverage(self) -> Rate:
        return rate_of(self.decided, self.labelled, _NO_LABELS)

    @property
    def false_pass(self) -> Rate:
        """Wrong answers that the judge passed, of all wrong answers."""
        return rate_of(self.fp, self.truth_fail, _NO_WRONG)

    @property
    def false_fail(self) -> Rate:
        """Right answers that the judge failed, of all right answers."""
        return rate_of(self.pf, self.truth_pass, _NO_RIGHT)

    @property
    def false_pass_decided(self) -> Rate:
        return rate_of(self.fp, self.fp + self.ff, _NO_WRONG_DECIDED)

    @property
    def false_fail_decided(self) -> Rate:
        return rate_of(self.pf, self.pp + self.pf, _NO_RIGHT_DECIDED)

    @property
    def wrong_among_passed(self) -> Rate:
        """Of what the judge passed, how much is wrong."""
        return rate_of(self.fp, self.pp + self.fp, "the judge passed no labelled run")

    @property
    def wrong_among_failed(self) -> Rate:
        """Of what the judge failed, how much was failed wrongly."""
        return rate_of(self.pf, self.pf + self.ff, "the judge failed no labelled run")

    @property
    def sensitivity_decided(self) -> Rate:
        """Right answers that the judge passed, among decided."""
        return rate_of(self.pp, self.pp + self.pf, _NO_RIGHT_DECIDED)

    @property
    def specificity_decided(self) -> Rate:
        """Wrong answers that the judge failed, among decided."""
        return rate_of(self.ff, self.fp + self.ff, _NO_WRONG_DECIDED)

    @property
    def youden_j(self) -> Figure:
        """Sensitivity + specificity - 1 (Youden 1950): 0 for a judge that does not look, 1 for a perfect one."""
        right, wrong = self.sensitivity_decided, self.specificity_decided
        if right.rate is None or wrong.rate is None:
            return Figure(None, right.why_none or wrong.why_none)
        return Figure(right.rate + wrong.rate - 1)

    @property
    def balanced_accuracy(self) -> Figure:
        """The mean of sensitivity and specificity (Brodersen et al. 2010)."""
        youden = self.youden_j
        return youden if youden.value is None else Figure((youden.value + 1) / 2)

    @property
    def mcc(self) -> Figure:
        """Matthews' correlation of truth and verdict among decided (Matthews 1975)."""
        squared = (self.pp + self.pf) * (self.fp + self.ff) * (self.pp + self.fp) * (self.pf + self.ff)
        if not squared:
            return Figure(None, "undefined: truth or judge has one value only" if self.decided else _NOTHING_DECIDED)
        return Figure((self.pp * self.ff - self.pf * self.fp) / sqrt(squared))

    @property
    def base_rate_pass(self) -> Rate:
        """Right answers among labelled: what a judge that passes everything would agree on."""
        return rate_of(self.truth_pass, self.labelled, _NO_LABELS)


def confusion_of(pairs: Iterable[tuple[bool, bool | None]]) -> Confusion:
    """The counts of (truth passed, judge passed) pairs; a judge's None is undetermined."""
    counts = Counter(pairs)
    by_truth = (counts[truth, judge] for truth in (True, False) for judge in (True, False, None))
    return Confusion(*by_truth)
