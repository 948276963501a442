"""How many tasks have so many scored runs and so many passing ones: all that an interval over tasks needs to know.

It is small however many tasks there are, and an edit moves it; but parts of a bundle cannot be put together from it,
since a task may have runs in several.
"""

from __future__ import annotations

import sys
from array import array
from collections import Counter
from collections.abc import Callable, Iterable
from itertools import compress, groupby
from typing import TypeAlias

from msgspec import Struct

from agent_tui.runs import State
from agent_tui.scoring.columns import Numbers, every
from agent_tui.scoring.run_score import MEASURES
from agent_tui.scoring.table import ScoreTable

Pairs: TypeAlias = "Counter[tuple[int, int]]"
"""(scored runs, passing runs) of a task, to how many tasks have so many (a count)."""
Count: TypeAlias = Callable[[Numbers, bytes, int], Pairs]
"""The pairs of one measure: of the task of each row, its state, and how many tasks there are."""
ONE_PASSED, ONE_SCORED = 1, 1 << 32
"""Counts of two kinds in one number, which is added and counted in one step: scored runs above, passing ones below."""
_PASS, _FAIL = int(State.PASS), int(State.FAIL)
PASSED = bytes(code == _PASS for code in range(256))
SCORED = bytes(code in (_PASS, _FAIL) for code in range(256))
_SUCCESS = MEASURES.index("task_success")
_WIDTH = len(MEASURES)


def outcome(code: int) -> int:
    """What a run of a state adds to a number that holds both counts."""
    return SCORED[code] * ONE_SCORED + PASSED[code] * ONE_PASSED


def pairs_in(outcomes: Iterable[int]) -> Pairs:
    """The pairs of numbers that hold both counts."""
    return Counter({divmod(both, ONE_SCORED): times for both, times in Counter(outcomes).items()})


class Other(Struct, frozen=True):
    """Another run of a task: its states, and whether who did it is the same."""

    states: bytes
    is_of_the_same: bool


def pairs_of(tasks: Numbers, column: bytes, size: int) -> Pairs:
    """The pairs of one measure, counted without numpy."""
    scored, passed = (_by_task(tasks, column.translate(kept), size) for kept in (SCORED, PASSED))
    found = Counter(zip(scored, passed, strict=True))
    del found[0, 0]
    return found


def _by_task(tasks: Numbers, mask: bytes, size: int) -> array[int]:
    counts = array("I", bytes(4 * size))
    for task in compress(tasks, mask):
        counts[task] += 1
    return counts


class Rows(Struct):
    """Of each row its task, model and agent as numbers, and its states; and how many tasks, models and agents are."""

    tasks: Numbers
    models: Numbers
    agents: Numbers
    states: bytes | bytearray | memoryview
    sizes: tuple[int, int, int]

    @classmethod
    def of(cls, table: ScoreTable) -> Rows:
        """Those of a table."""
        words = table.tasks, table.models, table.agents
        tasks, models, agents = (each.codes() for each in words)
        return cls(tasks, models, agents, table.states, (len(words[0].words), len(words[1].words), len(words[2].words)))

    def column(self, place: int) -> bytes:
        """The states of one measure, a byte a row."""
        return every(self.states, place, _WIDTH)


def trial_pairs(rows: Rows) -> Pairs:
    """The same of task success, where runs of two models or agents are no trials of one."""
    _, models, agents = rows.sizes
    success = rows.column(_SUCCESS)
    who = zip(rows.tasks, rows.models, rows.agents, success, strict=True)
    keys = sorted(
        ((task * models + model) * agents + agent) << 1 | (code == _PASS)
        for task, model, agent, code in compress(who, success.translate(SCORED))
    )
    found: Pairs = Counter()
    for _, group in groupby(keys, key=lambda key: key >> 1):
        runs = list(group)
        found[len(runs), sum(key & 1 for key in runs)] += 1
    return found


class TaskPairs(Struct):
    """The pairs of every measure, and those of trials."""

    measures: dict[str, Pairs]
    trials: Pairs

    @classmethod
    def of(cls, rows: Rows, count: Count = pairs_of) -> TaskPairs:
        """Those of all rows."""
        columns = zip(MEASURES, map(rows.column, range(_WIDTH)), strict=True)
        return cls({name: count(rows.tasks, column, rows.sizes[0]) for name, column in columns}, trial_pairs(rows))

    def move(self, was: bytes, now: bytes, others: Iterable[Other]) -> None:
        """Count a run by what it is now; `others` are those of its task."""
        rest = list(others)
        for place, measure in enumerate(MEASURES):
            if was[place] != now[place]:
                _move(self.measures[measure], was[place], now[place], [each.states[place] for each in rest])
        same = [each.states[_SUCCESS] for each in rest if each.is_of_the_same]
        _move(self.trials, was[_SUCCESS], now[_SUCCESS], same)


def _move(pairs: Pairs, was: int, now: int, others: list[int]) -> None:
    for code, by in ((was, -1), (now, 1)):
        states = [*others, code]
        pair = sum(map(SCORED.__getitem__, states)), sum(map(PASSED.__getitem__, states))
        pairs[pair] += by
        if pair == (0, 0) or not pairs[pair]:
            del pairs[pair]


def others_of(table: ScoreTable, row: int) -> list[Other]:
    """The other runs of a row's task."""
    tasks, models, agents = table.tasks.codes(), table.models.codes(), table.agents.codes()
    rows = [each for each in _rows_with(tasks, tasks[row]) if each != row]
    who = models[row], agents[row]
    return [
        Other(bytes(table.states[each * _WIDTH : (each + 1) * _WIDTH]), (models[each], agents[each]) == who)
        for each in rows
    ]


def _rows_with(codes: Numbers, code: int) -> list[int]:
    """The rows that hold a number, looked for as bytes: a million rows take a millisecond."""
    kept, width = codes.tobytes(), codes.itemsize
    sought, rows, place = code.to_bytes(width, sys.byteorder), [], 0
    while (place := kept.find(sought, place)) >= 0:
        if place % width == 0:
            rows.append(place // width)
        place += 1
    return rows
