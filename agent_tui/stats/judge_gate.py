"""Whether a judge is good enough to be read: the bounds of its figures decide, never the figures."""

from __future__ import annotations

from math import ceil, floor
from typing import Literal

from msgspec import Struct

from agent_tui.stats.clopper_pearson import FalsePassBound, false_pass_upper_bound
from agent_tui.stats.confusion import Confusion
from agent_tui.stats.rates import Rate

State = Literal["accepted", "rejected", "insufficient"]
Code = Literal["too_few_labels", "agreement_low_bound", "false_pass_high_bound", "coverage"]


class GateBounds(Struct, frozen=True, kw_only=True):
    """What a judge must show on labelled runs before its other verdicts are read."""

    min_truth_pass: int = 10
    min_truth_fail: int = 10
    min_agreement_low: float = 0.70
    """Lower end of Wilson's 95 % interval of agreement among decided."""
    max_false_pass_high: float = 0.20
    """One-sided 95 % upper bound of false passes among all wrong answers."""
    min_coverage: float = 0.70

    def has_enough(self, truth_pass: int, truth_fail: int) -> bool:
        return truth_pass >= self.min_truth_pass and truth_fail >= self.min_truth_fail

    def allows_agreement(self, agreement: Rate) -> bool:
        return agreement.low is not None and agreement.low >= self.min_agreement_low

    def allows_false_pass(self, upper: float | None) -> bool:
        return upper is not None and upper <= self.max_false_pass_high

    def allows_coverage(self, coverage: Rate) -> bool:
        return coverage.rate is not None and coverage.rate >= self.min_coverage


DEFAULT_BOUNDS = GateBounds()


class Reason(Struct, frozen=True):
    """One bound that is not met: its name for machines and the sentence for people."""

    code: Code
    words: str


class GateDecision(Struct, frozen=True):
    """Accepted, rejected, or too few labels to say; with every bound that is not met, in their order."""

    state: State
    reasons: tuple[Reason, ...]
    agreement: Rate
    false_pass: FalsePassBound
    coverage: Rate


def decide(confusion: Confusion, bounds: GateBounds = DEFAULT_BOUNDS) -> GateDecision:
    """The gate over the labelled runs: too few labels is insufficient, any other miss rejected, none accepted.

    Agreement by Wilson's score interval (1927), false passes by Clopper and Pearson's bound (1934). A bound that
    cannot be computed is not met.
    """
    agreement, coverage = confusion.agreement_decided, confusion.coverage
    false_pass = false_pass_upper_bound(confusion.fp, confusion.truth_fail)
    reasons: list[Reason] = []
    if not bounds.has_enough(confusion.truth_pass, confusion.truth_fail):
        reasons.append(Reason("too_few_labels", _too_few(confusion, bounds)))
    if not bounds.allows_agreement(agreement):
        reasons.append(Reason("agreement_low_bound", _agreement_words(agreement, bounds)))
    if not bounds.allows_false_pass(false_pass.upper95):
        reasons.append(Reason("false_pass_high_bound", _false_pass_words(false_pass, bounds)))
    if not bounds.allows_coverage(coverage):
        reasons.append(Reason("coverage", _coverage_words(coverage, bounds)))
    return GateDecision(_state(reasons), tuple(reasons), agreement, false_pass, coverage)


def _state(reasons: list[Reason]) -> State:
    if not reasons:
        return "accepted"
    return "insufficient" if reasons[0].code == "too_few_labels" else "rejected"


def _too_few(confusion: Confusion, bounds: GateBounds) -> str:
    have = f"{confusion.truth_pass} right and {confusion.truth_fail} wrong answers are labelled"
    return f"{have}, at least {bounds.min_truth_pass} and {bounds.min_truth_fail} are needed"


def _agreement_words(agreement: Rate, bounds: GateBounds) -> str:
    if agreement.low is None:
        return f"agreement is not known: {agreement.why_none}"
    low = _rounded_down(agreement.low)
    return (
        f"agreement is {agreement.k} of {agreement.n} and may be as low as {low}, "
        f"at least {bounds.min_agreement_low:g} is needed"
    )


def _false_pass_words(bound: FalsePassBound, bounds: GateBounds) -> str:
    if bound.upper95 is None:
        return f"false passes are not known: {bound.why_none}"
    high = _rounded_up(bound.upper95)
    return (
        f"false passes are {bound.k} of {bound.n} and may be as high as {high}, "
        f"at most {bounds.max_false_pass_high:g} is allowed"
    )


def _coverage_words(coverage: Rate, bounds: GateBounds) -> str:
    if coverage.rate is None:
        return f"coverage is not known: {coverage.why_none}"
    return (
        f"{coverage.k} of {coverage.n} were decided, which is {_rounded_down(coverage.rate)}, "
        f"at least {bounds.min_coverage:g} is needed"
    )


def _rounded_down(rate: float) -> str:
    """Three places, never towards the bar: 0.6999 must not read as 0.7."""
    return f"{floor(rate * 1000) / 1000:.3f}"


def _rounded_up(rate: float) -> str:
    return f"{ceil(rate * 1000) / 1000:.3f}"
