"""A tree of lines that are drawn when they are seen: what the trajectory pane shows, folds and jumps to."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeAlias

from msgspec import Struct
from rich.text import Text

from agent_tui.tui.theme import Glyphs

Key: TypeAlias = tuple[object, ...]
"""What a line is about: ("step", path, part), ("pair", number), ("answer",), … Search and edits find lines by it."""


class Node(Struct):
    """One line of the tree. `draw` gives its text, `make` its children, when they are wanted."""

    key: Key
    depth: int
    draw: Callable[[], Text]
    make: Callable[[], Sequence[Node]] | None = None
    open: bool = False
    whole: Callable[[], str | None] | None = None
    """The text that Enter opens in full, made when it is wanted."""
    is_piece: bool = False
    """Whether the line is one of several that show `whole`."""
    differs: bool = False
    """Whether the line is where the run and what was expected of it part."""
    is_agent: bool = False
    """Whether the node is a sub-agent."""
    _children: Sequence[Node] | None = None

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

    @property
    def text(self) -> str | None:
        """The text that Enter opens in full; None where the line is all there is."""
        return None if self.whole is None else self.whole()

    def refill(self, children: Sequence[Node]) -> None:
        """Have other children, in view."""
        self.make, self._children, self.open = lambda: children, children, True


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

    def first_difference(self) -> int:
        """The line to begin reading at: the first that differs, else the first of all."""
        return next((number for number, node in enumerate(self._visible) if node.differs), 0)

    def path_to(self, key: Key) -> list[Node]:
        """The nodes from a root to the one with `key`, or as far down as there are such nodes."""
        return _path_to(self.roots, key)

    def show(self, path: Sequence[Node]) -> int | None:
        """Unfold so that the end of `path` is seen; gives its line, None for an empty path."""
        if not path:
            return None
        for node in path[:-1]:
            node.open = True
        self.refold()
        return self._visible.index(path[-1])

    def line_of(self, key: Key) -> int | None:
        """The visible line that is about `key`, or about the nearest thing above it; None where there is none."""
        best, found = 0, None
        for number, node in enumerate(self._visible):
            size = len(node.key)
            if size > best and not node.is_piece and key[:size] == node.key:
                best, found = size, number
        return found

    def folds(self) -> dict[Key, bool]:
        """Whether each node that can fold is open, of those that have been made."""
        return {node.key: node.open for node in _made(self.roots) if node.can_fold}

    def fold_as(self, folds: Mapping[Key, bool]) -> None:
        """Fold and unfold as another tree of the same run was."""
        _fold(self.roots, folds)
        self.refold()

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


def _made(nodes: Sequence[Node]) -> Iterator[Node]:
    for node in nodes:
        yield node
        yield from _made(node._children or ())


def _fold(nodes: Sequence[Node], folds: Mapping[Key, bool]) -> None:
    for node in nodes:
        if node.key in folds and node.can_fold:
            node.open = folds[node.key]
            if node.open:
                _fold(node.children, folds)


def _path_to(nodes: Sequence[Node], key: Key) -> list[Node]:
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
