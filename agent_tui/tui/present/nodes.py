"""A tree of lines that are drawn when they are seen: what the trajectory pane shows, folds and jumps to."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from rich.segment import Segment
from rich.text import Text
from textual.strip import Strip

from agent_tui.reports.figures import count
from agent_tui.safety import sanitise_line
from agent_tui.tui.theme import Glyphs
from agent_tui.tui.widgets.longtext import LongText
from agent_tui.tui.widgets.wrapping import wrapped

Key: TypeAlias = tuple[object, ...]
"""What a line is about: ("step", path, part), ("pair", number), ("answer",), … Search and edits find lines by it."""

SHOWN_LINES = 12
"""Lines of a text that are shown before the rest is only counted."""
_WRAPPED = 1 << 16
"""Characters of a text up to which its lines are wrapped; a longer one is cut at the edge, and read on its own."""
_CUT = 2000


@dataclass(slots=True)
class Node:
    """One line of the tree. `draw` gives its text, `make` its children, when they are wanted."""

    key: Key
    depth: int
    draw: Callable[[], Text]
    make: Callable[[], Sequence[Node]] | None = None
    open: bool = False
    whole: str | None = None
    """The text that Enter opens in full."""
    is_agent: bool = False
    """Whether the node is a sub-agent."""
    _children: Sequence[Node] | None = field(default=None, repr=False)

    @property
    def children(self) -> Sequence[Node]:
        """The children, made once."""
        if self._children is None:
            self._children = self.make() if self.make is not None else ()
        return self._children

    @property
    def can_fold(self) -> bool:
        """Whether there is something below that may be hidden."""
        return self.make is not None


class Tree:
    """A `LineSource` over nodes: the lines are the roots and, below open nodes, their children."""

    def __init__(self, roots: Sequence[Node], glyphs: Glyphs) -> None:
        self.roots = roots
        self._glyphs = glyphs
        self._visible: list[Node] = []
        self.refold()

    @property
    def count(self) -> int:
        """How many lines are visible."""
        return len(self._visible)

    def node(self, number: int) -> Node:
        """The node of a visible line."""
        return self._visible[number]

    def line(self, number: int, /) -> Text:
        """A visible line, with its fold mark."""
        node = self._visible[number]
        mark = (self._glyphs.opened if node.open else self._glyphs.closed) if node.can_fold else " "
        lead = Text("  " * node.depth).append(f"{mark} ", "label")
        return lead.append_text(node.draw())

    def refold(self) -> None:
        """Compute anew which lines are visible."""
        self._visible = list(_visible(self.roots))

    def toggle(self, number: int, open: bool | None = None) -> int:
        """Fold or unfold a line (or, where it cannot, the one above that can); gives the line that was folded."""
        node = self._visible[number]
        while number > 0 and not (node.can_fold and (open is not False or node.open)):
            if open is True:
                return number
            depth = node.depth
            number = next((at for at in range(number - 1, -1, -1) if self._visible[at].depth < depth), number)
            if self._visible[number] is node:
                return number
            node = self._visible[number]
        if node.can_fold:
            node.open = not node.open if open is None else open
            self.refold()
        return number

    def find(self, key: Key) -> int | None:
        """The line of the node that has `key`, or of the nearest one above it, unfolded so that it is seen."""
        path = _path_to(self.roots, key)
        if not path:
            return None
        for node in path[:-1]:
            node.open = True
        self.refold()
        return self._visible.index(path[-1])

    def every(self) -> Iterator[Node]:
        """All nodes that have been made, in reading order."""
        return _every(self.roots)


def _visible(nodes: Sequence[Node]) -> Iterator[Node]:
    for node in nodes:
        yield node
        if node.open and node.make is not None:
            yield from _visible(node.children)


def _every(nodes: Sequence[Node]) -> Iterator[Node]:
    for node in nodes:
        yield node
        yield from _every(node.children)


def _path_to(nodes: Sequence[Node], key: Key) -> list[Node]:
    """The nodes from a root to the one with `key`, as far as there are such nodes."""
    for node in nodes:
        if _holds(node.key, key):
            below = [] if node.key == key or node.make is None else _path_to(node.children, key)
            return [node, *below]
    return []


def _holds(above: Key, key: Key) -> bool:
    """Whether a node with the key `above` is the one with `key`, or stands above it.

    A step's key is ("step", path, part, ...): above it stand the steps whose path its own path begins with.
    """
    if above[0] != key[0]:
        return above == ("steps",) and key[0] == "step"
    if above[0] == "step" and len(above) == 2:
        path, sought = above[1], key[1]
        assert isinstance(path, tuple)
        assert isinstance(sought, tuple)
        return sought[: len(path)] == path
    return key[: len(above)] == above


def text_nodes(
    text: str, key: Key, depth: int, width: int, style: str = "text", shown: int = SHOWN_LINES
) -> list[Node]:
    """The lines of a text as nodes, wrapped to `width` cells where the text is short; the rest is counted."""
    room = max(16, width - 2 * depth - 4)
    if len(text) <= _WRAPPED:
        lines = [piece for line in text.split("\n") for piece in _wrap(line, room)]
        nodes = [_line_node((*key, number), depth, line, style, text) for number, line in enumerate(lines[:shown])]
        total = len(lines)
    else:
        long = LongText(text)
        total = long.count
        nodes = [
            _line_node((*key, number), depth, long.raw(number), style, text) for number in range(min(shown, total))
        ]
    if total > shown:
        nodes.append(_rest_node((*key, "rest"), depth, text, total - shown))
    return nodes


def _wrap(line: str, room: int) -> list[str]:
    safe = sanitise_line(line.expandtabs(4))
    return [row.text for row in wrapped(Strip([Segment(safe)]), room)] if len(safe) > room // 2 else [safe]


def _line_node(key: Key, depth: int, line: str, style: str, whole: str) -> Node:
    return Node(key, depth, lambda: _cut(line, style), whole=whole)


def _cut(line: str, style: str) -> Text:
    if len(line) <= _CUT:
        return Text(sanitise_line(line), style)
    kept = Text(sanitise_line(line[:_CUT]), style)
    return kept.append(f"… +{len(line) - _CUT:,} chars", "label")


def _rest_node(key: Key, depth: int, text: str, lines: int) -> Node:
    said = f"… {count(lines, 'more line')}, {size(len(text))} in all: Enter opens it"
    return Node(key, depth, lambda: Text(said, "label"), whole=text)


def size(characters: int) -> str:
    """A length as people read it: `13 kB`, `24 MB`."""
    if characters < 1000:
        return f"{characters} characters"
    if characters < 1_000_000:
        return f"{characters / 1000:.0f} kB"
    return f"{characters / 1_000_000:.1f} MB"
