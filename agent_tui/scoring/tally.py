"""A measure over many runs: numerator, denominator, what was left out, and an interval."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from msgspec import Struct

from agent_tui.runs import State
from agent_tui.scoring.columns import Numbers
from agent_tui.scoring.task_pairs import Pairs, pairs_in, pairs_of
from agent_tui.scoring.totals import Totals
from agent_tui.stats import clustered_pairs, wilson


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


def tally_of(totals: Totals, measure: str) -> Tally:
    """The tally of one measure, with its interval: Wilson, or clustered by task where tasks have several epochs."""
    counts = totals.states[measure]
    if totals.has_groups:
        return _tally(measure, counts, pairs_in(totals.by_task[measure]))
    return _tally(measure, counts, None if totals.pairs is None else totals.pairs.measures[measure])


def tally(measure: str, column: bytes, tasks: Numbers, size: int) -> Tally:
    """The same of a column without totals; `tasks` is the task of each row, `size` how many tasks there are."""
    return _tally(measure, [column.count(code) for code in State], pairs_of(tasks, column, size))


def _tally(measure: str, counts: Sequence[int], tasks: Pairs | None) -> Tally:
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
        interval=_STILL_COUNTED if tasks is None and scored else interval(tasks or Counter(), passed, scored),
    )


_MANY = 1000
"""Runs of which none is told in parts (a count)."""
_STILL_COUNTED = Interval(None, None, "many tasks: an interval once all runs are read")


def interval(tasks: Pairs, passed: int, scored: int) -> Interval | None:
    """Wilson's interval; where a task has several scored runs, at the effective n of runs clustered by task."""
    if not scored:
        return None
    if all(runs <= 1 for (runs, _), count in tasks.items() if count):
        low, high = wilson(passed, scored) or (None, None)
        return Interval(low, high, "Wilson 95 %")
    rate = clustered_pairs(tasks)
    if rate is None or rate.wilson is None:
        return Interval(None, None, rate.why_no_interval or "" if rate else "")
    n = f"{rate.effective_runs:,.1f}" if rate.effective_runs < _MANY else f"{rate.effective_runs:,.0f}"
    return Interval(*rate.wilson, f"Wilson 95 %, clustered by task, effective n {n.removesuffix('.0')}")


class Mean(Struct, frozen=True):
    """A figure averaged over the runs that have it (counts beside it)."""

    name: str
    mean: float | None
    scored: int
    errors: int
    unscoreable: int
    vacuous: int
    pending: int


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
        pending=without[State.PENDING],
    )
