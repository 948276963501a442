"""The tallies of all measures as running counts: a run shown otherwise moves them without a look at the rest."""

from __future__ import annotations

from msgspec import Struct

from agent_tui.runs import State
from agent_tui.scoring.run_score import MEASURES
from agent_tui.scoring.table import FIGURES, ScoreTable
from agent_tui.scoring.tally import Tally
from agent_tui.scoring.totals import Totals

REDUNDANCY = "redundancy"
"""As a measure: a run passes that repeats no call without need."""
COUNTED = (*MEASURES, REDUNDANCY)
SHOWN_FIGURES = ("calls", REDUNDANCY, *FIGURES)


class Seen(Struct, frozen=True, gc=False):
    """What the measures say of one run: a `State` code for each of COUNTED, a number for each of SHOWN_FIGURES."""

    states: bytes
    figures: tuple[float | None, ...]


def seen(table: ScoreTable, row: int) -> Seen:
    """What a table says of a row."""
    redundancy = table.redundant(row)
    code = State.NOT_KNOWN if redundancy is None else State(redundancy == 0)
    width = len(MEASURES)
    states = bytes(table.states[row * width : (row + 1) * width]) + bytes((code,))
    return Seen(states, (table.calls[row], redundancy, *(table.figure(row, name) for name in FIGURES)))


class Counts:
    """How many runs are in which state, by measure; `tallies` have no interval."""

    def __init__(self, totals: Totals) -> None:
        self._counts = [list(totals.states[measure]) for measure in MEASURES]
        repeating = totals.repeating
        self._counts.append([0] * len(State))
        self._counts[-1][:3] = repeating["some"], repeating["none"], repeating["unknown"]
        self.tallies = {measure: self._tally(number) for number, measure in enumerate(COUNTED)}

    def move(self, was: Seen, now: Seen) -> None:
        """Count a run by what is said of it now."""
        moved: dict[str, Tally] = {}
        for number, (before, after) in enumerate(zip(was.states, now.states, strict=True)):
            if before != after:
                counts = self._counts[number]
                counts[before] -= 1
                counts[after] += 1
                moved[COUNTED[number]] = self._tally(number)
        self.tallies = self.tallies | moved

    def _tally(self, number: int) -> Tally:
        counts = self._counts[number]
        return Tally(
            measure=COUNTED[number],
            passed=counts[State.PASS],
            scored=counts[State.PASS] + counts[State.FAIL],
            errors=counts[State.ERROR],
            unscoreable=counts[State.NOT_KNOWN],
            vacuous=counts[State.VACUOUS],
            broken=counts[State.BROKEN],
            pending=counts[State.PENDING],
        )
