"""What a mutation sweep found: counters that add, and the mutants behind each by row number."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator

from msgspec import Struct, field

from agent_tui.matchers import MATCHERS
from agent_tui.scoring.mutations import ANSWER_MUTATIONS, MUTATIONS, TRAJECTORY_MUTATIONS
from agent_tui.scoring.run_score import LEVELS

REDUNDANCY = "redundancy"
"""A measure of its own: it is a count, so it notices when it rises, and no run fails it."""
SWEPT = (*MATCHERS, "output", *LEVELS, REDUNDANCY)
"""Every measure of a sweep, in the order in which they are shown."""
OF_TRAJECTORY = (*MATCHERS, *LEVELS[1:], REDUNDANCY)
OF_ANSWER = ("output", LEVELS[0])
READ_BY = dict.fromkeys(TRAJECTORY_MUTATIONS, OF_TRAJECTORY) | dict.fromkeys(ANSWER_MUTATIONS, OF_ANSWER)
"""The measures that read what a mutation changes."""

FAILING, MISSED, NOTICED, NOT_JUDGED = range(4)
"""What a measure made of a mutant: it failed the run before; it still passes; it does not; it knew nothing before."""


class Cell(Struct, frozen=True):
    """What one measure made of all mutants of one mutation (counts)."""

    applied: int
    noticed: int
    already_failing: int
    not_judged: int

    @property
    def made(self) -> int:
        """All mutants of the mutation."""
        return self.applied + self.already_failing + self.not_judged


class Behind(Struct, frozen=True):
    """One mutant behind a cell: the row of its run, and where it was changed."""

    row: int
    place: str


class Made(Struct):
    """The mutants of one mutation as columns, by row, and for each measure an outcome a mutant (some 20 bytes each)."""

    outcomes: dict[str, bytearray]
    counts: dict[str, list[int]]
    """How often each outcome stands in a measure's column: asked for all the time, while it grows."""
    rows: array[int] = field(default_factory=lambda: array("I"))
    places: list[str] = field(default_factory=list)

    def append(self, row: int, place: str, outcomes: Iterable[int]) -> None:
        """One more mutant; `outcomes` in the order of the measures."""
        self.rows.append(row)
        self.places.append(place)
        for column, counts, outcome in zip(self.outcomes.values(), self.counts.values(), outcomes, strict=True):
            column.append(outcome)
            counts[outcome] += 1


def _made_by(measures: Iterable[str]) -> Made:
    return Made({measure: bytearray() for measure in measures}, {measure: [0, 0, 0, 0] for measure in measures})


def _nothing_made() -> dict[str, Made]:
    return {mutation: _made_by(READ_BY[mutation]) for mutation in MUTATIONS}


class Sweep(Struct):
    """Which measure noticed how many of which mutants; `sweeping` fills it, run by run."""

    seed: int = 0
    runs: int = 0
    """How many runs were swept (a count), with or without a mutant."""
    thinned: int = 0
    """How often a run had more places for a mutation than were used (a count)."""
    mutants: dict[str, Made] = field(default_factory=_nothing_made)

    def made(self, mutation: str) -> int:
        """How many mutants of a mutation were made (a count)."""
        return len(self.mutants[mutation].rows)

    def cell(self, mutation: str, measure: str) -> Cell | None:
        """The counts of a measure; None where it does not read what was changed, or knew nothing of any run."""
        made = self.mutants[mutation]
        if measure not in made.counts:
            return None
        failing, missed, noticed, unknown = made.counts[measure]
        return None if made.rows and unknown == len(made.rows) else Cell(missed + noticed, noticed, failing, unknown)

    def is_judging(self, measure: str) -> bool:
        """Whether a measure passed or failed any run that was swept."""
        return any(
            (cell := self.cell(mutation, measure)) is not None and cell.applied + cell.already_failing > 0
            for mutation in MUTATIONS
        )

    def behind(self, mutation: str, measure: str, outcome: int) -> Iterator[Behind]:
        """The mutants of which a measure made FAILING, MISSED, NOTICED or NOT_JUDGED, in the order of the rows."""
        made = self.mutants[mutation]
        column = made.outcomes.get(measure, bytearray())
        at = column.find(outcome)
        while at >= 0:
            yield Behind(made.rows[at], made.places[at])
            at = column.find(outcome, at + 1)

    def rows_behind(self, mutation: str, measure: str) -> tuple[int, ...]:
        """The rows behind a cell's numbers: those with a mutant that was missed, then the noticed ones.

        Where the measure passed none of the runs before, those that it failed.
        """
        missed, noticed, failing = (
            dict.fromkeys(each.row for each in self.behind(mutation, measure, outcome))
            for outcome in (MISSED, NOTICED, FAILING)
        )
        return tuple(missed | noticed or failing)


def merge(one: Sweep, other: Sweep) -> Sweep:
    """The sweep of the runs of both, which must have one seed."""
    if one.seed != other.seed:
        raise ValueError(f"sweeps with seeds {one.seed} and {other.seed} do not add up")
    merged = Sweep(one.seed, one.runs + other.runs, one.thinned + other.thinned)
    for mutation, made in merged.mutants.items():
        halves = (one.mutants[mutation], other.mutants[mutation])
        rows = [row for half in halves for row in half.rows]
        places = [place for half in halves for place in half.places]
        columns = [[code for half in halves for code in half.outcomes[measure]] for measure in made.outcomes]
        for at in sorted(range(len(rows)), key=rows.__getitem__):
            made.append(rows[at], places[at], [column[at] for column in columns])
    return merged


class BlindSpot(Struct, frozen=True):
    """A measure that passes every mutant of a mutation, of which `applied` could have been noticed (a count)."""

    measure: str
    mutation: str
    applied: int


def blind_spots(sweep: Sweep) -> list[BlindSpot]:
    """The blind spots by measure. Redundancy has none: repeats are all that it is asked about."""
    return [
        BlindSpot(measure, mutation, cell.applied)
        for measure in SWEPT
        if measure != REDUNDANCY
        for mutation in MUTATIONS
        if (cell := sweep.cell(mutation, measure)) is not None and cell.applied and not cell.noticed
    ]


def sharp_matchers(sweep: Sweep) -> tuple[str, ...]:
    """The matchers that noticed every change of a trajectory, each mutation tried at least once, strictest first."""
    tried = [mutation for mutation in TRAJECTORY_MUTATIONS if sweep.made(mutation)]
    return tuple(
        matcher for matcher in MATCHERS if tried and all(_is_sharp(sweep.cell(mutation, matcher)) for mutation in tried)
    )


def _is_sharp(cell: Cell | None) -> bool:
    return cell is not None and 0 < cell.applied == cell.noticed
