"""Whether a validated judge may be read: the bounds of `stats.judge_gate`, and what a validation must have at all."""

from __future__ import annotations

from msgspec import Struct

from agent_tui.stats.confusion import Confusion
from agent_tui.stats.judge_gate import DEFAULT_BOUNDS, GateBounds, decide
from agent_tui.stats.label_needs import settle

ACCEPTED, REJECTED, INSUFFICIENT, NO_LABELS = "accepted", "rejected", "insufficient", "no_labels"
OVERRIDABLE = frozenset({REJECTED, INSUFFICIENT})
MOST_ERRORS = 0.10
"""Beyond this share of asks without a usable verdict there is no certificate, whatever the other figures."""


class Gate(Struct, frozen=True):
    """The gate's state, and every reason why it is not open."""

    state: str
    """accepted, rejected, insufficient or no_labels."""
    reasons: tuple[str, ...]
    settles: str
    """What would open it, in words."""
    may_be_overridden: bool
    codes: tuple[str, ...] = ()
    """The bounds that are not met, by name."""


def gate_of(confusion: Confusion, asked: int, unusable: int, bounds: GateBounds = DEFAULT_BOUNDS) -> Gate:
    """The gate over labelled runs of which `asked` were put to the judge and `unusable` gave no verdict (counts)."""
    if asked and unusable / asked > MOST_ERRORS:
        reason = f"{unusable} of {asked} labelled runs got no usable verdict, at most {MOST_ERRORS:.0%} may"
        return Gate(REJECTED, (reason,), "mend the judge, then validate again", False, ("errors",))
    shut = shut_without_labels(confusion.truth_pass, confusion.truth_fail)
    if shut is not None:
        return shut
    decision = decide(confusion, bounds)
    reasons = tuple(reason.words for reason in decision.reasons)
    codes = tuple(reason.code for reason in decision.reasons)
    return Gate(decision.state, reasons, settle(confusion, bounds).words, decision.state in OVERRIDABLE, codes)


def shut_without_labels(right: int, wrong: int) -> Gate | None:
    """The gate before anything is asked: shut where a kind of label is missing, else None."""
    if right and wrong:
        return None
    missing = " and ".join(f"a {word}" for word, n in (("right", right), ("wrong", wrong)) if not n)
    reason = f"{right} right and {wrong} wrong answers are labelled: one of each kind is the least to validate on"
    return Gate(NO_LABELS, (reason,), f"label {missing} answer", may_be_overridden=False)
