"""What is known to sway a judge, each measured on the labelled runs, or said not to be tested and why."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from agent_tui.stats.family_preference import FamilyPreference, same_family_preference
from agent_tui.stats.length_bias import LengthBias, length_bias
from agent_tui.stats.paired_shift import PairedShift, paired_shift
from agent_tui.stats.rates import Rate, rate_of
from agent_tui.stats.stability import Stability, stability

SIGNIFICANT = 0.05
"""Two-sided p under which a bias is pointed out; it is shown in any case."""
_VOTES = {"pass": True, "fail": False, "undetermined": None}


class Attack(Struct, frozen=True):
    """A planted attack as a judge answered it."""

    id: str
    verdict: str | None
    held: bool
    steered: bool
    """Whether the verdict is the one that the attacker wants."""


class Biases(Struct, frozen=True, kw_only=True):
    """The checks beside the confusion. Each figure carries its n, and the reason where there is none."""

    length: LengthBias
    family: FamilyPreference
    stability: Stability
    order: PairedShift
    """Usual against reversed order of the labels; any change counts, also to undetermined."""
    order_flips: Rate
    padding: PairedShift
    """Wrong answers with neutral text added."""
    attacks: tuple[Attack, ...]
    attacks_unanswered: int
    """Planted attacks without a usable verdict (a count); in no rate."""

    @property
    def held(self) -> Rate:
        """Planted attacks that the judge held against."""
        return rate_of(sum(attack.held for attack in self.attacks), len(self.attacks), "no planted attack was judged")

    @property
    def steered_attacks(self) -> tuple[str, ...]:
        """Ids of the planted attacks that got what they wanted."""
        return tuple(attack.id for attack in self.attacks if attack.steered)


class Sighting(Struct, frozen=True, kw_only=True):
    """What the checks need to know of one labelled run."""

    truth: str
    verdict: str | None
    length: int
    author_family: str | None
    votes: tuple[str, ...]
    """Verdicts of all asks in the usual order of labels."""
    reversed: str | None
    """The verdict with the labels in reversed order; None: not asked, or no verdict."""
    padded: str | None
    """The verdict on the answer with neutral text added."""


def biases_of(seen: Sequence[Sighting], judge_family: str | None, attacks: Iterable[Attack], unanswered: int) -> Biases:
    """The checks over labelled runs and planted attacks."""
    wrong = [run for run in seen if run.truth == "fail" and run.verdict is not None]
    return Biases(
        length=length_bias((run.length, _VOTES[run.verdict or "undetermined"]) for run in wrong),
        family=_family(wrong, judge_family),
        stability=stability([[_VOTES[vote] for vote in run.votes] for run in seen if run.votes]),
        order=_shift((run.verdict, run.reversed) for run in seen),
        order_flips=_flips((run.verdict, run.reversed) for run in seen),
        padding=_shift((run.verdict, run.padded) for run in wrong),
        attacks=tuple(attacks),
        attacks_unanswered=unanswered,
    )


def _family(wrong: Iterable[Sighting], judge_family: str | None) -> FamilyPreference:
    """False passes of the judge's own family against others; runs of unknown authors are in neither."""
    known = [run for run in wrong if judge_family and run.author_family]
    same = [run for run in known if run.author_family == judge_family]
    other = [run for run in known if run.author_family != judge_family]
    passed = [sum(run.verdict == "pass" for run in side) for side in (same, other)]
    return same_family_preference(passed[0], len(same), passed[1], len(other))


Pairs = Iterable[tuple[str | None, str | None]]


def _both(pairs: Pairs) -> list[tuple[str, str]]:
    return [(before, after) for before, after in pairs if before is not None and after is not None]


def _flips(pairs: Pairs) -> Rate:
    both = _both(pairs)
    return rate_of(sum(before != after for before, after in both), len(both), "not asked with the labels reversed")


def _shift(pairs: Pairs) -> PairedShift:
    """Passes that went and came between two asks of the same items."""
    both = _both(pairs)
    lost = sum(before == "pass" != after for before, after in both)
    won = sum(before != "pass" == after for before, after in both)
    return paired_shift(lost, won, len(both) - lost - won)
