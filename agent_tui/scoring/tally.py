"""A measure over many runs: numerator, denominator, what was left out, and an interval."""

from __future__ import annotations

import math
from collections import Counter

from msgspec import Struct

from agent_tui.runs import State
from agent_tui.scoring.table import ScoreTable
from agent_tui.stats import clustered, wilson


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


def tally(table: ScoreTable, measure: str) -> Tally:
    """The tally of one measure, with its interval: Wilson, or clustered by task where tasks have several epochs."""
    column = table.column(measure)
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
        interval=interval(table, column, passed, passed + failed),
    )


def interval(table: ScoreTable, column: bytes, passed: int, scored: int) -> Interval | None:
    """Wilson's interval; where a task has several scored runs, at the effective n of runs clustered by task."""
    if not scored:
        return None
    groups: dict[str, list[bool]] = {}
    words = table.tasks.words
    for task, code in zip(table.tasks.codes(), column, strict=True):
        if code <= State.PASS:
            groups.setdefault(words[task] or "", []).append(code == State.PASS)
    if len(groups) == scored:
        low, high = wilson(passed, scored) or (None, None)
        return Interval(low, high, "Wilson 95 %")
    rate = clustered(groups)
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


def mean_figure(table: ScoreTable, name: str) -> Mean:
    """The mean of a figure; a run without one is an error, unscoreable or vacuous as its trajectory is.

    Query quality is never vacuous: a run without it has no search to speak of.
    """
    values = [value for value in table.figures[name] if not math.isnan(value)]
    states = table.column("tool_call_correctness" if name == "query_quality" else "exact")
    without = Counter(code for code, value in zip(states, table.figures[name], strict=True) if math.isnan(value))
    vacuous = 0 if name == "query_quality" else without[State.PASS] + without[State.FAIL] + without[State.VACUOUS]
    return Mean(
        name=name,
        mean=math.fsum(values) / len(values) if values else None,
        scored=len(values),
        errors=without[State.ERROR],
        unscoreable=without.total() - without[State.ERROR] - without[State.PENDING] - vacuous,
        vacuous=vacuous,
    )
