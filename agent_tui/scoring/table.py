"""The verdicts of many runs as columns: rows are numbers, and a toggle is a count of bytes."""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterator, Mapping
from itertools import compress, product
from typing import Any

from agent_tui.matchers import CAUSES, LADDER
from agent_tui.matchers import MEASURES as MATCH_MEASURES
from agent_tui.runs import Run, State
from agent_tui.scoring.columns import Codes, Findings, Reasons, Texts, Words
from agent_tui.scoring.run_score import MEASURES, RunScore

_WIDTH = len(MEASURES)
_CAUSE_CODES = {cause: code for code, cause in enumerate((None, *CAUSES))}
_RUNG_CODES = {rung: code for code, rung in enumerate((None, *LADDER))}
OUTPUT_STATES = ("correct", "wrong", "no_answer", "run_error", "unscoreable", "check_error", "pending")
_OUTPUT_CODES = {state: code for code, state in enumerate(OUTPUT_STATES)}
FIGURES = (*MATCH_MEASURES, "query_quality")
FACTS = ("called", "valid", "matches_reference", "document_surfaced")
_FACT_SETS = tuple(product((False, True, None), repeat=len(FACTS)))
_FACT_CODES = {facts: code for code, facts in enumerate(_FACT_SETS)}
FACT_BYTES = {
    name: bytes((False, True, None).index(facts[place]) for facts in _FACT_SETS).ljust(256, b"\2")
    for place, name in enumerate(FACTS)
}
"""Of each fact: the code of a set of facts to the byte in a column."""
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
        self._precision, self._recall, self._f1, self._alignment, self._quality = self.figures.values()
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
        row = len(self.ids)
        self.ids.append(run.id)
        tasks, statuses, models, agents = self.tasks, self.statuses, self.models, self.agents
        tasks.rows.append(tasks.code_of[run.task])
        statuses.rows.append(statuses.code_of[run.status])
        models.rows.append(models.code_of[model])
        agents.rows.append(agents.code_of[agent])
        self.epochs.append(run.epoch)
        self.states += score.states
        match = score.match
        self.causes.append(_CAUSE_CODES[match.cause])
        self.rungs.append(_RUNG_CODES[match.strictest])
        self.outputs.append(_OUTPUT_CODES[score.answer.state])
        self.expects.append(_expects(run))
        self.calls.append(score.calls)
        levels = score.levels
        self.redundancy.append(_NO_NUMBER if levels.redundancy is None else levels.redundancy)
        self._precision.append(_NO_NUMBER if match.precision is None else match.precision)
        self._recall.append(_NO_NUMBER if match.recall is None else match.recall)
        self._f1.append(_NO_NUMBER if match.f1 is None else match.f1)
        self._alignment.append(_NO_NUMBER if match.alignment is None else match.alignment)
        self._quality.append(_NO_NUMBER if levels.query_quality is None else levels.query_quality)
        self.facts.append(_FACT_CODES[levels.called, levels.valid, levels.matches_reference, levels.document_surfaced])
        findings = self.findings
        findings.rows.append(findings.code_of[score.success.finding])
        if run.scores or self.scores:
            self._append_scores(row, run)
        return row

    def replace(self, row: int, run: Run, score: RunScore) -> None:
        """Put another version of a run in its row; identity stays."""
        self._columns.clear()
        self.statuses.replace(row, run.status)
        self.states[row * _WIDTH : (row + 1) * _WIDTH] = score.states
        self.causes[row] = _CAUSE_CODES[score.match.cause]
        self.rungs[row] = _RUNG_CODES[score.match.strictest]
        self.outputs[row] = _OUTPUT_CODES[score.answer.state]
        self.expects[row] = _expects(run)
        self.calls[row] = score.calls
        self.redundancy[row] = _number(score.levels.redundancy)
        for column, value in zip(self.figures.values(), _figures(score), strict=True):
            column[row] = _NO_NUMBER if value is None else value
        levels = score.levels
        self.facts[row] = _FACT_CODES[levels.called, levels.valid, levels.matches_reference, levels.document_surfaced]
        self.findings.replace(row, score.success.finding)
        for name in [*self.scores, *(name for name in run.scores if name not in self.scores)]:
            self._set_score(row, name, run)
            self._drop_score_of_none(name)

    def _append_scores(self, row: int, run: Run) -> None:
        for name in run.scores:
            if name not in self.scores:
                self._add_score(name, row)
        for name, values in self.scores.items():
            value, reason = _usable(run, name)
            values.append(value)
            self.unusable[name].codes.append(reason)

    def _add_score(self, name: str, rows: int) -> None:
        """A column for a score that none of the rows so far has."""
        self.scores[name] = array("d", [_NO_NUMBER]) * rows
        self.unusable[name] = Reasons(bytearray([_ABSENT]) * rows)

    def _set_score(self, row: int, name: str, run: Run) -> None:
        if name not in self.scores:
            self._add_score(name, len(self))
        self.scores[name][row], self.unusable[name].codes[row] = _usable(run, name)

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
        return bytes(self.states[MEASURES.index(measure) :: _WIDTH])

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
        return _FACT_SETS[self.facts[row]][FACTS.index(name)]

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


def _number(value: int | None) -> float:
    return _NO_NUMBER if value is None else float(value)


def _figures(score: RunScore) -> tuple[float | None, ...]:
    match = score.match
    return match.precision, match.recall, match.f1, match.alignment, score.levels.query_quality


NOT_FINITE = frozenset({"NaN", "inf", "-inf"})


_ABSENT, _NULL, _NOT_A_NUMBER = (Reasons.CODES[word] for word in ("absent", "null", "not a number"))


def _usable(run: Run, name: str) -> tuple[float, int]:
    """A recorded score as a number, or NaN and the code of the reason why it is none."""
    if name not in run.scores:
        return _NO_NUMBER, _ABSENT
    value = run.scores[name]
    if value is None:
        return _NO_NUMBER, _NULL
    if isinstance(value, str):
        return _NO_NUMBER, Reasons.CODES[value] if value in NOT_FINITE else _NOT_A_NUMBER
    return float(value), 0
