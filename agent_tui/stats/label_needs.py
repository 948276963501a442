"""What would settle a gate that is shut: how many more labels, if the judge misses none of them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable

from msgspec import Struct

from agent_tui.stats.clopper_pearson import ONE_SIDED_95, upper_bound
from agent_tui.stats.confusion import Confusion
from agent_tui.stats.judge_gate import DEFAULT_BOUNDS, GateBounds
from agent_tui.stats.rates import rate_of

MOST_LABELS = 100_000
"""Beyond this many labels (a count) nobody labels on: said as no number."""


class LabelNeeds(Struct, frozen=True):
    """The fewest further labels that open the gate if the judge decides and agrees on each of them (counts)."""

    truth_pass: int
    truth_fail: int
    either: int
    """Beyond those, of either kind."""

    @property
    def total(self) -> int:
        return self.truth_pass + self.truth_fail + self.either

    @property
    def words(self) -> str:
        kinds = (
            (self.truth_pass, "right answer"),
            (self.truth_fail, "wrong answer"),
            (self.either, "answer of any kind"),
        )
        return " and ".join(
            f"{n} more {kind if n == 1 else kind.replace('answer', 'answers')}" for n, kind in kinds if n
        )


class Settlement(Struct, frozen=True):
    """What would open the gate; `needs` is None where no number of labels would."""

    needs: LabelNeeds | None
    misses: tuple[str, ...]
    """Figures that are themselves beyond their bound, so that more labels of the kind seen would not help."""

    @property
    def words(self) -> str:
        """One line: what to do next."""
        if self.needs is None:
            return "change the rubric, the judge or the bounds: no number of labels would settle it"
        if not self.needs.total:
            return "nothing: every bound is met"
        if not self.misses:
            return f"label {self.needs.words}"
        change = f"change the rubric or the judge ({', '.join(self.misses)})"
        return f"{change}; labels alone would need {self.needs.words}, without another miss"


def settle(confusion: Confusion, bounds: GateBounds = DEFAULT_BOUNDS) -> Settlement:
    """The labels that `judge_gate.decide` lacks, found by halving: every bound eases with each label that agrees.

    Formulas: those of the gate (Wilson 1927; Clopper and Pearson 1934).
    """
    has_enough = bounds.has_enough(confusion.truth_pass, confusion.truth_fail)
    return Settlement(_needs(confusion, bounds), _misses(confusion, bounds) if has_enough else ())


def _needs(confusion: Confusion, bounds: GateBounds) -> LabelNeeds | None:
    for_false_pass = _fewest(lambda more: _false_pass_holds(confusion, bounds, more))
    for_rates = _fewest(lambda more: _rates_hold(confusion, bounds, more))
    if for_false_pass is None or for_rates is None:
        return None
    truth_pass = max(0, bounds.min_truth_pass - confusion.truth_pass)
    truth_fail = max(0, bounds.min_truth_fail - confusion.truth_fail, for_false_pass)
    return LabelNeeds(truth_pass, truth_fail, max(0, for_rates - truth_pass - truth_fail))


def _false_pass_holds(confusion: Confusion, bounds: GateBounds, more: int) -> bool:
    """Whether the bound of false passes would do after `more` wrong answers that the judge fails."""
    n = confusion.truth_fail + more
    return bounds.allows_false_pass(upper_bound(confusion.fp, n, ONE_SIDED_95) if n else None)


def _rates_hold(confusion: Confusion, bounds: GateBounds, more: int) -> bool:
    """Whether agreement and coverage would do after `more` labels, all decided and agreed on."""
    decided = confusion.decided + more
    agreement, coverage = rate_of(confusion.agreed + more, decided), rate_of(decided, confusion.labelled + more)
    return bounds.allows_agreement(agreement) and bounds.allows_coverage(coverage)


def _misses(confusion: Confusion, bounds: GateBounds) -> tuple[str, ...]:
    agreement, false_pass, coverage = confusion.agreement_decided, confusion.false_pass, confusion.coverage
    found = []
    if agreement.rate is not None and agreement.rate < bounds.min_agreement_low:
        found.append(f"it agrees on {agreement.k} of {agreement.n}")
    if false_pass.rate is not None and false_pass.rate > bounds.max_false_pass_high:
        found.append(f"it passes {false_pass.k} of {false_pass.n} wrong answers")
    if coverage.rate is not None and coverage.rate < bounds.min_coverage:
        found.append(f"it decides {coverage.k} of {coverage.n}")
    return tuple(found)


def _fewest(is_met: Callable[[int], bool]) -> int | None:
    """The least number for which `is_met`, which stays met once it is; None where `MOST_LABELS` are not enough."""
    if is_met(0):
        return 0
    high = 1
    while not is_met(high):
        if high == MOST_LABELS:
            return None
        high = min(2 * high, MOST_LABELS)
    return bisect_left(range(high), True, key=is_met)
