"""Expected at the left, made at the right, call by call; one under the other where it is narrow."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from msgspec import UnsetType
from rich.text import Text

from agent_tui.bundles import Bundle
from agent_tui.bundles.search import text_of
from agent_tui.matchers.differences import ArgDifference
from agent_tui.matchers.explain import Explanation, Row
from agent_tui.runs import ExpectedCall, Run, State, ToolCall, parse
from agent_tui.runs.json_values import JsonValue, args_value
from agent_tui.scoring.scorecard import GAP_MATCHERS
from agent_tui.tui.present.nodes import Node
from agent_tui.tui.present.steps import brief, text_of_json
from agent_tui.tui.present.words import joined, safe, shown_measure
from agent_tui.tui.theme import Glyphs

SIDE_BY_SIDE = 88
"""Cells from which both sides stand beside each other."""
_OPEN_UP_TO = 8
_KEY = 10
_MARK_STYLES = {"=": "label", "≠": "fail", "+": "notice", "−": "fail"}


@dataclass(frozen=True, slots=True)
class Aligned:
    """Makes the nodes of the aligned calls of one run."""

    bundle: Bundle
    row: int
    width: int
    glyphs: Glyphs
    explanation: Explanation

    @property
    def is_wide(self) -> bool:
        """Whether both sides stand beside each other."""
        return self.width >= SIDE_BY_SIDE

    @property
    def left(self) -> int:
        """Cells of the left side."""
        return (self.width - 10) // 2

    def nodes(self) -> list[Node]:
        """A node a line of the alignment; equal calls are folded where there are many."""
        run, explanation = self.bundle.run(self.row), self.explanation
        expected = expected_calls(run, explanation)
        forgiven = self._forgiving()
        unfold = self.is_wide and len(explanation.rows) <= _OPEN_UP_TO
        return [
            self._node(number, row, expected, run.calls or (), unfold or row.mark != "=", forgiven)
            for number, row in enumerate(explanation.rows)
        ]

    def _forgiving(self) -> str:
        """Which weaker matcher forgives what exact does not: the first that passes the run."""
        table = self.bundle.table
        if table.state(self.row, "exact") is not State.FAIL:
            return ""
        names = [name for name in GAP_MATCHERS if table.state(self.row, name) is State.PASS]
        return f"{shown_measure(names[0])} forgives this" if names else ""

    def _node(
        self,
        number: int,
        row: Row,
        expected: Sequence[ExpectedCall],
        actual: Sequence[ToolCall],
        unfold: bool,
        forgiven: str,
    ) -> Node:
        wanted = None if row.expected_index is None else expected[row.expected_index]
        made = None if row.actual_index is None else actual[row.actual_index]
        key = ("pair", number)
        note = forgiven if row.mark != "=" and not row.differences else ""

        def draw() -> Text:
            args = None if node.open else Text(_brief_args(made if made is not None else wanted), "label")
            return self._head(row.mark, wanted, made, note, args)

        node = Node(
            key,
            0,
            draw,
            lambda: self._arguments(key, row, wanted, made, forgiven),
            open=unfold,
            differs=row.mark in ("+", "−") or (row.mark == "≠" and not row.differences),
        )
        return node

    def _head(
        self, mark: str, wanted: ExpectedCall | None, made: ToolCall | None, note: str, args: Text | None
    ) -> Text:
        sign = Text(f"{_sign(mark, self.glyphs)} ", _MARK_STYLES[mark])
        how = Text(safe(_how_often(wanted)), "label") if wanted is not None else None
        ended = _ended(made)
        remark = Text(note, "notice") if note else None
        if not self.is_wide:
            name = made.name if made is not None else wanted.name if wanted is not None else ""
            told = {"+": Text("not expected", "notice"), "−": Text("not made", "fail")}.get(mark)
            return sign + joined(Text(safe(name, 60), "title"), how, told, args, ended, remark)
        left = (
            joined(Text(safe(wanted.name, 60), "title"), how) if wanted is not None else Text("not expected", "label")
        )
        right = Text(safe(made.name, 60), "title") if made is not None else Text("not made", "fail")
        return sign + self._sides(left, joined(right, args, ended, remark))

    def _sides(self, left: Text, right: Text) -> Text:
        if left.cell_len > self.left - 1:
            left.truncate(self.left - 1, overflow="ellipsis")
        line = left.copy()
        line.append(" " * (self.left - left.cell_len)).append(f"{self.glyphs.divider} ", "faint")
        return line.append_text(right)

    def _arguments(
        self, key: tuple[object, ...], row: Row, wanted: ExpectedCall | None, made: ToolCall | None, forgiven: str
    ) -> list[Node]:
        left = {} if wanted is None else _named(args_value(wanted.args))
        right = {} if made is None else _named(args_value(made.args))
        different = {difference.path: difference for difference in row.differences}
        nodes = []
        for name in dict.fromkeys([*left, *right]):
            below = [each for path, each in different.items() if _top(path) == name]
            both = wanted is not None and made is not None
            if both and below:
                nodes += [self._difference(key, each, forgiven) for each in below]
            else:
                nodes.append(self._argument(key, name, left.get(name, _ABSENT), right.get(name, _ABSENT), both))
        whole = different.get("")
        if whole is not None:
            nodes = [self._difference(key, whole, forgiven)]
        return [*nodes, *self._result(key, made)]

    def _argument(self, key: tuple[object, ...], name: str, left: object, right: object, both: bool) -> Node:
        shown = right if left is _ABSENT else left
        text = text_of_json(shown)  # type: ignore[arg-type]
        label = Text(f"  {safe(name, 24):<{_KEY}} ", "label")
        value = Text(safe(text, 200), "text")

        def draw() -> Text:
            if not self.is_wide or (both and left is _ABSENT):
                return label + value
            one = label + value if left is not _ABSENT else Text()
            other = label + value if right is not _ABSENT else Text()
            return Text("  ").append_text(self._sides(one, other))

        return Node((*key, name), 0, draw, whole=lambda: text)

    def _difference(self, key: tuple[object, ...], difference: ArgDifference, forgiven: str) -> Node:
        name = difference.path or "arguments"
        label = Text(f"  {safe(name, 30):<{_KEY}} ", "label")
        wanted = _value(difference.expected, "pass bold")
        got = _value(difference.actual, "fail bold")
        notes = [difference.note, f"rule {difference.forgiven_by} would" if difference.forgiven_by else None]
        said = joined(*(Text(safe(note), "label") for note in notes if note), Text(forgiven, "notice"))

        def draw() -> Text:
            sign = Text(f"{self.glyphs.differs} ", "fail")
            if not self.is_wide:
                line = sign + label + Text("expected ", "label") + wanted + Text("  got ", "label") + got
                return joined(line, said, gap="   ")
            return sign + self._sides(label + wanted, joined(label + got, said, gap="   "))

        both = f"expected {difference.expected}\ngot      {difference.actual}"
        return Node((*key, name), 0, draw, whole=lambda: both, differs=True)

    def _result(self, key: tuple[object, ...], made: ToolCall | None) -> Iterator[Node]:
        if made is None or isinstance(made.result, UnsetType):
            return
        text = text_of(parse(made.result))
        label = Text(f"  {'result':<{_KEY}} ", "label")
        value = Text(safe(text, 160), "label")

        def draw() -> Text:
            line = label + value
            return Text("  ").append_text(self._sides(Text(), line)) if self.is_wide else line

        yield Node((*key, "result"), 0, draw, whole=lambda: text)


_ABSENT = object()


def _named(value: JsonValue) -> dict[str, JsonValue]:
    return value if isinstance(value, dict) else {"arguments": value}


def _brief_args(call: ExpectedCall | ToolCall | None) -> str:
    return "" if call is None else brief(args_value(call.args))


def _top(path: str) -> str:
    """The argument that a path of a difference begins with."""
    return path.partition(".")[0].partition("[")[0]


def _value(text: str, style: str) -> Text:
    return Text(safe(text, 120), style if text != "absent" else "label")


def _sign(mark: str, glyphs: Glyphs) -> str:
    return {"=": glyphs.same, "≠": glyphs.differs, "+": glyphs.extra, "−": glyphs.missing}[mark]


def _ended(made: ToolCall | None) -> Text | None:
    if made is None:
        return None
    failed = made.failed()
    if failed:
        return Text("failed", "error")
    return Text("ok", "label") if not isinstance(made.result, UnsetType) or failed is False else None


def _how_often(call: ExpectedCall) -> str:
    if call.optional:
        return "optional"
    if call.times is None:
        return ""
    return f"{call.times.min} to {call.times.max} times" if call.times.max is not None else f"at least {call.times.min}"


def expected_calls(run: Run, explanation: Explanation) -> list[ExpectedCall]:
    """The calls of the reference that counts, groups opened, in order."""
    if run.expected is None:
        return []
    calls = run.expected.calls
    if calls is None and run.expected.any:
        calls = run.expected.any[explanation.reference].calls
    return [inner for call in calls or () for inner in (call.parallel if call.parallel is not None else [call])]
