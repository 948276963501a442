"""The runs as a table: one row a run, the active measure decides the verdict column."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct
from rich.cells import cell_len
from rich.text import Text

from agent_tui.bundles.fields import gap_matchers
from agent_tui.runs import State
from agent_tui.tui.present.judge_line import LABEL_STYLES, verdict_mark
from agent_tui.tui.present.short_names import short_name
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
_AROUND = 3
"""Rows before and after a run from which its name is told apart."""
_COUNTS = ("epoch", "errors", "redundancy")
"""Columns of whole numbers, which are not to be cut into others."""
MORE_COLUMNS = ("task", "epoch", "model", "status", "errors", "redundancy", "success", "recall", "precision", "f1")


class RunRows(Struct, eq=False):
    """A row source over a session; positions are those of the session."""

    session: Session
    glyphs: Glyphs
    shown: tuple[str, ...] = COLUMNS
    wider: Callable[[], object] = lambda: None
    """Told when numbers are to be drawn for which a column should be wider."""
    _calls: int = len("calls")
    """Cells of the widest number of calls that was drawn."""

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
            return Column(safe(name.removeprefix("score."), 16), 9, align="right", rank=4)
        return {
            "asks": Column("asks", 12, share=3, rank=3),
            "calls": Column(
                "calls", self._least_calls, most=self._calls, align="right", rank=4, shorten=self._short_calls
            ),
            "gap": Column("gap", 11, most=16, rank=2),
            "output": Column("output", 7, rank=1),
            "judge": Column("judge", 5, most=self._judge_width(), rank=1 if self._is_judged else 5),
            "label": Column("label", 7, most=14, rank=5),
        }.get(name, Column(name, 10, rank=4, shorten=self._no_room if name in _COUNTS else None))

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
        least = min(_NARROW_NAME - self._least_calls + len("calls"), widest) + 1
        most = min(max(10, room // 4), widest) + 1
        return Column("run", least, most=most, rank=0, shorten=self._short_name)

    @property
    def _least_calls(self) -> int:
        """Room for the short form of any number of calls, where there are so many."""
        return min(self._calls, len("1.2k/1.2k"))

    def cells(self, row: int) -> Sequence[Line]:
        """The cells at a position."""
        number = self.session.row_at(row)
        return [self._cell(name, number) for name in self.told()]

    def _cell(self, name: str, row: int) -> Line:
        bundle, table = self.session.bundle, self.session.bundle.table
        if name == "run":
            return Text(safe_name(bundle.names.name(row)), "title").append_text(self._star(row))
        if name == "asks":
            return safe(bundle.run(row).input or table.tasks[row] or "", 160)
        if name == "calls":
            return self._calls_cell(row)
        if name == "verdict":
            return self.verdict(row)
        if name == "gap":
            return gap_cell(gap_matchers(bundle, row, self.session.measure))
        if name == "output":
            state = table.output(row)
            was = self._was(row, "output", OUTPUT_STATES[state])
            return mark(OUTPUT_STATES[state], self.glyphs, was or _OUTPUT_WORDS.get(state))
        return self._other(name, row)

    def _star(self, row: int) -> Text:
        """What marks a row that moved."""
        return Text("*", "notice") if row in self.session.moved else Text("")

    def _short_name(self, position: int, room: int) -> Text:
        """The name of a run that is too long, told apart from those of the rows around it."""
        session, star = self.session, self._star(self.session.row_at(position))
        around = range(max(0, position - _AROUND), min(self.count, position + _AROUND + 1))
        names = {each: session.bundle.names.name(session.row_at(each)) for each in around}
        short = short_name(names[position], room - star.cell_len, self.glyphs.ellipsis, names.values())
        return Text(short, "title").append_text(star)

    def _calls_cell(self, row: int) -> Text:
        """Calls made and expected; the column is made wider where it has no room for them."""
        cell = calls_cell(*self._call_counts(row))
        if cell.cell_len > self._calls:
            self._calls = cell.cell_len
            self.wider()
        return cell

    def _call_counts(self, row: int) -> tuple[int | None, int | None]:
        calls = self.session.bundle.run(row).calls
        return None if calls is None else len(calls), self.session.bundle.expected_calls(row)

    def _short_calls(self, position: int, room: int) -> Text:
        """The calls of a row in few cells."""
        return short_calls(*self._call_counts(self.session.row_at(position)), room, self.glyphs)

    def _no_room(self, position: int, room: int) -> Text:
        """Instead of a number that does not fit."""
        return Text(self.glyphs.ellipsis, "label")

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
            "errors": f"{self.session.bundle.errors(row):,}",
            "redundancy": _plain(table.redundant(row)),
        }
        return safe(plain.get(name) or "", 60)


def gap_cell(names: Sequence[str]) -> Text:
    """The weaker matchers that pass the run: the strictest by name, the others counted."""
    if not names:
        return Text("")
    more = f" +{len(names) - 1}" if len(names) > 1 else ""
    return Text(shown_measure(names[0]), "notice").append(more, "label")


def calls_cell(made: int | None, expected: int | None) -> Text:
    """Calls made / calls expected."""
    return Text(_calls_words(made, expected, "{:,}".format), "label")


def short_calls(made: int | None, expected: int | None, room: int, glyphs: Glyphs) -> Text:
    """`calls_cell` in `room` cells: `12k/12k` where that tells the two apart, else only that there is no room."""
    said = _calls_words(made, expected, short_count)
    one, _, other = said.partition("/")
    is_told = len(said) <= room and (one != other or made == expected)
    return Text(said if is_told else glyphs.ellipsis, "label")


def _calls_words(made: int | None, expected: int | None, number: Callable[[int], str]) -> str:
    said = "—" if made is None else number(made)
    return said if expected is None else f"{said}/{number(expected)}"


def short_count(number: int) -> str:
    """A count in four cells at most: `999`, `1.2k`, `12k`, `1.2M`."""
    for power, sign in ((1_000_000, "M"), (1_000, "k")):
        if number >= power:
            return f"{number * 10 // power / 10:.1f}{sign}" if number < 10 * power else f"{number // power}{sign}"
    return str(number)


def _number(value: float | None) -> Text:
    return Text("—", "unscoreable") if value is None else Text(f"{value:.3g}", "text")


def _plain(value: int | None) -> str:
    return "" if value is None else f"{value:,}"
