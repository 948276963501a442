"""All counts behind a scorecard: added up from parts, moved by an edit, never a look at every row again.

Whatever rows a total is of, in whatever order they were added, it is the same: sums of figures are whole numbers.
"""

from __future__ import annotations

import math
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import compress
from typing import Any, TypeVar

from msgspec import Struct

from agent_tui.native import core
from agent_tui.runs import State
from agent_tui.scoring.run_score import MEASURES
from agent_tui.scoring.table import FIGURES, OUTPUT_STATES, ScoreTable
from agent_tui.scoring.task_pairs import (
    ONE_PASSED,
    ONE_SCORED,
    PASSED,
    SCORED,
    Count,
    Other,
    Rows,
    TaskPairs,
    outcome,
    pairs_of,
)
from agent_tui.scoring.weak_paths import weak_reasons

T = TypeVar("T")

_SHIFT = 1074
"""Every float is a whole number of 2^-1074."""
TASK_SUCCESS, TRIALS = "task_success", "trials"
MOST_GROUPS = 1 << 15
"""Tasks, or tasks by who did them, that are counted each (a count): of more it is counted how many are alike, once
all rows are there."""


@lru_cache(maxsize=4096)
def exact(value: float) -> int:
    """A finite float as a whole number of 2^-1074."""
    over, under = value.as_integer_ratio()
    return over << (_SHIFT + 1 - under.bit_length())


class Sum(Struct):
    """Numbers added up without rounding, and how many."""

    total: int = 0
    count: int = 0

    def add(self, value: float, times: int = 1) -> None:
        """Add a number, or take it away."""
        self.total += exact(value) * times
        self.count += times

    def merge(self, other: Sum) -> None:
        """Add what another one holds."""
        self.total += other.total
        self.count += other.count

    @property
    def mean(self) -> float | None:
        """The sum, rounded once, over the count; None over nothing."""
        return self.total / (1 << _SHIFT) / self.count if self.count else None


class Facts(Struct, frozen=True):
    """What a row adds to the totals."""

    states: bytes
    output: int
    status: int
    expects: int
    redundancy: float
    is_weak: bool
    has_finding: bool
    figures: tuple[float, ...]
    scores: dict[str, float]
    who: tuple[int, int, int]


def facts_of(table: ScoreTable, row: int) -> Facts:
    """What a row of a table adds."""
    width = len(MEASURES)
    return Facts(
        states=bytes(table.states[row * width : (row + 1) * width]),
        output=table.outputs[row],
        status=table.statuses.rows[row],
        expects=table.expects[row],
        redundancy=table.redundancy[row],
        is_weak=bool(weak_reasons(table, row)),
        has_finding=bool(table.findings.rows[row]),
        figures=tuple(column[row] for column in table.figures.values()),
        scores={name: column[row] for name, column in table.scores.items()},
        who=(table.tasks.rows[row], table.models.rows[row], table.agents.rows[row]),
    )


class Totals:
    """The totals of some rows of a table; tasks, models, agents and statuses are numbers of that table."""

    def __init__(self) -> None:
        self.rows = 0
        self.expecting = 0
        """Rows of which a trajectory is expected (a count)."""
        self.weak = 0
        self.findings = 0
        self.repeating: Counter[str] = Counter()
        """Rows by redundancy: `none`, `some`, `unknown`."""
        self.outputs = [0] * len(OUTPUT_STATES)
        self.states = {measure: [0] * len(State) for measure in MEASURES}
        self.by_task: dict[str, array[int]] = {measure: array("Q") for measure in MEASURES}
        """Scored and passing runs of each task, both counts in one number (`outcome`), by measure."""
        self.trials: dict[tuple[int, int, int], int] = {}
        """The same under task success, by task, model and agent."""
        self.pending: Counter[tuple[str, int]] = Counter()
        """Unfinished rows by measure and status."""
        self.figures = {name: Sum() for name in FIGURES}
        self.without = {name: [0] * len(State) for name in FIGURES}
        """Rows without a figure, by the state that says why."""
        self.scores: dict[str, Sum] = {}
        """Recorded scores in 0..1."""
        self.memory: dict[str, Any] = {}
        """What was made of the totals and is still right, by a name; what is of a measure stands under its."""
        self.has_groups = True
        """Whether tasks are counted each; not where there are more than `MOST_GROUPS`."""
        self.pairs: TaskPairs | None = None
        """How many tasks are alike, where they are not counted each and all rows are there."""

    @classmethod
    def of(cls, table: ScoreTable) -> Totals:
        """The totals of a whole table."""
        totals = cls()
        totals.add_rows(table, 0, len(table))
        return totals

    def recall(self, name: str, make: Callable[[], T]) -> T:
        """What was made before and is still right, else what is made now."""
        if name not in self.memory:
            self.memory[name] = make()
        value: T = self.memory[name]
        return value

    def count_alike(self, rows: Callable[[], Rows], count: Count = pairs_of) -> None:
        """Count the tasks of all rows that are alike, where they are not counted each."""
        if not self.has_groups and self.pairs is None:
            self.pairs = TaskPairs.of(rows(), count)
            self._forget_intervals()

    def _forget_intervals(self) -> None:
        for measure in (*MEASURES, TRIALS):
            self.memory.pop(measure, None)

    # Adding rows

    def add_rows(self, table: ScoreTable, low: int, high: int) -> None:
        """Add rows of the table."""
        self.memory.clear()
        self.pairs = None
        width, tasks = len(MEASURES), table.tasks.rows[low:high]
        states = bytes(table.states[low * width : high * width])
        columns = {measure: states[number::width] for number, measure in enumerate(MEASURES)}
        self.rows += high - low
        self._make_room(len(table.tasks.words))
        if self.has_groups:
            self._add_trials(table, low, high, columns[TASK_SUCCESS])
        for measure, column in columns.items():
            _add_lists(self.states[measure], [column.count(code) for code in State])
            if self.has_groups:
                _count_into(self.by_task[measure], compress(tasks, column.translate(SCORED)), ONE_SCORED)
                _count_into(self.by_task[measure], compress(tasks, column.translate(PASSED)), ONE_PASSED)
            if self.states[measure][State.PENDING]:
                unfinished = compress(table.statuses.rows[low:high], map(int(State.PENDING).__eq__, column))
                self.pending.update((measure, status) for status in unfinished)
        self._add_plain(table, low, high)
        self._add_figures(table, low, high, columns)

    def _add_plain(self, table: ScoreTable, low: int, high: int) -> None:
        outputs = bytes(table.outputs[low:high])
        _add_lists(self.outputs, [outputs.count(code) for code in range(len(OUTPUT_STATES))])
        self.expecting += bytes(table.expects[low:high]).count(1)
        self.findings += sum(map(bool, table.findings.rows[low:high]))
        self.repeating.update(map(_repeating, table.redundancy[low:high]))
        self.weak += sum(1 for row in range(low, high) if weak_reasons(table, row))

    def _add_figures(self, table: ScoreTable, low: int, high: int, columns: Mapping[str, bytes]) -> None:
        for name, sums in self.figures.items():
            values = table.figures[name][low:high]
            states = columns[states_behind(name)]
            for code, times in Counter(compress(states, map(math.isnan, values))).items():
                self.without[name][code] += times
            for value, times in Counter(value for value in values if value == value).items():  # NaN is not
                sums.add(value, times)
        for name, column in table.scores.items():
            sums = self.scores.setdefault(name, Sum())
            for value, times in Counter(filter(is_usable, column[low:high])).items():
                sums.add(value, times)

    def _add_trials(self, table: ScoreTable, low: int, high: int, success: bytes) -> None:
        who = (words.rows[low:high] for words in (table.tasks, table.models, table.agents))
        for (task, model, agent, code), times in Counter(zip(*who, success, strict=True)).items():
            self._add_trial((task, model, agent), times * outcome(code))

    def _add_trial(self, who: tuple[int, int, int], outcomes: int) -> None:
        if outcomes:
            self.trials[who] = self.trials.get(who, 0) + outcomes

    def _make_room(self, tasks: int) -> None:
        """Counts for so many tasks, where that is not too many."""
        if tasks > MOST_GROUPS or len(self.trials) > MOST_GROUPS:
            self.has_groups = False
            self.trials.clear()
            for counts in self.by_task.values():
                del counts[:]
        for counts in self.by_task.values() if self.has_groups else ():
            counts.frombytes(bytes(max(0, tasks - len(counts)) * counts.itemsize))

    def merge(self, other: Totals, codes: Mapping[str, list[int]], tasks: int) -> None:
        """Add other totals, whose words have other numbers: `codes` gives ours; there are so many tasks now."""
        self.memory.clear()
        self.pairs = None
        self.rows += other.rows
        self.expecting += other.expecting
        self.weak += other.weak
        self.findings += other.findings
        self.repeating.update(other.repeating)
        _add_lists(self.outputs, other.outputs)
        for measure in MEASURES:
            _add_lists(self.states[measure], other.states[measure])
        self.pending.update({(measure, codes["statuses"][code]): n for (measure, code), n in other.pending.items()})
        for name in FIGURES:
            self.figures[name].merge(other.figures[name])
            _add_lists(self.without[name], other.without[name])
        for name, sums in other.scores.items():
            self.scores.setdefault(name, Sum()).merge(sums)
        self.has_groups = self.has_groups and other.has_groups
        self._make_room(tasks)
        if self.has_groups:
            for measure, counts in self.by_task.items():
                add_at(counts, codes["tasks"], other.by_task[measure])
            tasks_of, models_of, agents_of = codes["tasks"], codes["models"], codes["agents"]
            for (task, model, agent), outcomes in other.trials.items():
                self._add_trial((tasks_of[task], models_of[model], agents_of[agent]), outcomes)

    # An edit

    def move(self, was: Facts, now: Facts, others: Callable[[], Iterable[Other]]) -> None:
        """Count a row by what it is now; `others` gives the other runs of its task."""
        if self.pairs is not None and was.states != now.states:
            self.pairs.move(was.states, now.states, others())
        for measure, before, after in zip(MEASURES, was.states, now.states, strict=True):
            if before != after:
                self.memory.pop(measure, None)
        if TASK_SUCCESS not in self.memory:
            self.memory.pop(TRIALS, None)
        if was.has_finding or now.has_finding:
            self.memory.pop("findings", None)
        self._count(was, -1)
        self._count(now, 1)

    def _count(self, facts: Facts, by: int) -> None:
        task = facts.who[0]
        for measure, code in zip(MEASURES, facts.states, strict=True):
            self.states[measure][code] += by
            if self.has_groups:
                self.by_task[measure][task] += by * outcome(code)
            if code == State.PENDING:
                self.pending[measure, facts.status] += by
        if self.has_groups:
            self._add_trial(facts.who, by * outcome(facts.states[MEASURES.index(TASK_SUCCESS)]))
        self.outputs[facts.output] += by
        self.expecting += by * facts.expects
        self.weak += by * facts.is_weak
        self.findings += by * facts.has_finding
        self.repeating[_repeating(facts.redundancy)] += by
        for name, value in zip(FIGURES, facts.figures, strict=True):
            if value == value:
                self.figures[name].add(value, by)
            else:
                self.without[name][facts.states[MEASURES.index(states_behind(name))]] += by
        for name, value in facts.scores.items():
            if is_usable(value):
                self.scores.setdefault(name, Sum()).add(value, by)
            else:
                self.scores.setdefault(name, Sum())


def is_usable(value: float) -> bool:
    """Whether a recorded number can stand in a mean: it lies in 0..1, which NaN does not."""
    return 0 <= value <= 1


def states_behind(figure: str) -> str:
    """The measure that says why a run has no such figure."""
    return "tool_call_correctness" if figure == "query_quality" else "exact"


def _repeating(redundancy: float) -> str:
    return "unknown" if redundancy != redundancy else "some" if redundancy else "none"


def _add_lists(ours: list[int], theirs: Sequence[int]) -> None:
    for place, count in enumerate(theirs):
        ours[place] += count


def _add_at(counts: array[int], places: list[int], more: array[int]) -> None:
    """Add each number to the count at its place."""
    for place, number in zip(places, more, strict=False):
        counts[place] += number


add_at = _add_at if core is None else core.add_at
"""The same, compiled where the installation has a core."""


def _count_into(counts: array[int], codes: Iterator[int], one: int) -> None:
    for code, times in Counter(codes).items():
        counts[code] += times * one
