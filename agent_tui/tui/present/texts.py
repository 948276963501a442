"""Texts of any length as nodes: wrapped where they are short, counted where they go on, opened where a search leads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from rich.segment import Segment
from rich.text import Text
from textual.strip import Strip

from agent_tui.reports.figures import count
from agent_tui.tui.needles import place_of
from agent_tui.tui.present.nodes import Key, Node, Tree
from agent_tui.tui.present.words import joined
from agent_tui.tui.widgets.foreign import shown_line
from agent_tui.tui.widgets.longtext import LongText
from agent_tui.tui.widgets.wrapping import wrapped

SHOWN_LINES = 12
"""Lines of a text that are shown before the rest is only counted."""
AROUND = 3
"""Lines before and after the one that a search leads to."""
_WRAPPED = 1 << 16
"""Characters of a text up to which its lines are wrapped; a longer one is cut at the edge, and read on its own."""
_CUT = 2000
LEAST = 16
"""Cells that a text has at least, whatever stands beside it."""
_LEAD = 24
"""Characters before what is searched for, where the start of its line is left out."""


class _Pieces(Protocol):
    """The lines of a text as they fit a pane."""

    @property
    def count(self) -> int: ...

    def piece(self, number: int) -> str: ...


class _Wrapped:
    """A short text, each line wrapped; where `needle` would be torn apart, a row begins with it."""

    def __init__(self, text: str, room: int, needle: str = "") -> None:
        self.pieces: list[str] = []
        self.found = 0
        at = place_of(text, needle)
        start = 0
        for line in text.split("\n"):
            rows = _wrap(line, room)
            if at is not None and start <= at <= start + len(line):
                if not any(place_of(row, needle) is not None for row in rows):
                    rows = [*(_wrap(line[: at - start], room) if at > start else ()), *_wrap(line[at - start :], room)]
                holding = (number for number, row in enumerate(rows) if place_of(row, needle) is not None)
                self.found = len(self.pieces) + next(holding, 0)
            self.pieces += rows
            start += len(line) + 1

    @property
    def count(self) -> int:
        return len(self.pieces)

    def piece(self, number: int) -> str:
        return self.pieces[number]


class _Cut:
    """A long text by its lines, each cut; the one that holds `needle` from shortly before it."""

    def __init__(self, text: str, needle: str = "") -> None:
        self._lines = LongText(text)
        self._at = place_of(text, needle)
        self.found = 0 if self._at is None else self._lines.line_at(self._at)

    @property
    def count(self) -> int:
        return self._lines.count

    def piece(self, number: int) -> str:
        raw = self._lines.raw(number)
        if self._at is None or number != self.found:
            return raw
        skipped = max(0, self._at - self._lines.offset(number) - _LEAD)
        return f"…{raw[skipped:]}" if skipped else raw


def _pieces(text: str, room: int, needle: str = "") -> _Wrapped | _Cut:
    text = text.strip("\n")
    return _Wrapped(text, room, needle) if len(text) <= _WRAPPED else _Cut(text, needle)


def _wrap(line: str, room: int) -> list[str]:
    safe = shown_line(line.expandtabs(4))
    return [row.text.rstrip() for row in wrapped(Strip([Segment(safe)]), room)] if len(safe) > room // 2 else [safe]


def text_nodes(text: str, key: Key, depth: int, width: int, style: str = "text") -> list[Node]:
    """The first lines of a text as nodes; the rest is counted."""
    pieces = _pieces(text, _room(depth, width))
    return _nodes(text, pieces, range(min(SHOWN_LINES, pieces.count)), key, depth, style)


def labelled_text(
    key: Key, depth: int, label: Text, text: str, width: int, style: str, *, open: bool = True, tail: Text | None = None
) -> Node:
    """A text beside its label, its other lines below the first; `tail` ends the first line."""
    whole = text.strip("\n")
    indent = " " * label.cell_len
    room = _room(depth, width) - label.cell_len
    pieces = _pieces(text, max(LEAST, room - (tail.cell_len + 2 if tail else 0)))
    first = _cut(pieces.piece(0) if pieces.count else "", style)
    if pieces.count <= 1:
        return Node(key, depth, lambda: joined(label + first, tail), whole=lambda: text if whole else None)
    shown = range(1, min(SHOWN_LINES, pieces.count))

    def draw() -> Text:
        more = None if node.open else Text(f"… {count(pieces.count - 1, 'more line')}", "label")
        return joined(label + first, more, tail)

    node = Node(
        key,
        depth,
        draw,
        lambda: _nodes(text, pieces, shown, key, depth, style, indent),
        open=open,
        whole=lambda: text,
    )
    return node


def _room(depth: int, width: int) -> int:
    return max(LEAST, width - 2 * depth - 3)


def _nodes(
    text: str, pieces: _Pieces, shown: Sequence[int], key: Key, depth: int, style: str, indent: str = ""
) -> list[Node]:
    nodes = [_line_node(text, pieces.piece(number), (*key, number), depth, style, indent) for number in shown]
    left = pieces.count - (shown[-1] + 1 if shown else 0)
    if left > 0:
        said = f"… {count(left, 'more line')}, {size(len(text))} in all: Enter opens it"
        nodes.append(_said_node(text, said, (*key, "rest"), depth, indent))
    return nodes


def _line_node(text: str, line: str, key: Key, depth: int, style: str, indent: str) -> Node:
    return Node(key, depth, lambda: Text(indent) + _cut(line, style), whole=lambda: text, is_piece=True)


def _said_node(text: str, said: str, key: Key, depth: int, indent: str = "") -> Node:
    return Node(key, depth, lambda: Text(indent).append(said, "label"), whole=lambda: text, is_piece=True)


def _cut(line: str, style: str) -> Text:
    if len(line) <= _CUT:
        return Text(shown_line(line), style)
    kept = Text(shown_line(line[:_CUT]), style)
    return kept.append(f"… +{len(line) - _CUT:,} chars", "label")


def size(characters: int) -> str:
    """A length as people read it: `13 kB`, `24 MB`."""
    if characters < 1000:
        return count(characters, "character")
    if characters < 1_000_000:
        return f"{characters / 1000:.0f} kB"
    return f"{characters / 1_000_000:.1f} MB"


def size_and_lines(text: str) -> str:
    """How long a text is: `13 kB, 1 line`."""
    return f"{size(len(text))}, {count(text.count(chr(10)) + 1, 'line')}"


# --- where a search leads ---


def reveal(tree: Tree, key: Key, needle: str, width: int) -> int | None:
    """Unfold a tree so that the line which shows `needle`, below the node with `key`, is seen; gives that line."""
    path = tree.path_to(key)
    if not path:
        return None
    *above, last = path
    return tree.show([*above, *(_lead_to(last, needle, width) or [last])])


def _lead_to(node: Node, needle: str, width: int) -> list[Node]:
    """The nodes from `node` down to one that shows `needle`; a text that is cut before it is opened around it."""
    if _shows(node, needle, width):
        return [node]
    for child in node.children:
        found = _lead_to(child, needle, width)
        if found:
            return [node, *found]
    text = None if node.is_piece else node.text
    if text is None or place_of(text, needle) is None:
        return []
    nodes, found_at = _around(text, node.key, node.depth + 1, width, needle)
    node.refill(nodes)
    return [node, nodes[found_at]]


def _shows(node: Node, needle: str, width: int) -> bool:
    line = node.draw().plain
    at = place_of(line, needle)
    return at is not None and 2 * node.depth + 2 + at + len(needle) < width


def _around(text: str, key: Key, depth: int, width: int, needle: str) -> tuple[list[Node], int]:
    """The first lines of a text, those around `needle`, and how many lie between and after; and which one holds it."""
    pieces = _pieces(text, _room(depth, width), needle)
    first = range(min(AROUND, pieces.count, max(0, pieces.found - AROUND)))
    window = range(max(len(first), pieces.found - AROUND), min(pieces.count, pieces.found + AROUND + 1))
    nodes = [_line_node(text, pieces.piece(number), (*key, number), depth, "text", "") for number in first]
    between = window[0] - len(first)
    if between:
        nodes.append(_said_node(text, f"… {count(between, 'line')}", (*key, "between"), depth))
    found_at = len(nodes) + pieces.found - window[0]
    nodes += _nodes(text, pieces, window, key, depth, "text")
    return nodes, found_at
