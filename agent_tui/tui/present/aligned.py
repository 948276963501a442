"""Expected at the left, made at the right, call by call; one under the other where it is narrow."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from itertools import islice

from msgspec import Struct, UnsetType
from msgspec.structs import replace
from rich.cells import cell_len
from rich.text import Text

from agent_tui.bundles import Bundle
from agent_tui.bundles.search import text_of
from agent_tui.matchers.differences import ArgDifference
from agent_tui.matchers.explain import Explanation, Row
from agent_tui.matchers.parting import left_out, parting, without_front
from agent_tui.runs import ExpectedCall, State, ToolCall, parse
from agent_tui.runs.json_values import JsonValue, args_value
from agent_tui.scoring.scorecard import GAP_MATCHERS
from agent_tui.tui.editing import argument_path
from agent_tui.tui.present.changed import Changed, Was, calls_expected, remark, value_in, was_argument, was_call
from agent_tui.tui.present.nodes import Key, Node
from agent_tui.tui.present.steps import brief, ended_well
from agent_tui.tui.present.texts import LEAST
from agent_tui.tui.present.words import joined, safe, shown_measure, text_of_json
from agent_tui.tui.theme import Glyphs
from agent_tui.tui.widgets.foreign import distinct, shown_line, shown_start

SIDE_BY_SIDE = 88
"""Cells from which both sides stand beside each other."""
_OPEN_UP_TO = 8
_OPEN_UNLIKE = 200
"""Lines that are not alike and unfolded at first: of more, the later ones are made when they are asked for."""
_KEY = 10
_FOLD = 3
"""Cells for the fold mark before a line and the thumb behind it."""
_PARTED = 60
"""Characters of two texts that are shown around the place where they part."""
_EXPECTED, _GOT = "expected ", "got      "
_MARK_STYLES = {"=": "label", "≠": "fail", "+": "notice", "−": "fail", "~": "notice"}


class _Pair(Struct, frozen=True):
    """The calls of a line, and what each was when the run was recorded."""

    wanted: ExpectedCall | None
    made: ToolCall | None
    was_wanted: Was | None
    was_made: Was | None

    @property
    def is_changed(self) -> bool:
        return self.was_wanted is not None or self.was_made is not None

    @property
    def has_two_names(self) -> bool:
        return self.wanted is not None and self.made is not None and self.wanted.name != self.made.name


class Aligned(Struct, frozen=True):
    """Makes the nodes of the aligned calls of one run."""

    bundle: Bundle
    row: int
    width: int
    glyphs: Glyphs
    explanation: Explanation
    changed: Changed

    @property
    def is_wide(self) -> bool:
        """Whether both sides stand beside each other."""
        return self.width >= SIDE_BY_SIDE

    @property
    def _is_recorded(self) -> bool:
        """Whether it is known what the run called."""
        return self.bundle.run(self.row).calls is not None

    @property
    def left(self) -> int:
        """Cells of the left side."""
        return (self.width - 10) // 2

    def nodes(self) -> list[Node]:
        """A node a line of the alignment; equal calls are folded where there are many, and unlike ones beyond some."""
        run, explanation = self.bundle.run(self.row), self.explanation
        expected = calls_expected(run, explanation.reference)
        forgiven = self._forgiving()
        unfold = self.is_wide and len(explanation.rows) <= _OPEN_UP_TO
        unlike = islice((number for number, row in enumerate(explanation.rows) if row.mark != "="), _OPEN_UNLIKE)
        opened = frozenset(unlike)
        return [
            self._node(number, row, expected, run.calls or (), unfold or number in opened, forgiven)
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
        pair = _Pair(
            wanted,
            made,
            None if row.expected_index is None else self.changed.expected.get(row.expected_index),
            None if row.actual_index is None else self.changed.made.get(row.actual_index),
        )
        key = ("pair", number)
        note = forgiven if row.mark != "=" and not row.differences else ""

        def draw() -> Text:
            args = None if node.open else Text(_brief_args(made if made is not None else wanted), "label")
            mark = "~" if row.mark == "=" and pair.is_changed and not node.open else row.mark
            return self._head(mark, pair, note, args)

        node = Node(
            key,
            0,
            draw,
            lambda: self._arguments(key, row, pair, forgiven),
            open=unfold,
            differs=row.mark in ("+", "−") or (row.mark == "≠" and not row.differences),
        )
        return node

    def _head(self, mark: str, pair: _Pair, note: str, args: Text | None) -> Text:
        wanted, made = pair.wanted, pair.made
        sign, absent = Text(f"{_sign(mark, self.glyphs)} ", _MARK_STYLES[mark]), Text("not made", "fail")
        if not self._is_recorded:
            sign, absent = Text(f"{self.glyphs.unscoreable} ", "unscoreable"), Text("not recorded", "unscoreable")
        how = Text(safe(_how_often(wanted)), "label") if wanted is not None else None
        ended = _ended(made)
        remarked = Text(note, "notice") if note else None
        was_wanted = remark(was_call(pair.was_wanted, wanted.name) if wanted else "", self.glyphs.changed)
        was_made = remark(was_call(pair.was_made, made.name) if made else "", self.glyphs.changed)
        if not self.is_wide:
            name = made.name if made is not None else wanted.name if wanted is not None else ""
            told = {"+": Text("not expected", "notice"), "−": absent}.get(mark)
            other = Text(f"expected {safe(wanted.name, 40)}", "label") if pair.has_two_names and wanted else None
            return sign + joined(
                Text(safe(name, 60), "title"), was_made, how, told, other, was_wanted, args, ended, remarked
            )
        left = (
            joined(Text(safe(wanted.name, 60), "title"), was_wanted, how)
            if wanted is not None
            else Text("not expected", "label")
        )
        right = joined(Text(safe(made.name, 60), "title"), was_made) if made is not None else absent
        return sign + self._sides(left, joined(right, args, ended, remarked))

    def _sides(self, left: Text, right: Text) -> Text:
        if left.cell_len > self.left - 1:
            left.truncate(self.left - 1, overflow="ellipsis")
        line = left.copy()
        line.append(" " * (self.left - left.cell_len)).append(f"{self.glyphs.divider} ", "faint")
        return line.append_text(right)

    def _arguments(self, key: Key, row: Row, pair: _Pair, forgiven: str) -> list[Node]:
        left = {} if pair.wanted is None else _named(args_value(pair.wanted.args))
        right = {} if pair.made is None else _named(args_value(pair.made.args))
        paths = {argument_path(difference.path, left, right): difference for difference in row.differences}
        if () in paths:
            return [*self._difference((*key, "args", ()), paths[()], pair, forgiven), *self._result(key, pair.made)]
        both = pair.wanted is not None and pair.made is not None
        nodes: list[Node] = []
        for name in dict.fromkeys([*left, *right]):
            below = [path for path in paths if path[0] == name]
            if both and below:
                for path in below:
                    nodes += self._difference((*key, "args", path), paths[path], pair, forgiven)
            else:
                nodes.append(self._argument(key, name, left.get(name, _ABSENT), right.get(name, _ABSENT), pair))
        return [*nodes, *self._result(key, pair.made)]

    def _argument(self, key: Key, name: str, left: object, right: object, pair: _Pair) -> Node:
        shown = right if left is _ABSENT else left
        text = text_of_json(shown)  # type: ignore[arg-type]
        label = Text(f"  {safe(name, 24):<{_KEY}} ", "label")
        both = pair.wanted is not None and pair.made is not None
        was_wanted = "" if left is _ABSENT else was_argument(pair.was_wanted, (name,), left)
        was_made = "" if right is _ABSENT else was_argument(pair.was_made, (name,), right)
        is_changed = bool(was_wanted or was_made)

        def side(was: str) -> Text:
            return label + joined(Text(safe(text, 200), "notice bold" if was else "text"), remark(was))

        def draw() -> Text:
            sign = Text(f"{self.glyphs.changed} ", "notice") if is_changed else Text("  ")
            if not self.is_wide or (both and left is _ABSENT):
                return sign + side(was_wanted or was_made)
            one = side(was_wanted) if left is not _ABSENT else Text()
            other = side(was_made) if right is not _ABSENT else Text()
            return sign.append_text(self._sides(one, other))

        return Node((*key, "args", (name,)), 0, draw, whole=lambda: text)

    def _difference(self, key: Key, difference: ArgDifference, pair: _Pair, forgiven: str) -> Iterator[Node]:
        """What differs, and the remarks on it: behind it where there is room, else below."""
        difference = replace(difference, expected=distinct(difference.expected), actual=distinct(difference.actual))
        name = difference.path or "arguments"
        label = Text(f"  {safe(name, 30):<{_KEY}} ", "label")
        skipped = self._left_out(difference, label)
        wanted = joined(_value(difference.expected, "pass bold", skipped), self._was(pair.was_wanted, pair.wanted, key))
        got = joined(_value(difference.actual, "fail bold", skipped), self._was(pair.was_made, pair.made, key))
        sign = Text(f"{self.glyphs.differs} ", "fail")
        room, below = self.width - _FOLD, list[Text]()
        if self.is_wide:
            line, indent = sign + self._sides(label + wanted, label + got), self.left + 4 + label.cell_len
        else:
            line, indent = sign + label + Text(_EXPECTED, "label") + wanted, 2 + label.cell_len
            got = Text("got ", "label") + got
            if line.cell_len + 2 + got.cell_len <= room:
                line = joined(line, got)
            else:
                below.append(Text(" " * 5) + got)
        remarks = _remarks(difference, forgiven)
        behind = joined(line, *remarks, gap="   ")
        if below or behind.cell_len > room:
            below += _rows(remarks, room - indent)
        else:
            line = behind
        both = _both(difference)
        yield Node(key, 0, line.copy, whole=lambda: both, differs=True)
        yield from (self._below(key, row, indent, both) for row in below)

    def _left_out(self, difference: ArgDifference, label: Text) -> int:
        """How many characters of both values to leave out in front, so that they are seen to differ."""
        one, other = difference.expected, difference.actual
        room = self.left - 1 if self.is_wide else self.width - _FOLD - 2 - len(_EXPECTED)
        cells = 1 if one.isascii() and other.isascii() else 2
        return left_out(one, other, max(LEAST, room - label.cell_len) // cells)

    def _below(self, key: Key, remark: Text, indent: int, whole: str) -> Node:
        """A remark below what it is about; an edit there is one of what it is about."""

        def draw() -> Text:
            if not self.is_wide:
                return Text(" " * indent) + remark
            side = Text(" " * (indent - self.left - 4)) + remark
            return Text("  ") + self._sides(Text(), side)

        return Node(key, 0, draw, whole=lambda: whole, is_piece=True)

    def _was(self, was: Was | None, call: ExpectedCall | ToolCall | None, key: Key) -> Text | None:
        """What stood at the path of a difference when the run was recorded."""
        path = key[-1]
        if was is None or call is None or not isinstance(path, tuple):
            return None
        said = was_argument(was, path, value_in(args_value(call.args), path))
        return remark(said, self.glyphs.changed)

    def _result(self, key: Key, made: ToolCall | None) -> Iterator[Node]:
        if made is None or isinstance(made.result, UnsetType):
            return
        text = text_of(parse(made.result))
        label = Text(f"  {'result':<{_KEY}} ", "label")
        value = Text(safe(text, 160), "label")

        def draw() -> Text:
            line = label + value
            return Text("  ").append_text(self._sides(Text(), line) if self.is_wide else line)

        yield Node((*key, "result"), 0, draw, whole=lambda: text)


_ABSENT = object()


def _remarks(difference: ArgDifference, forgiven: str) -> list[Text]:
    """What is said of a difference beside its two values."""
    rule = f"a rule {difference.forgiven_by} would forgive it" if difference.forgiven_by else ""
    said = ((difference.note, "label"), (rule, "label"), (forgiven, "notice"))
    return [Text(safe(words), style) for words, style in said if words]


def _rows(remarks: Sequence[Text], room: int) -> Iterator[Text]:
    """Remarks below each other, wrapped."""
    for each in remarks:
        yield from (Text(row, each.style) for row in textwrap.wrap(each.plain, max(16, room)))


def _named(value: JsonValue) -> dict[str, JsonValue]:
    return value if isinstance(value, dict) else {"arguments": value}


def _brief_args(call: ExpectedCall | ToolCall | None) -> str:
    return "" if call is None else brief(args_value(call.args))


def _value(text: str, style: str, skipped: int) -> Text:
    return Text(safe(without_front(text, skipped), 120), style if text != "absent" else "label")


def _both(difference: ArgDifference) -> str:
    """Both values whole; where they are long, above them the place where they part, with a mark below it."""
    one, other = difference.expected, difference.actual
    whole = f"{_EXPECTED}{one}\n{_GOT}{other}"
    at = parting(one, other)
    if max(len(one), len(other)) <= _PARTED:
        return whole
    skipped = left_out(one, other, _PARTED)
    shown = [shown_start(without_front(text, skipped), _PARTED) for text in (one, other)]
    before = cell_len(shown_line(without_front(one[:at], skipped)))
    heading = f"the first {at:,} characters are the same" if at else "they differ from the first character on"
    mark = " " * (len(_EXPECTED) + before) + "^"
    return f"{heading}\n{_EXPECTED}{shown[0]}\n{_GOT}{shown[1]}\n{mark}\n\n{whole}"


def _sign(mark: str, glyphs: Glyphs) -> str:
    return {"=": glyphs.same, "≠": glyphs.differs, "+": glyphs.extra, "−": glyphs.missing, "~": glyphs.changed}[mark]


def _ended(made: ToolCall | None) -> Text | None:
    if made is None:
        return None
    failed = made.failed()
    if failed:
        return Text("failed", "error")
    return ended_well(failed is False) if not isinstance(made.result, UnsetType) or failed is False else None


def _how_often(call: ExpectedCall) -> str:
    if call.optional:
        return "optional"
    if call.times is None:
        return ""
    return f"{call.times.min} to {call.times.max} times" if call.times.max is not None else f"at least {call.times.min}"
