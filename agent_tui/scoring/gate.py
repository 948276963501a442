"""Gates for CI: a measure's strict rate against a bound, and never a pass on too little."""

from __future__ import annotations

import math

from msgspec import Struct

from agent_tui.errors import NotPossible, UnknownName
from agent_tui.matchers import resolve_matcher
from agent_tui.scoring.rounding import in_places
from agent_tui.scoring.run_score import MEASURES
from agent_tui.scoring.scorecard import Scorecard


class GateVerdict(Struct, frozen=True):
    """Whether a gate is met, and the sentence that says with which numbers."""

    met: bool
    text: str


class Gate(Struct, frozen=True):
    """A measure's strict rate must be at least `least` (0..1)."""

    measure: str
    least: float

    def verdict(self, card: Scorecard, min_n: int) -> GateVerdict:
        """Whether the gate holds: the run is finished, n is at least `min_n`, and rate_strict is at least `least`."""
        tally, ribbon = card.tallies[self.measure], card.ribbon
        n = tally.scored + tally.errors
        said = f"{self.measure} {tally.passed}/{n} (errored runs count as not passed)"
        if not ribbon.is_complete:
            planned = max(ribbon.total, ribbon.planned or 0)
            return GateVerdict(False, f"{said}: not finished, {ribbon.finished} of {planned} runs are")
        if n < min_n or tally.rate_strict is None:
            return GateVerdict(False, f"{said}: not enough, n = {n} and {min_n} needed")
        met = tally.rate_strict >= self.least
        sign = ">=" if met else "<"
        return GateVerdict(met, f"{said} = {in_places(tally.rate_strict):.3f} {sign} {self.least:g}")


def parse_gate(text: str) -> Gate:
    """A gate from `exact=0.9`. Raises `UnknownName` for a measure, `NotPossible` for a rate that is none."""
    name, sign, number = text.partition("=")
    try:
        measure = name.strip() if name.strip() in MEASURES else resolve_matcher(name.strip())
    except UnknownName as error:
        raise UnknownName("measure in --fail-under", name.strip(), MEASURES) from error
    try:
        least = float(number)
    except ValueError:
        least = math.nan
    if not sign or not 0 <= least <= 1:
        raise NotPossible(f"--fail-under {text}: a rate from 0 to 1 is expected, as in exact=0.9")
    return Gate(measure, least)
