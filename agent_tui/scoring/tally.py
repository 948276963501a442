"""A measure over many runs: numerator, denominator, what was left out, and an interval."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from itertools import accumulate, compress
from operator import itemgetter

from msgspec import Struct

from agent_tui.runs import State
from agent_tui.scoring.table import ScoreTable
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
        self.are_distinct = len(sizes) == len(codes)

    def counts(self, column: bytes) -> list[tuple[int, int]]:
        """How many runs of each group are scored, and how many of them pass; groups without a scored run left out."""
        by_group = column if self._in_order is None else bytes(self._in_order(column))
        count = by_group.count
        passed = [count(_PASS, start, end) for start, end in self._spans]
        failed = [count(_FAIL, start, end) for start, end in self._spans]
        return [(p + f, p) for p, f in zip(passed, failed, strict=True) if p or f]


_FAIL, _PASS = int(State.FAIL), int(State.PASS)


def tally(column: bytes, measure: str, tasks: Groups) -> Tally:
    """The tally of one measure, with its interval: Wilson, or clustered by task where tasks have several epochs."""
    count = column.count
    passed, failed = count(State.PASS), count(State.FAIL)
    return Tally(
        measure=measure,
        passed=passed,
        scored=passed + failed,
        errors=count(State.ERROR),
        unscoreable=count(State.NOT_KNOWN),
        vacuous=count(State.VACUOUS),
        broken=count(State.BROKEN),
        pending=count(State.PENDING),
        interval=interval(column, tasks, passed, passed + failed),
    )


def interval(column: bytes, tasks: Groups, passed: int, scored: int) -> Interval | None:
    """Wilson's interval; where a task has several scored runs, at the effective n of runs clustered by task."""
    if not scored:
        return None
    counts = [] if tasks.are_distinct else tasks.counts(column)
    if tasks.are_distinct or len(counts) == scored:
        low, high = wilson(passed, scored) or (None, None)
        return Interval(low, high, "Wilson 95 %")
    rate = clustered_counts(counts)
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


def states_behind(figure: str) -> str:
    """The measure that says why a run has no such figure."""
    return "tool_call_correctness" if figure == "query_quality" else "exact"


def mean_figure(table: ScoreTable, name: str) -> Mean:
    """The mean of a figure; a run without one is an error, unscoreable or vacuous as its trajectory is.

    Query quality is never vacuous: a run without it has no search to speak of.
    """
    values = [value for value in table.figures[name] if value == value]  # NaN is not
    states = table.column(states_behind(name))
    without = Counter(compress(states, map(math.isnan, table.figures[name])))
    vacuous = 0 if name == "query_quality" else without[State.PASS] + without[State.FAIL] + without[State.VACUOUS]
    return Mean(
        name=name,
        mean=math.fsum(values) / len(values) if values else None,
        scored=len(values),
        errors=without[State.ERROR],
        unscoreable=without.total() - without[State.ERROR] - without[State.PENDING] - vacuous,
        vacuous=vacuous,
    )
