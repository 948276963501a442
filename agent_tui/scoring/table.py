"""The verdicts of many runs as columns: rows are numbers, and a toggle is a count of bytes."""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterator, Mapping, Sequence
from itertools import compress
from typing import Any, TypeAlias

from agent_tui.matchers import CAUSES, LADDER
from agent_tui.runs import Run, State
from agent_tui.scoring.columns import Codes, Findings, Reasons, Texts, Words, every
from agent_tui.scoring.row_values import CODES, FACT_BYTES, FACT_SETS, FACTS, FIGURES, NUMBERS, OUTPUT_STATES
from agent_tui.scoring.run_score import MEASURES, RunScore

__all__ = [
    "FACTS",
    "FACT_BYTES",
    "FIGURES",
    "FIXED",
    "NOT_FINITE",
    "OUTPUT_STATES",
    "WIDTHS",
    "Row",
    "ScoreTable",
    "row_of",
]

_WIDTH = len(MEASURES)
_PLAIN = ("epochs", "states", "causes", "rungs", "outputs", "expects", "calls", "redundancy", "facts")
FIXED = {
    **dict.fromkeys(("tasks", "statuses", "models", "agents", "findings"), "I"),
    **dict(zip(_PLAIN, "qBBBBBIdB", strict=True)),
    **dict.fromkeys(FIGURES, "d"),
}
"""The columns of numbers that every table has: name to kind of number, in the codes of `array`."""
WIDTHS = {"states": len(MEASURES)}
"""How many numbers a row has, where that is not one."""
_COLUMNS_KEPT = 8
"""States of measures that are kept as columns of their own (a count)."""
_NO_NUMBER = math.nan


Recorded: TypeAlias = Mapping[str, float | str | None]
Row: TypeAlias = tuple[
    str, str, str, str | None, str | None, int, bytes, bytes, bytes, int, bool, str | None, Recorded | None
]
"""What columns need of a run, and nothing that keeps it: id, task, status, model, agent, epoch, states, codes, numbers,
calls, whether a trajectory is expected, finding, scores of its own."""


def row_of(run: Run, score: RunScore, model: str | None = None, agent: str | None = None) -> Row:
    """The row of a run, with the model and agent it counts under."""
    return (
        run.id,
        run.task,
        run.status,
        model,
        agent,
        run.epoch,
        score.states,
        score.codes,
        score.numbers,
        score.calls,
        _expects(run),
        score.success.finding,
        run.scores or None,
    )


class ScoreTable:
    """What is known of every run, by row number: identity, status, verdicts, figures.

    Rows are appended in the order of the file and may be replaced (an edited run). Figures that are not known are NaN
    in their column and None to whoever asks.
    """

    def __init__(self) -> None:
        self.ids = Texts()
        self.tasks = Words()
        self.statuses = Words()
        self.models = Words()
        self.agents = Words()
        self.epochs = array("q")
        self.states = bytearray()
        self.causes = bytearray()
        self.rungs = bytearray()
        self.outputs = bytearray()
        self.expects = bytearray()
        """1 where a trajectory is expected of the run."""
        self.calls = array("I")
        self.redundancy = array("d")
        self.figures = {name: array("d") for name in FIGURES}
        self.facts = bytearray()
        self.scores: dict[str, array[float]] = {}
        self.unusable: dict[str, Reasons] = {}
        self.modes: dict[str, bytearray] = {}
        """States by matcher and argument mode (`any_order+args_superset`), where somebody asked for one."""
        self.findings = Findings()
        self._columns: dict[str, bytes] = {}
        """What a row's recorded score and ours disagree on, or what is odd about the recorded one."""

    def __len__(self) -> int:
        return len(self.ids)

    def append(self, run: Run, score: RunScore, *, model: str | None = None, agent: str | None = None) -> int:
        """Add a run, with the model and agent it counts under; gives its row number."""
        self.extend([row_of(run, score, model, agent)])
        return len(self.ids) - 1

    def extend(self, rows: Sequence[Row]) -> None:
        """Add rows, a column at a time: of many at once each takes a part of the time of one alone."""
        if not rows:
            return
        first = len(self.ids)
        ids, tasks, statuses, models, agents, epochs, states, codes, numbers, calls, expects, findings, recorded = zip(
            *rows, strict=True
        )
        self.ids.extend(ids)
        self.tasks.extend(tasks)
        self.statuses.extend(statuses)
        self.models.extend(models)
        self.agents.extend(agents)
        self.epochs.extend(epochs)
        self.states += b"".join(states)
        all_codes = b"".join(codes)
        for place, column in enumerate((self.causes, self.rungs, self.outputs, self.facts)):
            column += all_codes[place :: len(CODES)]
        all_numbers = array("d", b"".join(numbers))
        for place, figures in enumerate((self.redundancy, *self.figures.values())):
            figures += all_numbers[place :: len(NUMBERS)]
        self.calls.extend(calls)
        self.expects += bytes(expects)
        self.findings.extend(findings)
        if self.scores or any(recorded):
            for row, scores in enumerate(recorded, first):
                self._append_scores(row, scores or {})

    def replace(self, row: int, run: Run, score: RunScore) -> None:
        """Put another version of a run in its row; identity stays."""
        self._columns.clear()
        self.statuses.replace(row, run.status)
        self.states[row * _WIDTH : (row + 1) * _WIDTH] = score.states
        self.causes[row], self.rungs[row], self.outputs[row], self.facts[row] = score.codes
        self.expects[row] = _expects(run)
        self.calls[row] = score.calls
        for column, value in zip((self.redundancy, *self.figures.values()), array("d", score.numbers), strict=True):
            column[row] = value
        self.findings.replace(row, score.success.finding)
        for name in [*self.scores, *(name for name in run.scores if name not in self.scores)]:
            self._set_score(row, name, run)
            self._drop_score_of_none(name)

    def _append_scores(self, row: int, recorded: Recorded) -> None:
        for name in recorded:
            if name not in self.scores:
                self._add_score(name, row)
        for name, values in self.scores.items():
            value, reason = _usable(recorded, name)
            values.append(value)
            self.unusable[name].codes.append(reason)

    def _add_score(self, name: str, rows: int) -> None:
        """A column for a score that none of the rows so far has."""
        self.scores[name] = array("d", [_NO_NUMBER]) * rows
        self.unusable[name] = Reasons(bytearray([_ABSENT]) * rows)

    def _set_score(self, row: int, name: str, run: Run) -> None:
        if name not in self.scores:
            self._add_score(name, len(self))
        self.scores[name][row], self.unusable[name].codes[row] = _usable(run.scores, name)

    def _drop_score_of_none(self, name: str) -> None:
        """Forget a recorded score that no run carries any more."""
        if bytes(self.unusable[name].codes).count(_ABSENT) == len(self):
            del self.scores[name], self.unusable[name]

    @property
    def words(self) -> dict[str, Words | Findings]:
        """The columns of texts that repeat, by name."""
        return {
            "tasks": self.tasks,
            "statuses": self.statuses,
            "models": self.models,
            "agents": self.agents,
            "findings": self.findings,
        }

    @property
    def fixed(self) -> dict[str, Any]:
        """The columns of numbers that every table has, by name; each has as many numbers of each row."""
        return {
            **{name: words.rows for name, words in self.words.items()},
            **{name: getattr(self, name) for name in _PLAIN},
            **self.figures,
        }

    @classmethod
    def of_columns(cls, ids: Texts, fixed: Mapping[str, Any], words: Mapping[str, Codes]) -> ScoreTable:
        """A table over columns that lie elsewhere, as `fixed` gives them; scores and modes are put in apart."""
        table = cls()
        table.ids = ids
        for name, column in table.words.items():
            column.rows, column.code_of, column.words = fixed[name], words[name], words[name].words
        for name in _PLAIN:
            setattr(table, name, fixed[name])
        table.figures = {name: fixed[name] for name in FIGURES}
        return table

    def column(self, measure: str) -> bytes:
        """The states of one measure, one byte a row."""
        column = self._columns.get(measure)
        if column is None or len(column) != len(self):
            column = self._take_column(measure)
            if len(self._columns) >= _COLUMNS_KEPT:
                self._columns.clear()
            self._columns[measure] = column
        return column

    def _take_column(self, measure: str) -> bytes:
        if measure in self.modes:
            return bytes(self.modes[measure])
        return every(self.states, MEASURES.index(measure), _WIDTH)

    def state(self, row: int, measure: str) -> State:
        """The verdict of one measure on one row."""
        if measure in self.modes:
            return State(self.modes[measure][row])
        return State(self.states[row * _WIDTH + MEASURES.index(measure)])

    def rows_in(self, measure: str, *states: State) -> Iterator[int]:
        """Numbers of the rows whose verdict under a measure is one of `states`, in order."""
        wanted = bytes(code in states for code in range(256))
        return compress(range(len(self)), self.column(measure).translate(wanted))

    def cause(self, row: int) -> str | None:
        """Why the run's trajectory differs, in a word; None: it does not, or nothing is known."""
        return ("", *CAUSES)[self.causes[row]] or None

    def strictest(self, row: int) -> str | None:
        """The strictest rung of the ladder that the run passes."""
        return ("", *LADDER)[self.rungs[row]] or None

    def output(self, row: int) -> str:
        """The state of the answer in the words of the output surface."""
        return OUTPUT_STATES[self.outputs[row]]

    def figure(self, row: int, name: str) -> float | None:
        """A number of a row: precision, recall, f1, alignment, query_quality."""
        value = self.figures[name][row]
        return None if math.isnan(value) else value

    def fact(self, row: int, name: str) -> bool | None:
        """Whether something holds of a row: called, valid, matches_reference, document_surfaced."""
        return FACT_SETS[self.facts[row]][FACTS.index(name)]

    def fact_column(self, name: str) -> bytes:
        """One fact of all rows, one byte a row: 0 it does not hold, 1 it does, 2 not known."""
        return bytes(self.facts).translate(FACT_BYTES[name])

    def redundant(self, row: int) -> int | None:
        """How many calls of a row repeat an earlier one without need (a count)."""
        value = self.redundancy[row]
        return None if math.isnan(value) else int(value)

    def score(self, row: int, name: str) -> float | str | None:
        """A recorded score of a row; a text says why it is no number: null, absent, not a number, NaN, inf, -inf."""
        if name not in self.scores:
            return None
        reason = self.unusable[name].get(row)
        return self.scores[name][row] if reason is None else reason


def _expects(run: Run) -> bool:
    return run.expected is not None and (run.expected.calls is not None or bool(run.expected.any))


NOT_FINITE = frozenset({"NaN", "inf", "-inf"})


_ABSENT, _NULL, _NOT_A_NUMBER = (Reasons.CODES[word] for word in ("absent", "null", "not a number"))


def _usable(recorded: Recorded, name: str) -> tuple[float, int]:
    """A recorded score as a number, or NaN and the code of the reason why it is none."""
    if name not in recorded:
        return _NO_NUMBER, _ABSENT
    value = recorded[name]
    if value is None:
        return _NO_NUMBER, _NULL
    if isinstance(value, str):
        return _NO_NUMBER, Reasons.CODES[value] if value in NOT_FINITE else _NOT_A_NUMBER
    return float(value), 0
