"""The runs as a table: one row a run, the active measure decides the verdict column."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from rich.cells import cell_len
from rich.text import Text

from agent_tui.bundles.fields import gap_matchers
from agent_tui.runs import State
from agent_tui.tui.present.judge_line import LABEL_STYLES, verdict_mark
from agent_tui.tui.present.words import CAUSES, mark, safe, safe_name, shown_measure
from agent_tui.tui.session import Session
from agent_tui.tui.theme import Glyphs
from agent_tui.tui.widgets.columns import Column
from agent_tui.tui.widgets.paint import Line

OUTPUT_STATES = {
    "correct": State.PASS,
    "wrong": State.FAIL,
    "no_answer": State.FAIL,
    "run_error": State.ERROR,
    "unscoreable": State.NOT_KNOWN,
    "check_error": State.BROKEN,
    "pending": State.PENDING,
}
_OUTPUT_WORDS = {"no_answer": "none", "run_error": "error", "check_error": "check"}

COLUMNS = ("run", "asks", "calls", "verdict", "gap", "output", "judge", "label")
"""The columns shown at first; `C` chooses others."""
_NARROW_NAME = 14
MORE_COLUMNS = ("task", "epoch", "model", "status", "errors", "redundancy", "success", "recall", "precision", "f1")


class RunRows(Struct, eq=False):
    """A row source over a session; positions are those of the session."""

    session: Session
    glyphs: Glyphs
    shown: tuple[str, ...] = COLUMNS

    @property
    def count(self) -> int:
        """How many runs the filter leaves."""
        return len(self.session)

    def columns(self, room: int = 80) -> list[Column]:
        """The columns, as wide as their content is likely to need in `room` cells."""
        return [self._column(name, room) for name in self.told()]

    def told(self) -> tuple[str, ...]:
        """The chosen columns without those that could only be empty: they come back in a bundle that fills them."""
        return tuple(name for name in self.shown if self._can_fill(name))

    def _can_fill(self, name: str) -> bool:
        if name.startswith("score."):
            return name.removeprefix("score.") in self.session.bundle.table.scores
        if name == "label":
            return bool(self.session.labels)
        return name != "gap" or self._has_gaps()

    def _has_gaps(self) -> bool:
        if not self.session.bundle.is_complete:
            return True
        tally = self.session.card.tallies["exact"]
        return bool(tally.scored or tally.errors)

    def _column(self, name: str, room: int) -> Column:
        if name == "verdict":
            return Column(shown_measure(self.session.measure), 11, most=self._verdict_width(), rank=0)
        if name == "run":
            return self._run_column(room)
        if name.startswith("score."):
            return Column(safe(name.removeprefix("score."), 16), 8, align="right", rank=4)
        return {
            "asks": Column("asks", 12, share=3, rank=3),
            "calls": Column("calls", 5, align="right", rank=4),
            "gap": Column("gap", 11, most=16, rank=2),
            "output": Column("output", 7, rank=1),
            "judge": Column("judge", 5, most=self._judge_width(), rank=1 if self._is_judged else 5),
            "label": Column("label", 7, most=14, rank=5),
        }.get(name, Column(name, 10, rank=4))

    def _verdict_width(self) -> int:
        """Room for the title of every measure that toggles, so that a toggle moves nothing."""
        return max(11, *(len(shown_measure(name)) for name in self.session.cycle()))

    @property
    def _is_judged(self) -> bool:
        return self.session.judge is not None and bool(self.session.judge.said)

    def _judge_width(self) -> int:
        """Room for the longest mark, once there are any."""
        return 10 if self._is_judged else 5

    def _run_column(self, room: int) -> Column:
        """Names as wide as they are, up to a quarter of the room; where that is short no more than others leave."""
        names = (self.session.bundle.names.name(row) for row in range(min(50, len(self.session.bundle))))
        widest = max(4, *(cell_len(safe_name(name)) for name in names), 0)
        return Column("run", min(_NARROW_NAME, widest) + 1, most=min(max(10, room // 4), widest) + 1, rank=0)

    def cells(self, row: int) -> Sequence[Line]:
        """The cells at a position."""
        number = self.session.row_at(row)
        return [self._cell(name, number) for name in self.told()]

    def _cell(self, name: str, row: int) -> Line:
        bundle, table = self.session.bundle, self.session.bundle.table
        if name == "run":
            moved = Text("*", "notice") if row in self.session.moved else Text("")
            return Text(safe_name(bundle.names.name(row)), "title").append_text(moved)
        if name == "asks":
            return safe(bundle.run(row).input or table.tasks[row] or "", 160)
        if name == "calls":
            return calls_cell(bundle.run(row).calls, bundle.expected_calls(row))
        if name == "verdict":
            return self.verdict(row)
        if name == "gap":
            return gap_cell(gap_matchers(bundle, row, self.session.measure))
        if name == "output":
            state = table.output(row)
            was = self._was(row, "output", OUTPUT_STATES[state])
            return mark(OUTPUT_STATES[state], self.glyphs, was or _OUTPUT_WORDS.get(state))
        return self._other(name, row)

    def verdict(self, row: int) -> Text:
        """The active measure's verdict with its cause in a word."""
        table = self.session.bundle.table
        state = table.state(row, self.session.measure)
        was = self._was(row, self.session.measure, state)
        if was:
            return mark(state, self.glyphs, was)
        if state is State.FAIL:
            cause = table.cause(row)
            return mark(state, self.glyphs, CAUSES.get(cause or "", cause))
        if state is State.PENDING:
            return mark(state, self.glyphs, safe(table.statuses[row] or "", 20))
        return mark(state, self.glyphs)

    def _was(self, row: int, measure: str, state: State) -> str:
        """What a verdict was before the last change moved it: `was ✗`; empty where it stayed."""
        shift = self.session.shift
        before = None if shift is None else shift.state(row, measure)
        return "" if before is None or before is state else f"was {mark(before, self.glyphs).plain}"

    def _other(self, name: str, row: int) -> Line:
        table = self.session.bundle.table
        if name == "judge":
            judge = self.session.judge
            said = None if judge is None else judge.said.get(row)
            return Text(self.glyphs.nothing, "label") if said is None else verdict_mark(said, self.glyphs)
        if name == "label":
            word = self.session.labels.get(row)
            return Text(self.glyphs.nothing, "label") if word is None else Text(word, LABEL_STYLES[word])
        if name == "success":
            return mark(table.state(row, "task_success"), self.glyphs)
        if name in table.figures:
            return _number(table.figure(row, name))
        if name.startswith("score."):
            score = table.score(row, name.removeprefix("score."))
            return Text(safe(score, 20), "unscoreable") if isinstance(score, str) else _number(score)
        plain = {
            "task": table.tasks[row],
            "epoch": str(table.epochs[row]),
            "model": table.models[row],
            "status": table.statuses[row],
            "errors": str(self.session.bundle.errors(row)),
            "redundancy": _plain(table.redundant(row)),
        }
        return safe(plain.get(name) or "", 60)


def gap_cell(names: Sequence[str]) -> Text:
    """The weaker matchers that pass the run: the strictest by name, the others counted."""
    if not names:
        return Text("")
    more = f" +{len(names) - 1}" if len(names) > 1 else ""
    return Text(shown_measure(names[0]), "notice").append(more, "label")


def calls_cell(actual: Sequence[object] | None, expected: int | None) -> Text:
    """Calls made / calls expected."""
    made = "—" if actual is None else str(len(actual))
    return Text(made if expected is None else f"{made}/{expected}", "label")


def _number(value: float | None) -> Text:
    return Text("—", "unscoreable") if value is None else Text(f"{value:.3g}", "text")


def _plain(value: int | None) -> str:
    return "" if value is None else str(value)
