"""The main screen: scorecard, runs, trajectory, and what the last toggle moved."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, cast

from rich.text import Text
from textual import events, on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container
from textual.message import Message
from textual.screen import Screen
from textual.timer import Timer

from agent_tui.bundles import Bundle
from agent_tui.bundles.search import Hit
from agent_tui.reports.figures import count
from agent_tui.tui.actions import actions_of
from agent_tui.tui.present import header, moved, noticed, provenance, trajectory
from agent_tui.tui.present.about import About, measure
from agent_tui.tui.present.compact import compact_lines
from agent_tui.tui.present.footer import FooterItem, footer
from agent_tui.tui.present.nodes import Key, Tree
from agent_tui.tui.present.ribbon import ribbon_counts, ribbon_lines, ribbon_words
from agent_tui.tui.present.runs import RunRows
from agent_tui.tui.present.scorecard import ScorecardLines, scorecard_lines
from agent_tui.tui.present.texts import reveal, size
from agent_tui.tui.present.words import safe_name, shown_measure
from agent_tui.tui.screens.asking import Asking
from agent_tui.tui.screens.changing import Changing
from agent_tui.tui.screens.finding import Finding
from agent_tui.tui.screens.panes import LEAST, PANES, Panes
from agent_tui.tui.screens.problems import ProblemsScreen
from agent_tui.tui.screens.reading import ReadingScreen
from agent_tui.tui.screens.sweep import SweepScreen
from agent_tui.tui.session import Session, Toggle
from agent_tui.tui.settings import Settings
from agent_tui.tui.theme import Glyphs
from agent_tui.tui.widgets.bars import ribbon
from agent_tui.tui.widgets.line_bar import LineBar
from agent_tui.tui.widgets.longtext import LongText
from agent_tui.tui.widgets.panel import Panel
from agent_tui.tui.widgets.prompt import Prompt
from agent_tui.tui.widgets.vtable import VirtualTable
from agent_tui.tui.widgets.vtext import Lines, TextPane

if TYPE_CHECKING:
    from agent_tui.tui.app import AgentTui

REST = 0.15
"""Seconds that the cursor rests before the trajectory follows."""
_BIG = 1_000_000
"""Bytes of a run from which its trajectory is made in a thread."""
_COUNTED = 20
"""While a bundle is read, counting may take one part in so many of the time."""


@dataclass(frozen=True, slots=True)
class Shown:
    """What a trajectory depends on: another width or an edit asks for another tree."""

    bundle: Bundle = field(compare=False)
    row: int
    width: int
    record: bytes = field(repr=False)


@dataclass
class TreeMade(Message):
    """A big run was read."""

    shown: Shown
    tree: Tree


class MainScreen(Screen[None]):
    """Four panes over one session."""

    CSS_PATH = "main.tcss"
    AUTO_FOCUS = "#table"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(action.keys, action.call, action.label, show=False, id=action.id) for action in actions_of("main")
    ]

    def __init__(self, session: Session, glyphs: Glyphs) -> None:
        super().__init__()
        self.session = session
        self.glyphs = glyphs
        self.rows = RunRows(session, glyphs)
        self.panes = Panes(self, self._resized)
        self.finding = Finding(self, self)
        self.asking = Asking(self)
        self.changing = Changing(self)
        self._card = ScorecardLines([], [])
        self._tree: Tree | None = None
        self._shown: Shown | None = None
        self._wanted: Shown | None = None
        self._hit: Hit | None = None
        self._message: Text | None = None
        self._toggle: Toggle | None = None
        self._told: Sequence[str | int | None] = ()
        """The run that each line of the last pane is about: a name, a row."""
        self._shows_noticed = False
        self._key: Key | None = None
        """The line that the trajectory is to be shown at, once it has been made anew."""
        self._titled: tuple[object, ...] = ()
        self._footer_items: list[FooterItem] = []
        self._follow: Timer | None = None
        self._count_after = 0.0

    @property
    def _app(self) -> AgentTui:
        return cast("AgentTui", self.app)

    @property
    def settings(self) -> Settings:
        """What is remembered."""
        return self._app.settings

    def compose(self) -> ComposeResult:
        """Title, two compact lines, the panes, ribbon, status, footer, prompt."""
        glyphs = self.glyphs
        yield LineBar(lambda width: header.title_line(self.session, width), style="bar", id="title")
        yield LineBar(lambda width: compact_lines(self.session, width, glyphs)[0], id="compact-one")
        yield LineBar(lambda width: compact_lines(self.session, width, glyphs)[1], id="compact-two")
        table = VirtualTable(self.rows.columns(), self.rows, empty="", glyphs=glyphs, id="table")
        tree = TextPane(empty=" no run under the cursor", glyphs=glyphs, id="tree")
        card = TextPane(pointer=True, glyphs=glyphs, id="scorecard")
        total = TextPane(cursor=False, pointer=True, glyphs=glyphs, id="total")
        total.can_focus = False
        with Container(id="body"):
            yield Panel(card, total, title="Scorecard", note="1", glyphs=glyphs, id="side")
            with Container(id="work"):
                yield Panel(table, note="2", glyphs=glyphs, id="runs")
                yield Panel(tree, note="3", glyphs=glyphs, id="trajectory")
                lines = TextPane(glyphs=glyphs, id="moved-lines")
                yield Panel(lines, title="What moved", note="4", glyphs=glyphs, id="moved")
        yield LineBar(self._ribbon, id="ribbon")
        yield LineBar(self._ribbon_words, id="ribbon-words")
        yield LineBar(lambda width: header.status_line(self.session, self._message, width), id="status")
        yield LineBar(self._footer, style="bar", id="footer")
        yield LineBar(self._too_small, id="too-small")
        yield Prompt(id="prompt")

    def on_mount(self) -> None:
        """Show what is there already."""
        self.bundle_changed()

    # What is shown

    @property
    def table(self) -> VirtualTable:
        """The runs."""
        return self.query_one("#table", VirtualTable)

    @property
    def reader(self) -> TextPane:
        """The trajectory."""
        return self.query_one("#tree", TextPane)

    @property
    def position(self) -> int:
        """Where the cursor stands among the runs that are shown."""
        return self.table.cursor

    @property
    def row(self) -> int | None:
        """The row number under the cursor; None where no run is shown."""
        return self.session.row_at(self.table.cursor) if len(self.session) else None

    def take_session(self, session: Session) -> None:
        """Show another bundle."""
        self.session = self.rows.session = session
        self._tree, self._shown, self._wanted, self._hit = None, None, None, None
        self._toggle, self._shows_noticed, self._told = None, False, ()
        self.remove_class("-moved")
        self.table.show(self.rows)
        self.bundle_changed()

    def read_again(self, session: Session, heads: Sequence[Text]) -> None:
        """Show the bundle as it was read again: the cursor stays on its run and line, folds and focus stay."""
        name = None if self.row is None else self.session.bundle.names.name(self.row)
        old, self.session = self.session, session
        self.rows.session = session
        rows = session.bundle.rows(lambda row: session.bundle.names.name(row) == name)
        position = session.position_of(rows[0]) if rows else None
        was_shown = self._shown is not None and old.bundle.names.name(self._shown.row) == name
        if self._shown is not None and rows and was_shown:
            self._shown = Shown(session.bundle, rows[0], self._shown.width, b"")
        else:
            self._shown = None
        self._wanted = None
        self.table.rows_changed(min(self.table.cursor, max(0, len(session) - 1)) if position is None else position)
        self.show_change(heads, None, None)
        self._retitle_runs()

    def rows_arrived(self) -> None:
        """More runs were read: the table grows at once, the numbers now and then."""
        if not self.session.filter_text and not self.session.sort_field:
            self.table.rows_added()
            if self._shown is None and len(self.session):
                self.bundle_changed()
        if time.monotonic() > self._count_after:
            began = time.monotonic()
            self.session.count_again()
            self._refresh_card()
            self._redraw_bars()
            self._count_after = time.monotonic() + _COUNTED * (time.monotonic() - began)
        else:
            self.query_one("#title", LineBar).redraw()
            self.query_one("#status", LineBar).redraw()

    def bundle_changed(self) -> None:
        """The bundle, the measure or the filter changed: draw everything anew."""
        self.session.count_again()
        self._show_columns()
        self.table.rows_changed()
        self._fit_runs()
        self._retitle_runs()
        self._refresh_card()
        self.show_trajectory()
        self._redraw_bars()

    def _show_columns(self) -> None:
        reading = not self.session.bundle.is_complete
        self.table.set_columns(self.rows.columns(self.table.size.width or 80))
        self.table.set_empty("reading …" if reading else "the filter hides every run: Esc shows all")

    def _fit_runs(self) -> None:
        """A short table takes no more room than it needs, a long one its share."""
        narrow = self.has_class("-narrow")
        room = self.query_one("#work").size.height
        if not room or self.panes.shows_one:
            self.query_one("#runs").styles.height = None
            return
        lines = len(self.session) + (2 if narrow else 3)
        self.query_one("#runs").styles.height = max(5, min(lines, room * 2 // 5 + (2 if narrow else 0)))

    def _redraw_bars(self) -> None:
        for bar in self.query(LineBar):
            bar.redraw()

    def _refresh_card(self) -> None:
        pane, total = self.query_one("#scorecard", TextPane), self.query_one("#total", TextPane)
        width = max(24, (pane.size.width or 44) - 2)
        kept = pane.has_focus and pane.cursor < len(self._card.about)
        at = self._card.about[pane.cursor] if kept else None
        self._card = scorecard_lines(self.session, width, self.glyphs)
        pane.show(Lines(self._card.lines, self._card.stops), self._card.line_of(at or measure(self.session.measure)))
        sums = ribbon_lines(self.session.card.ribbon, width, self.glyphs)
        total.styles.height = len(sums)
        total.show(Lines(sums))

    def _retitle_runs(self) -> None:
        """The measures that toggle; where not all fit, the active one first."""
        panel = self.query_one("#runs", Panel)
        names = self.session.cycle()
        at = names.index(self.session.measure)
        if sum(len(shown_measure(name)) + 3 for name in names) + 16 > panel.outer_size.width:
            names = (*names[at:], *names[:at])
        parts: list[Text] = [Text("Runs", "title")]
        for name in names:
            active = name == self.session.measure
            parts.append(Text(f" {shown_measure(name)} ", "button") if active else Text(shown_measure(name), "label"))
        panel.set_title(parts)

    def show_trajectory(self) -> None:
        """Show the run under the cursor, where it is not shown already; a big one is read in a thread."""
        row, width = self.row, self.reader.size.width - 2
        if row is None:
            self._tree, self._shown, self._wanted = None, None, None
            self._retitle_trajectory()
            self.reader.show(Lines(()))
            return
        bundle = self.session.bundle
        wanted = Shown(bundle, row, width, bundle.record(row))
        if wanted in (self._shown, self._wanted) or width < 10:
            return
        self._wanted = wanted
        if len(wanted.record) < _BIG:
            self._show_tree(TreeMade(wanted, trajectory.trajectory(bundle, row, width, self.glyphs)))
        else:
            self._tree = None
            self._retitle_trajectory()
            self.reader.show(Lines([Text(f"  reading {size(len(wanted.record))} …", "label")]))
            self._make_tree(wanted)

    @work(thread=True, exclusive=True, group="trajectory")
    def _make_tree(self, wanted: Shown) -> None:
        made = trajectory.trajectory(wanted.bundle, wanted.row, wanted.width, self.glyphs)
        self.post_message(TreeMade(wanted, made))

    @on(TreeMade)
    def _show_tree(self, event: TreeMade) -> None:
        """Show the tree, unless another run is wanted by now."""
        if event.shown != self._wanted:
            return
        same = self._shown is not None and self._shown.row == event.shown.row and self._tree is not None
        key, wanted = self.tree_key() if same else None, self._key
        if same and self._tree is not None:
            event.tree.fold_as(self._tree.folds())
        self._tree, self._shown, self._wanted, self._key = event.tree, event.shown, None, None
        line = None if key is None else event.tree.line_of(key)
        if wanted is not None:
            line = event.tree.show(event.tree.path_to(wanted))
        top = self.reader.top
        self.reader.show(event.tree, event.tree.first_difference() if line is None else line)
        if same:
            self.reader.scroll_to_top(top)
        self._retitle_trajectory()
        if self._hit is not None:
            self._reveal(self._hit)

    def tree_key(self) -> Key | None:
        """What the line under the trajectory's cursor is about; None where the run is not shown yet."""
        if self._shown is None or self._shown.row != self.row:
            self.show_trajectory()
        if self._tree is None or self._shown is None or self._shown.row != self.row or not self._tree.count:
            return None
        return self._tree.node(min(self.reader.cursor, self._tree.count - 1)).key

    @on(TextPane.LineHighlighted, "#tree")
    def _retitle_trajectory(self) -> None:
        """The run, and the side that a change would be made on."""
        row, side = self.row, self.changing.shown_side() if self._tree is not None else ""
        if self._titled != (self.session, row, side):
            self._titled = (self.session, row, side)
            title = [Text("Trajectory", "title")] if row is None else trajectory.title(self.session.bundle, row, side)
            self.query_one("#trajectory", Panel).set_title(title)

    def say(self, message: Text | str) -> None:
        """Put a message into the status line, until the next key."""
        self._message = message if isinstance(message, Text) else Text(f" {message}", "notice")
        self.query_one("#status", LineBar).redraw()

    def _ribbon(self, width: int) -> Text:
        return ribbon(width, ribbon_counts(self.session.card.ribbon), glyphs=self.glyphs)

    def _ribbon_words(self, width: int) -> Text:
        words = Text(" ").append_text(ribbon_words(self.session.card.ribbon))
        left_out = Text(f"not measured: {', '.join(self.session.card.not_measured)}", "label")
        room = width - words.cell_len - 3
        if room > 24:
            left_out.truncate(room, overflow="ellipsis")
            words.append("   ").append_text(left_out)
        return words

    def _footer(self, width: int) -> Text:
        line, self._footer_items = footer(width, self._app.config.keys)
        return line

    def _too_small(self, width: int) -> Text:
        return Text(f"too small: {LEAST[0]}x{LEAST[1]} at least", "notice")

    # Events

    def on_resize(self, event: events.Resize) -> None:
        """Choose the layout for the size, and draw what depends on the width."""
        self.panes.fit(event.size.width, event.size.height)
        for panel in self.query(Panel):
            panel.set_class(self.has_class("-narrow"), "-flat")
        self.call_after_refresh(self._resized)

    def _resized(self) -> None:
        self._fit_runs()
        self._show_columns()
        self._refresh_card()
        self._retitle_runs()
        self.call_after_refresh(self.show_trajectory)

    def on_key(self, event: events.Key) -> None:
        """Marks and messages last until the next key."""
        if self.session.moved and event.key not in ("m", "M"):
            self.session.moved = frozenset()
            self.table.rows_changed()
        if self._message is not None:
            self._message = None
            self.query_one("#status", LineBar).redraw()

    @on(VirtualTable.RowHighlighted)
    def follow(self) -> None:
        """The trajectory follows when the cursor has rested."""
        if self._follow is not None:
            self._follow.stop()
        if self._app.follows_cursor:
            self._follow = self.set_timer(REST, self.show_trajectory)

    @on(VirtualTable.RowSelected)
    def drill_in(self) -> None:
        """Enter on a run: read its trajectory."""
        self.show_trajectory()
        if self.panes.shows_one:
            self.panes.enlarge("trajectory")
        self.call_after_refresh(self.reader.focus)

    @on(TextPane.FoldToggled, "#tree")
    def fold(self, event: TextPane.FoldToggled) -> None:
        """Fold or unfold in the trajectory."""
        if self._tree is not None:
            self.reader.lines_changed(self._tree.toggle(event.line, event.open))

    @on(TextPane.LineSelected, "#tree")
    def open_node(self, event: TextPane.LineSelected) -> None:
        """Enter in the trajectory: read a text whole, else fold."""
        if self._tree is None:
            return
        node = self._tree.node(event.line)
        text = node.text
        if text is not None:
            title = Text(f"{size(len(text))}, {text.count(chr(10)) + 1:,} lines", "title")
            self.app.push_screen(ReadingScreen(title, LongText(text), self.glyphs, needle=self.session.needle))
        elif node.can_fold:
            self.reader.lines_changed(self._tree.toggle(event.line))

    @on(TextPane.LineSelected, "#scorecard")
    def open_number(self) -> None:
        """Enter on a number: where it comes from."""
        self.action_provenance()

    @on(TextPane.LineSelected, "#moved-lines")
    def open_moved(self, event: TextPane.LineSelected) -> None:
        """Enter on a run that moved: go to it."""
        about = self._told[event.line] if event.line < len(self._told) else None
        if isinstance(about, str):
            self.attempt(lambda: self.go_to_row(self.session.bundle.names.find(about)))
        else:
            self.go_to_row(about)

    @on(LineBar.Clicked, "#footer")
    async def press_footer(self, event: LineBar.Clicked) -> None:
        """A click on the footer is its key."""
        for item in self._footer_items:
            if item.start <= event.x < item.end:
                await self.run_action(item.action.call if item.action.home == "main" else f"app.{item.action.call}")

    # Panes

    def action_pane(self, number: int) -> None:
        """Go to a pane by its number; a small terminal shows it alone."""
        name = PANES[number - 1]
        if name == "moved":
            if not self._told:
                self.say("nothing has moved yet: m toggles the matcher, e changes a value")
                return
            self.add_class("-moved")
            self._fit_moved()
        self.panes.go(name)

    def action_next_pane(self) -> None:
        """The next pane that is shown."""
        self.panes.go(self.panes.step(1))

    def action_previous_pane(self) -> None:
        """The previous pane that is shown."""
        self.panes.go(self.panes.step(-1))

    def action_enlarge(self) -> None:
        """Enlarge the pane in focus, or make it small again."""
        self.panes.toggle()

    def action_back(self) -> None:
        """Back by one: the enlargement, the pane, what moved, the search, the filter."""
        if self.panes.enlarged:
            self.panes.enlarge("")
            self.call_after_refresh(self.table.focus)
        elif self.panes.focused != "runs":
            self.table.focus()
        elif self.has_class("-moved"):
            self.remove_class("-moved")
            self._shows_noticed = False
            self._fit_runs()
        elif self.session.needle:
            self.search_for("")
        elif self.session.is_filtered:
            self.filter_by("")
        else:
            self.say("q quits")

    # Measures

    def action_matcher(self, step: int) -> None:
        """The next or previous matcher."""
        if not len(self.session.bundle):
            return
        row = self.row
        self._toggle = self.session.toggle(step)
        self._show_columns()
        self.table.rows_changed(None if row is None else self.session.position_of(row))
        self._retitle_runs()
        self._refresh_card()
        self.query_one("#scorecard", TextPane).jump_to(self._card.line_of(measure(self.session.measure)))
        if not self._shows_noticed:
            lines = moved.moved_lines(self.session.bundle, self._toggle, self.glyphs)
            self._tell("What moved", lines, moved.rows_of_lines(self._toggle))
        self.say(moved.announcement(self.session.bundle, self._toggle, self.glyphs))
        self._redraw_bars()

    def _tell(
        self, title: str, lines: Sequence[Text], about: Sequence[str | int | None], note: str = "4", cursor: int = 0
    ) -> None:
        """Fill the last pane; `about` is the run of each line."""
        self._told = about
        panel = self.query_one("#moved", Panel)
        panel.set_title(Text(title, "title"))
        panel.set_note(note)
        self.query_one("#moved-lines", TextPane).show(Lines(lines), cursor)

    def action_provenance(self) -> None:
        """Where the number under the cursor, or else the active measure's, comes from."""
        about = measure(self.session.measure)
        if self.panes.focused == "side":
            at = self.query_one("#scorecard", TextPane).cursor
            about = self._card.about[at] or about if at < len(self._card.about) else about
        self._show_provenance(about)

    def _show_provenance(self, about: About) -> None:
        told = provenance.provenance(self.session.bundle, self.session.card, about)
        title = Text("Where it comes from: ", "label").append(about.title, "title")
        self.app.push_screen(ReadingScreen(title, told, self.glyphs, row_of=told.row), self.go_to_row)

    @on(LineBar.Clicked, "#ribbon")
    @on(LineBar.Clicked, "#ribbon-words")
    @on(TextPane.LineSelected, "#total")
    def open_ribbon(self) -> None:
        """A click on the ribbon: which run is in which part."""
        self._show_provenance(About("ribbon"))

    # What-if

    def show_change(self, heads: Sequence[Text], run: str | None, key: Key | None) -> None:
        """Show what the last change did, and what noticed; the trajectory stays where it is, or goes to a line."""
        shift = self.session.shift
        if shift is None:
            return
        told = noticed.noticed_lines(heads, run, shift.effect, self.glyphs)
        note = "u undo  4" if self.session.changes else "4"
        self._tell("What noticed", told.lines, told.runs, note, told.first)
        self._shows_noticed = True
        self.add_class("-moved")
        self._fit_moved()
        self.say(noticed.announcement(heads[0], shift.effect))
        self._key = key
        self._show_columns()
        self.table.rows_changed()
        self._refresh_card()
        self._redraw_bars()
        self.show_trajectory()

    def show_patch(self) -> None:
        """Show what noticed the patch that the bundle was opened with."""
        change = self.session.what_if.ledger.shown[-1] if self.session.changes else None
        if change is not None:
            self.show_change(noticed.change_lines(change.edits, self.glyphs), change.runs[0], None)

    def _fit_moved(self) -> None:
        """The last pane takes what it needs, but leaves room for the runs and the trajectory."""
        narrow = self.has_class("-narrow")
        room = self.query_one("#work").size.height
        lines = len(self._told) + (1 if narrow else 2)
        most = max(5, room * 3 // 10) if narrow else max(6, room * 2 // 5)
        shown = self._shows_noticed and room and not self.panes.shows_one
        self.query_one("#moved").styles.height = min(lines, most) if shown else None
        self._fit_runs()

    def go_to_changed(self, row: int) -> None:
        """Put the cursor on a run that was changed, where the filter shows it; the focus stays."""
        position = self.session.position_of(row)
        if position is not None and position != self.table.cursor:
            self.table.move_to(position)
            self.show_trajectory()

    def attempt(self, act: Callable[[], None]) -> None:
        """Do something; where it cannot be done, say why."""
        self.changing.attempt(act)

    def action_edit(self) -> None:
        """Change the value under the cursor."""
        self.attempt(self.changing.ask_value)

    def action_side(self) -> None:
        """Act on the other side of the trajectory."""
        self.changing.other_side()
        self._retitle_trajectory()

    def action_duplicate(self) -> None:
        """Put the call under the cursor in twice."""
        self.attempt(self.changing.duplicate)

    def action_remove(self) -> None:
        """Take the call under the cursor out."""
        self.attempt(self.changing.remove)

    def action_add(self) -> None:
        """Ask for a call to add."""
        self.attempt(self.changing.ask_call)

    def action_move_call(self, by: int) -> None:
        """Move the call under the cursor."""
        self.attempt(lambda: self.changing.move(by))

    def action_undo(self) -> None:
        """Take the last change back."""
        self.attempt(self.changing.undo)

    def action_redo(self) -> None:
        """Make it again."""
        self.attempt(self.changing.redo)

    def action_revert_all(self) -> None:
        """Show what was recorded."""
        self.attempt(self.changing.revert_all)

    def action_ledger(self) -> None:
        """All changes so far."""
        self.attempt(self.changing.show_ledger)

    def action_write(self) -> None:
        """Ask where to write the changes."""
        self.attempt(self.changing.ask_file)

    def action_sweep(self) -> None:
        """Which measure is blind to which mistake."""
        bundle = self.session.bundle
        if not bundle.is_complete:
            self.say("wait until all runs are read")
            return
        self.app.push_screen(SweepScreen(bundle, self.session.sweep, self.glyphs), self._show_only)

    def _show_only(self, rows: tuple[int, ...] | None) -> None:
        if rows:
            self.session.show_only(rows)
            self._rearranged(rows[0])
            self._fit_runs()
            self.show_trajectory()
            self.say(f"{count(len(rows), 'run')} behind a cell of the sweep: Esc shows all")

    # Going places

    def go_to_row(self, row: int | None) -> None:
        """Put the cursor on a row; where the filter hides it, say so."""
        if row is None:
            return
        position = self.session.position_of(row)
        if position is None:
            self.say(f"{safe_name(self.session.bundle.names.name(row))} is hidden by the filter; Esc clears it")
            return
        self.table.move_to(position)
        self.table.focus()
        self.show_trajectory()

    def action_failure(self, step: int) -> None:
        """The next run that the measure fails."""
        self._go(self.session.next_failure(self.table.cursor, step), "no run shown here fails")

    def action_divergence(self, step: int) -> None:
        """The next run on which the measures disagree."""
        self._go(self.session.next_divergence(self.table.cursor, step), "the measures agree on every run shown here")

    def _go(self, position: int | None, otherwise: str) -> None:
        if position is None:
            self.say(otherwise)
        else:
            self.table.move_to(position)
            self.show_trajectory()

    def action_agents(self) -> None:
        """Fold or unfold all sub-agents."""
        if self._tree is None:
            return
        groups = [node for node in self._tree.every() if node.is_agent]
        if not groups:
            self.say("this run has no sub-agents")
            return
        opened = not all(node.open for node in groups)
        for node in groups:
            node.open = opened
        self._tree.refold()
        self.reader.lines_changed(0)

    # Asking: search, filter, order, columns, go to

    def action_search(self) -> None:
        """Ask what to search for."""
        self.asking.ask_search()

    def action_filter(self) -> None:
        """Ask for a filter."""
        self.asking.ask_filter()

    def action_goto(self) -> None:
        """Ask where to go."""
        self.asking.ask_run()

    def action_sort(self) -> None:
        """Choose an order."""
        self.asking.choose_order()

    def action_choose_columns(self) -> None:
        """Choose columns."""
        self.asking.choose_columns()

    @on(Prompt.Submitted)
    def answered(self, event: Prompt.Submitted) -> None:
        """Do what was asked for."""
        if not self.changing.answer(event.kind, event.text):
            self.asking.answer(event.kind, event.text)

    @on(Prompt.Changed)
    def check_answer(self, event: Prompt.Changed) -> None:
        """Say what is typed."""
        self.changing.check(event.kind, event.text)
        self.asking.check(event.kind, event.text)

    @on(Prompt.Cancelled)
    def unanswered(self) -> None:
        """Nothing was asked for."""
        if not self.changing.leave():
            self.table.focus()

    def filter_by(self, text: str) -> None:
        """Show only what an expression keeps. Raises `BadExpression`."""
        row = self.row
        self.session.set_filter(text)
        self._rearranged(row)
        self._fit_runs()
        self.show_trajectory()
        self.table.focus()

    def sort_by(self, name: str | None) -> None:
        """Show the runs by a field; the one in force again turns the direction."""
        if name is not None:
            row = self.row
            again = bool(name) and name == self.session.sort_field
            self.session.set_sort(name, descending=again and not self.session.descending)
            self._rearranged(row)

    def _rearranged(self, row: int | None) -> None:
        position = None if row is None else self.session.position_of(row)
        self.table.rows_changed(position or 0)
        self._redraw_bars()

    def show_column(self, name: str | None) -> None:
        """Show a column, or hide it."""
        if name is None:
            return
        shown = self.rows.shown
        self.rows.shown = tuple(each for each in shown if each != name) if name in shown else (*shown, name)
        self.settings.columns = list(self.rows.shown)
        self._show_columns()
        self.table.rows_changed()

    # Searching

    def search_for(self, text: str) -> None:
        """Look for a text in everything, light it, and go to the first place; an empty one ends the search."""
        self.session.needle = text
        self.table.highlight(text)
        self.reader.highlight(text)
        if text:
            self.settings.remember("searches", text)
            self.table.focus()
        self.finding.begin()

    def action_found(self, step: int) -> None:
        """The next or previous place found."""
        if self.session.needle:
            self.finding.go(step)
        else:
            self.action_search()

    def show_hit(self, position: int, hit: Hit) -> None:
        """Show a place that was found: its run, and in it the line that holds it."""
        self._hit = hit
        self.table.move_to(position)
        self.show_trajectory()
        if self.panes.shows_one:
            self.panes.enlarge("trajectory")
        if self._tree is not None:
            self._reveal(hit)

    def _reveal(self, hit: Hit) -> None:
        self._hit = None
        if self._tree is not None and self._shown is not None and self._shown.row == hit.row:
            width = self.reader.size.width - 1
            line = reveal(self._tree, trajectory.key_of(hit), self.session.needle, width)
            if line is not None:
                self.reader.lines_changed(line)

    # The rest

    def action_coming(self, what: str) -> None:
        """Say that a key comes with a later version."""
        said = "verdicts come with the judge, which" if what == "verdicts" else f"{what}:"
        self.say(f"{said} comes next")

    def action_problems(self) -> None:
        """What was skipped, and what looks odd."""
        self.app.push_screen(ProblemsScreen(self.session.bundle.problems, self.glyphs))

    def action_theme(self) -> None:
        """The next theme."""
        self._app.next_theme()

    @property
    def is_busy(self) -> bool:
        """Whether something is being typed or looked at that another bundle would pull away."""
        return self.query_one(Prompt).is_open or self.app.screen is not self

    def action_reload(self) -> None:
        """Read the files again."""
        self._app.reload()

    def action_open(self) -> None:
        """Choose a recent bundle, or type a path."""
        self._app.choose_bundle()

    def open_path(self, path: str) -> None:
        """Open what was typed. Raises `NothingReadable` where there is no such path."""
        self._app.open_path(path)

    def action_return_to_place(self) -> None:
        """Go back to where this bundle was left."""
        self._app.return_to_place()
