"""A measure over many runs: numerator, denominator, what was left out, and an interval."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import accumulate
from operator import itemgetter

from msgspec import Struct

from agent_tui.runs import State
from agent_tui.scoring.table import ScoreTable
from agent_tui.scoring.totals import Totals
from agent_tui.stats import clustered_counts, wilson


class Interval(Struct, frozen=True):
    """95 % interval of a rate (0..1), and how it was made; None, None with the reason where none can be had."""

    low: float | None
    high: float | None
    method: str


class Tally(Struct, frozen=True):
    """How a measure that passes or fails went over all runs (counts).

    passed ≤ scored; scored + errors + unscoreable + vacuous + broken + pending = total.
    """

    measure: str
    passed: int
    scored: int
    errors: int
    unscoreable: int
    vacuous: int
    broken: int
    pending: int
    interval: Interval | None = None

    @property
    def total(self) -> int:
        """All runs (a count)."""
        return self.scored + self.errors + self.unscoreable + self.vacuous + self.broken + self.pending

    @property
    def failed(self) -> int:
        """Scored and not passed (a count)."""
        return self.scored - self.passed

    @property
    def rate(self) -> float | None:
        """passed / scored, 0..1; None over nothing."""
        return self.passed / self.scored if self.scored else None

    @property
    def rate_strict(self) -> float | None:
        """passed / (scored + errors), 0..1: an errored run counts as not passed. None over nothing."""
        reached = self.scored + self.errors
        return self.passed / reached if reached else None


class Groups:
    """Rows by what they have in common (a task), so that a column is counted group by group."""

    def __init__(self, *columns: Sequence[int]) -> None:
        codes = list(zip(*columns, strict=True))
        order = sorted(range(len(codes)), key=codes.__getitem__)
        self._in_order = itemgetter(*order) if len(order) > 1 else None
        sizes = Counter(codes)
        ends = list(accumulate(sizes[code] for code in sorted(sizes)))
        self._spans = list(zip([0, *ends], ends, strict=False))

    def counts(self, column: bytes) -> list[tuple[int, int]]:
        """How many runs of each group are scored, and how many of them pass; groups without a scored run left out."""
        by_group = column if self._in_order is None else bytes(self._in_order(column))
        count = by_group.count
        passed = [count(_PASS, start, end) for start, end in self._spans]
        failed = [count(_FAIL, start, end) for start, end in self._spans]
        return [(p + f, p) for p, f in zip(passed, failed, strict=True) if p or f]


_FAIL, _PASS = int(State.FAIL), int(State.PASS)


def tally_of(totals: Totals, measure: str, table: ScoreTable) -> Tally:
    """The tally of one measure, with its interval: Wilson, or clustered by task where tasks have several epochs."""
    if not totals.has_groups:
        return tally(table.column(measure), measure, Groups(table.tasks.codes()))
    counts = totals.states[measure]
    each = zip(totals.scored[measure], totals.passed[measure], strict=True)
    return _tally(measure, counts, [(scored, passed) for scored, passed in each if scored])


def tally(column: bytes, measure: str, tasks: Groups) -> Tally:
    """The same of a column for which there are no totals."""
    return _tally(measure, [column.count(code) for code in State], tasks.counts(column))


def _tally(measure: str, counts: Sequence[int], tasks: Sequence[tuple[int, int]]) -> Tally:
    passed, scored = counts[State.PASS], counts[State.PASS] + counts[State.FAIL]
    return Tally(
        measure=measure,
        passed=passed,
        scored=scored,
        errors=counts[State.ERROR],
        unscoreable=counts[State.NOT_KNOWN],
        vacuous=counts[State.VACUOUS],
        broken=counts[State.BROKEN],
        pending=counts[State.PENDING],
        interval=interval(tasks, passed, scored),
    )


def interval(tasks: Sequence[tuple[int, int]], passed: int, scored: int) -> Interval | None:
    """Wilson's interval; where a task has several scored runs, at the effective n of runs clustered by task."""
    if not scored:
        return None
    if len(tasks) == scored:
        low, high = wilson(passed, scored) or (None, None)
        return Interval(low, high, "Wilson 95 %")
    rate = clustered_counts(tasks)
    if rate is None or rate.wilson is None:
        return Interval(None, None, rate.why_no_interval or "" if rate else "")
    return Interval(*rate.wilson, f"Wilson 95 %, clustered by task, effective n {rate.effective_runs:.1f}")


class Mean(Struct, frozen=True):
    """A figure averaged over the runs that have it (counts beside it)."""

    name: str
    mean: float | None
    scored: int
    errors: int
    unscoreable: int
    vacuous: int


def mean_of(totals: Totals, name: str) -> Mean:
    """The mean of a figure; a run without one is an error, unscoreable or vacuous as its trajectory is.

    Query quality is never vacuous: a run without it has no search to speak of.
    """
    figure, without = totals.figures[name], totals.without[name]
    vacuous = 0 if name == "query_quality" else without[State.PASS] + without[State.FAIL] + without[State.VACUOUS]
    return Mean(
        name=name,
        mean=figure.mean,
        scored=figure.count,
        errors=without[State.ERROR],
        unscoreable=sum(without) - without[State.ERROR] - without[State.PENDING] - vacuous,
        vacuous=vacuous,
    )
