"""The main screen: scorecard, runs, trajectory, and what the last toggle moved."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, cast

from rich.text import Text
from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.reactive import Reactive
from textual.timer import Timer
from textual.widget import Widget

from agent_tui.readers.streams import stop_waiting
from agent_tui.tui.actions import actions_of
from agent_tui.tui.frames import WholeFrames
from agent_tui.tui.present.nodes import Key
from agent_tui.tui.present.words import safe
from agent_tui.tui.screens.bars import Bars
from agent_tui.tui.screens.card import Card
from agent_tui.tui.screens.changing import Changing
from agent_tui.tui.screens.counting import Counting
from agent_tui.tui.screens.following import Following
from agent_tui.tui.screens.judging import Judging
from agent_tui.tui.screens.keys import PassedKeys
from agent_tui.tui.screens.panes import PANES, Panes
from agent_tui.tui.screens.reader import Reader, TreeMade
from agent_tui.tui.screens.runs import Runs
from agent_tui.tui.screens.told import Told
from agent_tui.tui.session import Session
from agent_tui.tui.settings import Settings
from agent_tui.tui.theme import ASCII, Glyphs
from agent_tui.tui.widgets.foreign import SPELT, spell_signs
from agent_tui.tui.widgets.panel import Panel, Room
from agent_tui.tui.widgets.prompt import Prompt
from agent_tui.tui.widgets.vtable import VirtualTable
from agent_tui.tui.widgets.vtext import TextPane

if TYPE_CHECKING:
    from agent_tui.bundles.search import Hit
    from agent_tui.tui.app import AgentTui
    from agent_tui.tui.arriving import Arrived
    from agent_tui.tui.screens.asking import Asking
    from agent_tui.tui.screens.finding import Finding

REST = 0.15
"""Seconds that the cursor rests before the trajectory follows."""


class MainScreen(PassedKeys, WholeFrames[None]):
    """Four panes over one session."""

    CSS_PATH = "main.tcss"
    AUTO_FOCUS = "#table"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(action.keys, action.call, action.label, show=False, id=action.id) for action in actions_of("main")
    ]

    focused: Reactive[Widget | None] = Reactive(None, repaint=False)
    """What has the focus; it and what lost it are painted, and nothing else has to be."""

    def __init__(self, session: Session, glyphs: Glyphs) -> None:
        super().__init__()
        spell_signs(glyphs is ASCII)
        self.session = session
        self.glyphs = glyphs
        self.panes = Panes(self, self._resized)
        self.bars = Bars(self)
        self.counting = Counting(self)
        self.changing = Changing(self)
        self.judging = Judging(self)
        self.runs = Runs(self, session)
        self.reader = Reader(self)
        self.card = Card(self)
        self.told = Told(self)
        self.following = Following(self)
        self._follow: Timer | None = None

    @cached_property
    def asking(self) -> Asking:
        """What asks for a filter, an order, a run."""
        from agent_tui.tui.screens.asking import Asking

        return Asking(self)

    @cached_property
    def finding(self) -> Finding:
        """What searches."""
        from agent_tui.tui.screens.finding import Finding

        return Finding(self, self)

    @property
    def agent_tui(self) -> AgentTui:
        """The app."""
        return cast("AgentTui", self.app)

    @property
    def settings(self) -> Settings:
        """What is remembered."""
        return self.agent_tui.settings

    def compose(self) -> ComposeResult:
        """The lines above the panes, the panes, the lines below, prompt."""
        glyphs = self.glyphs
        yield from self.bars.above()
        table = VirtualTable(self.runs.rows.columns(), self.runs.rows, empty="", glyphs=glyphs, id="table")
        tree = TextPane(empty=" no run under the cursor", glyphs=glyphs, id="tree")
        card = TextPane(pointer=True, glyphs=glyphs, id="scorecard")
        total = TextPane(cursor=False, pointer=True, glyphs=glyphs, id="total")
        total.can_focus = False
        with Room(id="body"):
            yield Panel(card, total, title="Scorecard", note="1", glyphs=glyphs, id="side")
            with Room(id="work"):
                yield Panel(table, note="2", glyphs=glyphs, id="runs")
                yield Panel(tree, note="3", glyphs=glyphs, id="trajectory")
                lines = TextPane(glyphs=glyphs, id="moved-lines")
                yield Panel(lines, title="What moved", note="4", glyphs=glyphs, id="moved")
        yield from self.bars.below()
        yield Prompt(id="prompt")

    def on_mount(self) -> None:
        """Show what is there already."""
        self.bundle_changed()
        if self.glyphs is ASCII:
            self.bars.say_too(SPELT)

    async def on_unmount(self) -> None:
        """Let go of what others may want, and of a pipe that goes on."""
        spell_signs(False)
        stop_waiting()
        await self.judging.close()

    # What is shown

    @property
    def table(self) -> VirtualTable:
        """The table of the runs."""
        return self.runs.table

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
        self.session = self.runs.rows.session = session
        self.reader.forget()
        self.told.forget()
        self.judging.forget()
        self.bars.judge_changed()
        self.table.show(self.runs.rows)
        self.bundle_changed()

    def read_again(self, session: Session, heads: Sequence[Text]) -> None:
        """Show the bundle as it was read again: the cursor stays on its run and line, folds and focus stay."""
        name = None if self.row is None else self.session.bundle.names.name(self.row)
        old, self.session = self.session, session
        self.runs.rows.session = session
        rows = session.bundle.rows(lambda row: session.bundle.names.name(row) == name)
        position = session.position_of(rows[0]) if rows else None
        if self.following.is_on:
            position = max(0, len(session) - 1)
        shown = self.reader.row
        was_shown = shown is not None and old.bundle.names.name(shown) == name
        self.reader.follow_row(session.bundle, rows[0] if rows and was_shown else None)
        self.table.rows_changed(min(self.table.cursor, max(0, len(session) - 1)) if position is None else position)
        self.show_change(heads, None, None)
        self.judging.reread()
        self.runs.retitle()

    def on_arrived(self, event: Arrived) -> None:
        """More has come by a pipe, or it has ended."""
        if event.bundle is self.session.bundle:
            self.session.arrival = event.arrival
            self.bars.redraw_counts()
            if event.arrival.left_out:
                self.say(safe(event.arrival.left_out, 200))

    def bundle_changed(self) -> None:
        """The bundle, the measure or the filter changed: draw everything anew."""
        self.session.count_again()
        self.runs.show_columns()
        self.table.rows_changed()
        self.runs.fit()
        self.runs.retitle()
        self.card.refresh()
        self.reader.show()
        self.reader.retitle()
        self.bars.redraw()

    def judge_changed(self) -> None:
        """What may be seen of a judge, or a label, is another: draw what depends on it."""
        self.bars.judge_changed()
        self.runs.show_columns()
        self.table.rows_changed()
        self.card.refresh()
        self.bars.redraw()
        self.call_after_refresh(self.reader.show)

    @on(TreeMade)
    def take_tree(self, event: TreeMade) -> None:
        """A big run was read."""
        self.reader.take(event)

    @on(TextPane.LineHighlighted, "#tree")
    def retitle_trajectory(self) -> None:
        """Another line may be about another side."""
        self.reader.retitle()

    def say(self, message: Text | str) -> None:
        """Put a message into the status line, until the next key."""
        self.bars.say(message)

    # Events

    def on_resize(self, event: events.Resize) -> None:
        """Choose the layout for the size, and draw what depends on the width."""
        self.panes.fit(event.size.width, event.size.height)
        for panel in self.query(Panel):
            panel.set_class(self.has_class("-narrow"), "-flat")
        self.call_after_refresh(self._resized)

    def _resized(self) -> None:
        self.told.fit()
        self.bars.fit()
        self.runs.show_columns()
        self.card.refresh()
        self.runs.retitle()
        self.call_after_refresh(self.reader.show)

    def on_key(self, event: events.Key) -> None:
        """Marks and messages last until the next key."""
        if self.session.moved and event.key not in ("m", "M"):
            self.session.unmark()
            self.table.rows_changed()
        self.bars.say_no_more()

    @on(VirtualTable.RowHighlighted)
    def follow(self) -> None:
        """The trajectory follows when the cursor has rested."""
        self.following.moved()
        if self._follow is not None:
            self._follow.stop()
        if self.agent_tui.follows_cursor:
            self._follow = self.set_timer(REST, self.reader.show)

    @on(VirtualTable.RowSelected)
    def drill_in(self) -> None:
        """Enter on a run: read its trajectory."""
        self.reader.show()
        if self.panes.shows_one:
            self.panes.enlarge("trajectory")
        self.panes.focus("trajectory")

    @on(TextPane.Sized, "#tree")
    def fill(self) -> None:
        """Show the run under the cursor where there was no room for it."""
        if self.row is not None and self.reader.row is None:
            self.reader.show()

    # Panes

    def action_pane(self, number: int) -> None:
        """Go to a pane by its number; a small terminal shows it alone."""
        name = PANES[number - 1]
        if name == "moved":
            if self.told.is_empty:
                self.say("nothing has moved yet: m toggles the matcher, e changes a value")
                return
            self.told.open()
        if name == "trajectory":
            self.reader.show()
        self.panes.go(name)

    def action_back(self) -> None:
        """Back by one: a search that is under way, the enlargement, the pane, what moved, the search, the filter."""
        if self.finding.stop() or self.counting.stop():
            return
        if self.panes.enlarged:
            self.panes.enlarge("")
            self.panes.focus("runs")
        elif self.panes.focused != "runs":
            self.set_focus(self.table)
        elif self.has_class("-moved"):
            self.told.close()
            self.runs.fit()
        elif self.session.needle:
            self.search_for("")
        elif self.session.is_filtered:
            self.runs.filter_by("")
        elif not self.agent_tui.loading.stop():
            self.say(self.changing.offered or "q quits")

    # Measures

    def action_matcher(self, step: int) -> None:
        """The next or previous matcher."""
        if not len(self.session.bundle):
            return
        from agent_tui.tui.present import moved

        row = self.row
        toggle = self.session.toggle(step)
        self.runs.show_columns()
        self.table.rows_changed(None if row is None else self.session.position_of(row))
        self.runs.retitle()
        self.card.refresh()
        self.card.go_to_measure()
        self.told.take_toggle(toggle)
        self.say(moved.announcement(self.session.bundle, toggle, self.glyphs))
        self.bars.redraw()

    # What-if

    def show_change(self, heads: Sequence[Text], run: str | None, key: Key | None) -> None:
        """Show what the last change did, and what noticed; the trajectory stays where it is, or goes to a line."""
        shift = self.session.shift
        if shift is None:
            return
        from agent_tui.tui.present import noticed

        self.told.take_shift(heads, run, shift)
        self.say(noticed.announcement(heads[0], shift.effect, self.size.width))
        self.runs.show_columns()
        self.table.rows_changed()
        self.card.refresh()
        self.bars.redraw()
        self.reader.show_at(key)
        self.judging.changed(shift.was)

    def show_patch(self) -> None:
        """Show what noticed the patch that the bundle was opened with."""
        change = self.session.what_if.ledger.shown[-1] if self.session.changes else None
        if change is not None:
            from agent_tui.tui.present import noticed

            self.show_change(noticed.change_lines(change.edits, self.glyphs), change.runs[0], None)

    def action_sweep(self) -> None:
        """Which measure is blind to which mistake."""
        bundle = self.session.bundle
        if not bundle.is_complete:
            self.say(self.session.why_not_whole)
            return
        from agent_tui.tui.screens.sweep import SweepScreen

        self.app.push_screen(SweepScreen(bundle, self.session.sweep, self.glyphs), self.runs.show_behind)

    # Asking: search, filter, order, columns, go to

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
            self.set_focus(self.table)

    # Searching

    def search_for(self, text: str) -> None:
        """Look for a text in everything, light it, and go to the first place; an empty one ends the search."""
        self.session.needle = text
        self.table.highlight(text)
        self.reader.pane.highlight(text)
        if text:
            self.settings.remember("searches", text)
            self.set_focus(self.table)
        self.finding.begin()

    def action_found(self, step: int) -> None:
        """The next or previous place found."""
        if self.session.needle:
            self.finding.go(step)
        else:
            self.action_search()

    def show_hit(self, position: int, hit: Hit) -> None:
        """Show a place that was found: its run, and in it the line that holds it."""
        self.table.move_to(position)
        if self.panes.shows_one:
            self.panes.enlarge("trajectory")
        self.reader.show_hit(hit)

    # The rest

    def action_problems(self) -> None:
        """What was skipped, and what looks odd."""
        from agent_tui.tui.screens.problems import ProblemsScreen

        self.app.push_screen(ProblemsScreen(self.session.bundle.problems, self.glyphs))

    @property
    def is_filled(self) -> bool:
        """Whether keys meet what they are meant for: the panes are laid out, and no other screen is about to come."""
        is_read = self.panes.focused != "trajectory" or self.reader.follows
        return self.panes.are_filled and is_read and not self.judging.is_opening

    @property
    def is_busy(self) -> bool:
        """Whether something is being typed or looked at that another bundle would pull away."""
        return self.query_one(Prompt).is_open or self.app.screen is not self
