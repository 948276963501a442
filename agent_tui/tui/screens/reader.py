"""The trajectory pane: the tree of the run under the cursor, made in a thread where it is big; folds, hits, title."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING

from rich.text import Text
from textual.message import Message

from agent_tui.bundles import Bundle
from agent_tui.tui.judge.facts import Said
from agent_tui.tui.present import trajectory
from agent_tui.tui.present.judge_line import judge_lines
from agent_tui.tui.present.nodes import Key, Tree
from agent_tui.tui.present.texts import reveal, size, size_and_lines
from agent_tui.tui.widgets.foreign import shown_line
from agent_tui.tui.widgets.longtext import LongText
from agent_tui.tui.widgets.paint import Line
from agent_tui.tui.widgets.panel import Panel
from agent_tui.tui.widgets.vtext import Lines, TextPane

if TYPE_CHECKING:
    from agent_tui.bundles.search import Hit
    from agent_tui.tui.screens.main import MainScreen

_BIG = 64_000
"""Bytes of a run from which its trajectory is made in a thread: its calls may be many, and aligning them takes time."""


@dataclass(frozen=True, slots=True)
class Shown:
    """What a trajectory depends on: another width or an edit asks for another tree."""

    bundle: Bundle = field(compare=False)
    row: int
    width: int
    version: bytes | None = field(repr=False)
    said: Said | None = None
    """What a judge said of it, where that may be seen."""


@dataclass
class TreeMade(Message):
    """A run was read."""

    shown: Shown
    tree: Tree


class Reader:
    """Keeps the trajectory on the run under the cursor, with its folds and its line while it is the same run."""

    def __init__(self, screen: MainScreen) -> None:
        self._screen = screen
        self.tree: Tree | None = None
        self._shown: Shown | None = None
        self._wanted: Shown | None = None
        self._hit: Hit | None = None
        self._key: Key | None = None
        """The line to go to, once the tree has been made anew."""
        self._titled: tuple[object, ...] = ()

    @property
    def pane(self) -> TextPane:
        """Where it is shown."""
        return self._screen.query_one("#tree", TextPane)

    @property
    def row(self) -> int | None:
        """The row that is shown, or was shown before the one that is being made."""
        return None if self._shown is None else self._shown.row

    @property
    def follows(self) -> bool:
        """Whether the run under the cursor is shown, or is being made."""
        row = self._screen.row
        return row is None or any(each is not None and each.row == row for each in (self._shown, self._wanted))

    def forget(self) -> None:
        """Another bundle is shown."""
        self.tree, self._shown, self._wanted, self._hit = None, None, None, None

    def follow_row(self, bundle: Bundle, row: int | None) -> None:
        """The bundle was read again: the run that is shown has a row there; None: it is another run's turn."""
        shown = self._shown
        self._shown = None if shown is None or row is None else Shown(bundle, row, shown.width, b"")
        self._wanted = None

    # Making and showing

    def show(self) -> None:
        """Show the run under the cursor, where it is not shown already."""
        row, width = self._screen.row, self.pane.size.width - 2
        if row is None:
            self.tree, self._shown, self._wanted = None, None, None
            self.retitle()
            self.pane.show(Lines(()))
            return
        bundle = self._screen.session.bundle
        judge = self._screen.session.judge
        wanted = Shown(bundle, row, width, bundle.version(row), None if judge is None else judge.said.get(row))
        if wanted in (self._shown, self._wanted) or width < 10:
            return
        self._wanted = wanted
        length = bundle.records.lengths[row] if wanted.version is None else len(wanted.version)
        if length < _BIG:
            self.take(self._make(wanted))
        else:
            self.tree = None
            self.retitle()
            self.pane.show(Lines([Text(f"  reading {size(length)}, aligning its calls …", "label")]))
            work = partial(self._make_in_thread, wanted)
            self._screen.run_worker(work, thread=True, exclusive=True, group="trajectory")

    def _make(self, wanted: Shown) -> TreeMade:
        made = trajectory.trajectory(wanted.bundle, wanted.row, wanted.width, self._screen.glyphs, wanted.said)
        return TreeMade(wanted, made)

    def _make_in_thread(self, wanted: Shown) -> None:
        self._screen.post_message(self._make(wanted))

    def take(self, made: TreeMade) -> None:
        """Show a tree, unless another run is wanted by now."""
        if made.shown != self._wanted:
            return
        same = self.row == made.shown.row and self.tree is not None
        key, wanted, tree = self.key() if same else None, self._key, made.tree
        if same and self.tree is not None:
            tree.fold_as(self.tree.folds())
        self.tree, self._shown, self._wanted, self._key = tree, made.shown, None, None
        line = None if key is None else tree.line_of(key)
        if wanted is not None:
            line = tree.show(tree.path_to(wanted))
        top = self.pane.top
        self.pane.show(tree, tree.first_difference() if line is None else line)
        if same:
            self.pane.scroll_to_top(top)
        self.retitle()
        if self._hit is not None:
            self._reveal(self._hit)

    def show_at(self, key: Key | None) -> None:
        """Show the run as it is by now, at a line or where it was."""
        self._key = key
        self.show()

    def key(self) -> Key | None:
        """What the line under the cursor is about; None where the run is not shown yet."""
        if self.row is None or self.row != self._screen.row:
            self.show()
        if self.tree is None or self.row is None or self.row != self._screen.row or not self.tree.count:
            return None
        return self.tree.node(min(self.pane.cursor, self.tree.count - 1)).key

    def go_to(self, key: Key) -> None:
        """Put the cursor on a line of the run that is shown."""
        if self.tree is not None:
            line = self.tree.show(self.tree.path_to(key))
            if line is not None:
                self.pane.lines_changed(line)

    def retitle(self) -> None:
        """The run, and the side that a change would be made on."""
        screen = self._screen
        row, side = screen.row, screen.changing.shown_side() if self.tree is not None else ""
        panel = screen.query_one("#trajectory", Panel)
        room = panel.outer_size.width
        if self._titled != (screen.session, row, side, room):
            self._titled = (screen.session, row, side, room)
            bundle, title = screen.session.bundle, [Text("Trajectory", "title")]
            panel.set_title(title if row is None else trajectory.title(bundle, row, side, room, screen.glyphs))

    # Folding, reading, searching

    def fold(self, line: int, open: bool | None = None) -> None:
        """Fold or unfold a line."""
        if self.tree is not None:
            self.pane.lines_changed(self.tree.toggle(line, open))

    def open(self, line: int) -> None:
        """Read the text of a line whole; where it has none, fold it."""
        if self.tree is None:
            return
        from agent_tui.tui.screens.reading import ReadingScreen

        node = self.tree.node(line)
        text, judge = node.text, self._screen.session.judge
        if text is not None and node.key[:1] == trajectory.JUDGE and judge is not None:
            who = judge_lines(judge, self._screen.size.width - 4, datetime.now(UTC))
            lines: list[Line] = [*who, *map(shown_line, text.splitlines())]
            title = Text("What the judge said", "title")
            self._screen.app.push_screen(ReadingScreen(title, Lines(lines), self._screen.glyphs))
        elif text is not None:
            title = Text(size_and_lines(text), "title")
            needle = self._screen.session.needle
            self._screen.app.push_screen(ReadingScreen(title, LongText(text), self._screen.glyphs, needle=needle))
        elif node.can_fold:
            self.fold(line)

    def fold_agents(self) -> None:
        """Fold or unfold all sub-agents."""
        if self.tree is None:
            return
        groups = [node for node in self.tree.every() if node.is_agent]
        if not groups:
            self._screen.say("this run has no sub-agents")
            return
        opened = not all(node.open for node in groups)
        for node in groups:
            node.open = opened
        self.tree.refold()
        self.pane.lines_changed(0)

    def show_hit(self, hit: Hit) -> None:
        """Show the line of the run under the cursor that holds what was found."""
        self._hit = hit
        self.show()
        if self.tree is not None:
            self._reveal(hit)

    def _reveal(self, hit: Hit) -> None:
        self._hit = None
        if self.tree is not None and self.row == hit.row:
            line = reveal(self.tree, trajectory.key_of(hit), self._screen.session.needle, self.pane.size.width - 1)
            if line is not None:
                self.pane.lines_changed(line)
