"""The main screen: scorecard, runs, trajectory, and what the last toggle moved."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar, cast

from rich.text import Text
from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container
from textual.screen import Screen
from textual.timer import Timer
from textual.widget import Widget

from agent_tui.bundles.fields import field_names
from agent_tui.bundles.query import READY_FILTERS
from agent_tui.bundles.search import Hit
from agent_tui.errors import AgentTuiError
from agent_tui.tui.actions import actions_of
from agent_tui.tui.present import header, moved, provenance, trajectory
from agent_tui.tui.present.footer import FooterItem, footer
from agent_tui.tui.present.nodes import Tree, size
from agent_tui.tui.present.runs import COLUMNS, MORE_COLUMNS, RunRows
from agent_tui.tui.present.scorecard import ScorecardLines, compact_lines, ribbon_counts, ribbon_words, scorecard_lines
from agent_tui.tui.present.words import safe, safe_name, shown_measure
from agent_tui.tui.screens.choosing import Choice, ChoosingScreen
from agent_tui.tui.screens.reading import ReadingScreen, reading
from agent_tui.tui.session import Session, Toggle
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

NARROW = 100
"""Columns below which the scorecard folds into two lines."""
TINY = (60, 15)
"""Columns and lines below which one pane is shown at a time."""
REST = 0.15
"""Seconds that the cursor rests before the trajectory follows."""
PANES = ("side", "runs", "trajectory", "moved")
_FOCUS = {"side": "#scorecard", "runs": "#table", "trajectory": "#tree", "moved": "#moved-lines"}
_SLICE = 0.03
"""Seconds of searching between two looks at the keyboard."""


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
        self._card = ScorecardLines([], [])
        self._tree: Tree | None = None
        self._shown: tuple[int, int, bytes] | None = None
        self._message: Text | None = None
        self._toggle: Toggle | None = None
        self._footer_items: list[FooterItem] = []
        self._follow: Timer | None = None
        self._hit: tuple[Hit, ...] = ()
        self._searching = 0

    @property
    def _app(self) -> AgentTui:
        return cast("AgentTui", self.app)

    def compose(self) -> ComposeResult:
        """Title, two compact lines, the panes, ribbon, status, footer, prompt."""
        glyphs = self.glyphs
        yield LineBar(lambda width: header.title_line(self.session, width), style="bar", id="title")
        yield LineBar(lambda width: compact_lines(self.session, width)[0], id="compact-one")
        yield LineBar(lambda width: compact_lines(self.session, width)[1], id="compact-two")
        table = VirtualTable(self.rows.columns(), self.rows, empty="no run is shown", glyphs=glyphs, id="table")
        tree = TextPane(empty="no run under the cursor", glyphs=glyphs, id="tree")
        with Container(id="body"):
            yield Panel(TextPane(pointer=True, glyphs=glyphs, id="scorecard"), note="1", glyphs=glyphs, id="side")
            with Container(id="work"):
                yield Panel(table, note="2", glyphs=glyphs, id="runs")
                yield Panel(tree, note="3", glyphs=glyphs, id="trajectory")
                yield Panel(TextPane(glyphs=glyphs, id="moved-lines"), note="4", glyphs=glyphs, id="moved")
        yield LineBar(self._ribbon, id="ribbon")
        yield LineBar(self._ribbon_words, id="ribbon-words")
        yield LineBar(lambda width: header.status_line(self.session, self._message, width), id="status")
        yield LineBar(self._footer, style="bar", id="footer")
        yield Prompt(id="prompt")

    def on_mount(self) -> None:
        """Name the panes and show what is there already."""
        self.query_one("#side", Panel).set_title(Text("Scorecard", "title"))
        self.query_one("#moved", Panel).set_title(Text("What moved", "title"))
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
    def row(self) -> int | None:
        """The row number under the cursor; None where no run is shown."""
        return self.session.row_at(self.table.cursor) if len(self.session) else None

    def rows_arrived(self) -> None:
        """More runs were read: the table grows, the numbers wait for `bundle_changed`."""
        if self.session.filter_text or self.session.sort_field:
            return
        first = not self.table.count or self._shown is None
        self.table.rows_added()
        if first and len(self.session):
            self.table.set_columns(self.rows.columns())
            self.show_trajectory()
        self._redraw_bars()

    def bundle_changed(self) -> None:
        """The bundle, the measure or the filter changed: draw everything anew."""
        table = self.table
        table.set_columns(self.rows.columns())
        table.rows_changed()
        self._fit_runs()
        self._retitle_runs()
        self._refresh_card()
        self.show_trajectory()
        self._redraw_bars()

    def _fit_runs(self) -> None:
        """A short table takes no more room than it needs, a long one its share."""
        lines = len(self.session) + (2 if self.has_class("-narrow") else 3)
        room = self.query_one("#work").size.height
        share = room * 2 // 5
        self.query_one("#runs").styles.height = max(6, min(lines, share)) if room and not self._enlarged() else None

    def _redraw_bars(self) -> None:
        for bar in self.query(LineBar):
            bar.redraw()

    def _refresh_card(self) -> None:
        pane = self.query_one("#scorecard", TextPane)
        width = (pane.size.width or 44) - 2
        kept = pane.has_focus and pane.cursor < len(self._card.measures)
        at = self._card.measures[pane.cursor] if kept else None
        self._card = scorecard_lines(self.session, width, self.glyphs)
        stops = [line for line, measure in enumerate(self._card.measures) if measure is not None]
        pane.show(Lines(self._card.lines, stops), self._card.line_of(at or self.session.measure))

    def _retitle_runs(self) -> None:
        parts: list[Text] = [Text("Runs", "title")]
        names = self.session.cycle()
        at = names.index(self.session.measure)
        for name in (*names[at:], *names[:at]) if self.size.width < 120 else names:
            active = name == self.session.measure
            parts.append(Text(f" {shown_measure(name)} ", "button") if active else Text(shown_measure(name), "label"))
        self.query_one("#runs", Panel).set_title(parts)

    def show_trajectory(self) -> None:
        """Show the run under the cursor, where it is not shown already."""
        row, width = self.row, self.reader.size.width - 2
        panel = self.query_one("#trajectory", Panel)
        if row is None:
            self._tree, self._shown = None, None
            panel.set_title(Text("Trajectory", "title"))
            self.reader.show(Lines(()))
            return
        wanted = (row, width, self.session.bundle.record(row))
        if wanted == self._shown or width < 10:
            return
        keep = self.reader.cursor if self._shown is not None and self._shown[0] == row else 0
        self._tree = trajectory.trajectory(self.session.bundle, row, width, self.glyphs)
        self._shown = wanted
        panel.set_title(trajectory.title(self.session.bundle, row))
        self.reader.show(self._tree, keep)

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

    # Events

    def on_resize(self, event: events.Resize) -> None:
        """Choose the layout for the size, and draw what depends on the width."""
        self.set_class(event.size.width < NARROW, "-narrow")
        tiny = event.size.width < TINY[0] or event.size.height < TINY[1]
        self.set_class(tiny, "-tiny")
        for panel in self.query(Panel):
            panel.set_class(event.size.width < NARROW, "-flat")
        self.call_after_refresh(self._resized)

    def _resized(self) -> None:
        self._fit_runs()
        self._refresh_card()
        self._retitle_runs()
        self.show_trajectory()

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
        if self.has_class("-tiny") or self.has_class("-only-runs"):
            self._enlarge("trajectory")
        self.reader.focus()

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
        if node.whole is not None:
            self._read_whole(node.whole)
        elif node.can_fold:
            self.reader.lines_changed(self._tree.toggle(event.line))

    def _read_whole(self, text: str) -> None:
        title = Text(f"{size(len(text))}, {text.count(chr(10)) + 1:,} lines", "title")
        self.app.push_screen(ReadingScreen(title, LongText(text), self.glyphs, needle=self.session.needle))

    @on(TextPane.LineSelected, "#scorecard")
    def open_number(self) -> None:
        """Enter on a number: where it comes from."""
        self.action_provenance()

    @on(TextPane.LineSelected, "#moved-lines")
    def open_moved(self, event: TextPane.LineSelected) -> None:
        """Enter on a run that moved: go to it."""
        if self._toggle is not None:
            self.go_to_row(moved.rows_of_lines(self._toggle)[event.line])

    @on(LineBar.Clicked, "#footer")
    async def press_footer(self, event: LineBar.Clicked) -> None:
        """A click on the footer is its key."""
        for item in self._footer_items:
            if item.start <= event.x < item.end:
                await self.run_action(item.action.call if item.action.home == "main" else f"app.{item.action.call}")

    # Panes

    def _pane(self) -> str:
        focused: Widget | None = self.focused
        while focused is not None:
            if focused.id in PANES:
                return focused.id
            focused = focused.parent if isinstance(focused.parent, Widget) else None
        return "runs"

    def action_pane(self, number: int) -> None:
        """Go to a pane by its number; a small terminal shows the scorecard alone."""
        name = PANES[number - 1]
        if name == "moved" and self._toggle is None:
            self.say("nothing has moved yet: m toggles the matcher")
            return
        if name == "moved":
            self.add_class("-moved")
        if self._enlarged() or (name == "side" and self.has_class("-narrow")) or self.has_class("-tiny"):
            self._enlarge(name)
        self.call_after_refresh(lambda: self.query_one(_FOCUS[name]).focus())

    def action_next_pane(self) -> None:
        """The next pane that is shown."""
        self._step_pane(1)

    def action_previous_pane(self) -> None:
        """The previous pane that is shown."""
        self._step_pane(-1)

    def _step_pane(self, step: int) -> None:
        names = [name for name in PANES if self._is_reachable(name)]
        at = names.index(self._pane()) if self._pane() in names else 0
        self.action_pane(PANES.index(names[(at + step) % len(names)]) + 1)

    def _is_reachable(self, name: str) -> bool:
        return name != "moved" or self.has_class("-moved")

    def _enlarged(self) -> str:
        return next((name for name in PANES if self.has_class(f"-only-{name}")), "")

    def _enlarge(self, pane: str) -> None:
        for name in PANES:
            self.set_class(name == pane, f"-only-{name}")
        self.call_after_refresh(self._resized)

    def action_enlarge(self) -> None:
        """Enlarge the pane in focus, or make it small again."""
        pane = self._pane()
        self._enlarge("" if self._enlarged() else pane)
        self.call_after_refresh(lambda: self.query_one(_FOCUS[pane]).focus())

    def action_back(self) -> None:
        """Back by one: the enlargement, the pane, what moved, the search, the filter."""
        if self._enlarged():
            self._enlarge("")
            self.call_after_refresh(lambda: self.table.focus())
        elif self._pane() != "runs":
            self.table.focus()
        elif self.has_class("-moved"):
            self.remove_class("-moved")
        elif self.session.needle:
            self._search_for("")
        elif self.session.filter_text:
            self._filter("")
        else:
            self.say("q quits")

    # Measures

    def action_matcher(self, step: int) -> None:
        """The next or previous matcher."""
        if not len(self.session.bundle):
            return
        row = self.row
        self._toggle = self.session.toggle(step)
        self.table.set_columns(self.rows.columns())
        position = None if row is None else self.session.position_of(row)
        self.table.rows_changed(position)
        self._retitle_runs()
        self._refresh_card()
        self.query_one("#scorecard", TextPane).jump_to(self._card.line_of(self.session.measure))
        self._show_moved(self._toggle)
        self.say(moved.announcement(self.session.bundle, self._toggle, self.glyphs))
        self._redraw_bars()

    def _show_moved(self, toggle: Toggle) -> None:
        self.query_one("#moved-lines", TextPane).show(
            Lines(moved.moved_lines(self.session.bundle, toggle, self.glyphs))
        )

    def action_provenance(self) -> None:
        """Where the number under the cursor, or else the active measure's, comes from."""
        measure = self.session.measure
        if self._pane() == "side":
            at = self.query_one("#scorecard", TextPane).cursor
            measure = self._card.measures[at] or measure if at < len(self._card.measures) else measure
        told = provenance.provenance(self.session.bundle, self.session.card, measure)
        title = Text("Where it comes from: ", "label").append(shown_measure(measure), "title")
        self.app.push_screen(reading(title, told.lines, self.glyphs, told.rows), self.go_to_row)

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
        groups = [node for node in self._tree.every() if node.key[0] == "step" and node.is_agent]
        opened = not all(node.open for node in groups)
        for node in groups:
            node.open = opened
        self._tree.refold()
        self.reader.lines_changed(0)
        if not groups:
            self.say("this run has no sub-agents")

    # Asking: search, filter, go to

    def action_search(self) -> None:
        """Ask what to search for."""
        history = self._app.settings.searches
        self.query_one(Prompt).ask("search", "/", text="", hint="search everything, as it is written", history=history)

    def action_filter(self) -> None:
        """Ask for a filter; an empty one offers the ready filters."""
        hint = "exact = fail and calls > 2     empty: ready filters"
        history = self._app.settings.filters
        self.query_one(Prompt).ask("filter", "filter", text=self.session.filter_text, hint=hint, history=history)

    def action_goto(self) -> None:
        """Ask where to go."""
        self.query_one(Prompt).ask("goto", ":", hint="row number or run")

    @on(Prompt.Submitted)
    def answered(self, event: Prompt.Submitted) -> None:
        """Do what was asked for, or say what is wrong with it."""
        answers: dict[str, Callable[[str], None]] = {
            "search": self._search_for,
            "filter": self._filter_or_choose,
            "goto": self._goto,
        }
        try:
            answers[event.kind](event.text)
        except AgentTuiError as error:
            event.prompt.complain(safe(str(error), 300))
            return
        event.prompt.close()
        if self.focused is None:
            self.table.focus()

    @on(Prompt.Cancelled)
    def unanswered(self) -> None:
        """Nothing was asked for."""
        self.table.focus()

    def _goto(self, text: str) -> None:
        wanted = text.strip()
        if wanted:
            row = self.session.bundle.find(f"#{wanted}" if wanted.isdigit() and not self._is_id(wanted) else wanted)
            self.go_to_row(row)

    def _is_id(self, text: str) -> bool:
        return text in self.session.bundle.table.ids

    def _filter_or_choose(self, text: str) -> None:
        if text.strip():
            self._filter(text.strip())
            self._app.settings.remember("filters", text.strip())
            return
        if self.session.filter_text:
            self._filter("")
            return
        lines = [Choice(text, _choice(name, text)) for name, text in READY_FILTERS.items()]
        choosing = ChoosingScreen(Text("Ready filters", "title"), lines, self.glyphs)
        self.app.push_screen(choosing, lambda chosen: None if chosen is None else self._filter(chosen))

    def _filter(self, text: str) -> None:
        row = self.row
        self.session.set_filter(text)
        position = None if row is None else self.session.position_of(row)
        self.table.rows_changed(position or 0)
        self.show_trajectory()
        self._redraw_bars()
        self.table.focus()

    def action_sort(self) -> None:
        """Choose a field to sort by; the one in force again turns the direction."""
        names = ["", *field_names(self.session.bundle)]
        shown = {"": "the order of the file"}
        lines = [Choice(name, Text(safe(shown.get(name, name), 60), "text")) for name in names]
        at = names.index(self.session.sort_field) if self.session.sort_field in names else 0
        self.app.push_screen(ChoosingScreen(Text("Sort by", "title"), lines, self.glyphs, at), self._sort)

    def _sort(self, name: str | None) -> None:
        if name is None:
            return
        row = self.row
        again = bool(name) and name == self.session.sort_field
        self.session.set_sort(name, descending=again and not self.session.descending)
        position = None if row is None else self.session.position_of(row)
        self.table.rows_changed(position or 0)
        self._redraw_bars()

    def action_choose_columns(self) -> None:
        """Show or hide a column."""
        scores = [f"score.{name}" for name in self.session.bundle.table.scores]
        lines = []
        for name in (*COLUMNS[1:], *MORE_COLUMNS, *scores):
            sign = self.glyphs.passed if name in self.rows.shown else self.glyphs.nothing
            lines.append(Choice(name, Text(f"{sign} ", "accent").append(safe(name, 40), "text")))
        self.app.push_screen(ChoosingScreen(Text("Columns", "title"), lines, self.glyphs), self._show_column)

    def _show_column(self, name: str | None) -> None:
        if name is None:
            return
        shown = self.rows.shown
        self.rows.shown = tuple(each for each in shown if each != name) if name in shown else (*shown, name)
        self._app.settings.columns = list(self.rows.shown)
        self.table.set_columns(self.rows.columns())
        self.table.rows_changed()

    # Searching

    def _search_for(self, text: str) -> None:
        self.session.needle = text
        self.table.highlight(text)
        self.reader.highlight(text)
        self._hit = ()
        if text:
            self._app.settings.remember("searches", text)
            self.table.focus()
            self._find(1, self.table.cursor - 1)

    def action_found(self, step: int) -> None:
        """The next or previous place found: first in this run, then in the others."""
        if not self.session.needle:
            self.action_search()
            return
        row = self.row
        hits = () if row is None else tuple(self.session.hits(row))
        at = (
            hits.index(self._hit[0]) + step
            if self._hit and self._hit[0] in hits
            else (0 if step > 0 else len(hits) - 1)
        )
        if hits and 0 <= at < len(hits) and self._hit:
            self._show_hit(hits[at], at, len(hits))
        else:
            self._find(step, self.table.cursor)

    def _find(self, step: int, position: int) -> None:
        """Search on from a position in slices, so that keys are answered meanwhile."""
        self._searching += 1
        search = self._searching
        candidates = self.session.rows_with_hits(position, step)
        done = 0

        def some() -> None:
            nonlocal done
            if search != self._searching:
                return
            until = time.monotonic() + _SLICE
            for found in candidates:
                done += 1
                if found is not None:
                    self._found(found, step)
                    return
                if time.monotonic() > until:
                    self.say(f"searching: {done:,} of {len(self.session):,} runs")
                    self.set_timer(0.001, some)
                    return
            self.say(f"not found: {safe(self.session.needle, 60)}")

        some()

    def _found(self, position: int, step: int) -> None:
        self.table.move_to(position)
        self.show_trajectory()
        hits = self.session.hits(self.session.row_at(position))
        at = 0 if step > 0 else len(hits) - 1
        self._show_hit(hits[at], at, len(hits))

    def _show_hit(self, hit: Hit, at: int, count: int) -> None:
        self._hit = (hit,)
        if self._tree is not None:
            line = self._tree.find(trajectory.key_of(hit))
            if line is not None:
                self.reader.lines_changed(line)
        name = safe_name(self.session.bundle.names.name(hit.row))
        where = "in a long text: Enter opens it there" if self._is_long(hit) else f"in its {hit.part}"
        self.say(Text(f" found in {name}, {at + 1} of {count} places, {where}", "notice"))

    def _is_long(self, hit: Hit) -> bool:
        if self._tree is None or not self.reader.count:
            return False
        whole = self._tree.node(self.reader.cursor).whole
        return whole is not None and len(whole) > 400

    # The rest

    def action_coming(self, what: str) -> None:
        """Say that a key comes with a later version."""
        self.say(f"{what}: comes next")

    def action_problems(self) -> None:
        """What was skipped, and what looks odd."""
        problems = self.session.bundle.problems
        lines = [
            Text(f" {safe(str(problem), 500)}", "notice" if problem.kind != "warning" else "label")
            for problem in problems
        ]
        shown = lines or [Text(" nothing was skipped", "label")]
        self.app.push_screen(reading(Text("Skipped and odd", "title"), shown, self.glyphs))

    def action_theme(self) -> None:
        """The next theme."""
        self._app.next_theme()

    def action_reload(self) -> None:
        """Read the files again."""
        self._app.reload()

    def action_open(self) -> None:
        """Choose a recent bundle, or type a path."""
        self._app.choose_bundle()


def _choice(name: str, text: str) -> Text:
    return Text(f"{name:<36} ", "text").append(text, "label")
