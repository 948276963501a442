"""The judge: which one, what asking would take, its validation, and only then its verdicts. Esc leads back.

One screen with one view at a time; the bench keeps it all while the bundle is open, so that opening it again goes on.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import UTC, datetime
from typing import ClassVar

from rich.text import Text
from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from agent_tui.judge.validation import JudgedRun
from agent_tui.providers.choose import MODEL
from agent_tui.tui.judge.bench import Bench, Candidate, Seat
from agent_tui.tui.present.about import About
from agent_tui.tui.present.judge_course import Do
from agent_tui.tui.present.judge_view import Shown, View, head_of, keys_of, page_of, steps_of
from agent_tui.tui.present.page import Page
from agent_tui.tui.present.provenance.judge import AGREEMENT, judge_provenance
from agent_tui.tui.screens.judge_asking import Asking
from agent_tui.tui.screens.judge_lists import Behind, JudgeLists, lists
from agent_tui.tui.screens.judge_wishes import Wishes
from agent_tui.tui.screens.leaving import LeavingScreen
from agent_tui.tui.screens.panes import NARROW
from agent_tui.tui.screens.reading import ReadingScreen, key_line
from agent_tui.tui.theme import Glyphs
from agent_tui.tui.widgets.line_bar import LineBar
from agent_tui.tui.widgets.matrix import MatrixView
from agent_tui.tui.widgets.panel import Panel
from agent_tui.tui.widgets.prompt import Prompt
from agent_tui.tui.widgets.vtext import Lines, TextPane

_ROOMY = 34
"""Lines from which on some may be blank."""
_LEAST_LISTS = (6, 12)
"""Lines that the lists keep below the figures: on a small screen, and on a large one."""
LabelNext = Callable[[Callable[[], None]], None]
"""Labels runs, the next one first, and calls back once that is done."""


def utc_now() -> datetime:
    """The time now."""
    return datetime.now(UTC)


class JudgeScreen(LeavingScreen[Behind | None]):
    """Leaves with runs to show on the main screen, or with None."""

    CSS_PATH = "judge.tcss"
    AUTO_FOCUS = "#page"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "back", "back", id="move.back"),
        Binding("tab", "next_pane(1)", "list", id="pane.next"),
        Binding("shift+tab", "next_pane(-1)", "list", id="pane.previous"),
        Binding("v", "verdicts", "verdicts", id="verdicts"),
        Binding("o", "override", "show all the same"),
        Binding("s", "do('TEXT')", "exact text"),
        Binding("m", "do('LIMIT')", "limit, model"),
        Binding("u", "do('UNKNOWN')", "ask again"),
        Binding("b", "do('RUBRIC')", "rubric"),
        Binding("B", "do('BATCH')", "batches"),
        Binding("c", "do('OTHER')", "other judge"),
        Binding("l", "do('LABEL')", "label", id="label"),
        Binding("p", "provenance", "why", id="provenance"),
    ]

    def __init__(
        self,
        bench: Bench,
        glyphs: Glyphs,
        label_next: LabelNext,
        *,
        verdicts: bool = False,
        now: Callable[[], datetime] = utc_now,
    ) -> None:
        """`verdicts` asks for these at once."""
        super().__init__()
        self.bench = bench
        self.glyphs = glyphs
        self.shown = Shown(bench)
        self.asking = Asking(self)
        self.wishes = Wishes(self)
        self._label_next = label_next
        self._wants_verdicts = verdicts
        self._now = now
        self._lists = JudgeLists(self, bench.bundle)
        self._page = Page([], [])
        self._is_seen = False
        """Whether what is shown has been painted: nobody agrees to an estimate that they could not see."""
        self._message: Text | None = None

    def compose(self) -> ComposeResult:
        """Head, steps, the page; below a validation its lists; keys, prompt."""
        yield Panel(
            LineBar(lambda width: head_of(self.shown, width, self._now())[0], id="who"),
            LineBar(lambda width: head_of(self.shown, width, self._now())[1], id="who-two"),
            LineBar(lambda width: steps_of(self.shown, width, self.glyphs), id="steps"),
            TextPane(pointer=True, glyphs=self.glyphs, id="page"),
            title="Judge",
            note="Esc back",
            glyphs=self.glyphs,
            id="judge",
        )
        yield from lists(self.glyphs)
        yield LineBar(self._footer, style="bar", id="footer")
        yield Prompt(id="prompt")

    @property
    def is_filled(self) -> bool:
        """Whether there is something to choose or to read."""
        return self.shown.view is not View.WAITING and self._is_seen

    def on_mount(self) -> None:
        """Show the judge that is there, or find out who may be one."""
        if self.bench.seat is None:
            self.asking.begin()
        else:
            self.show_seat()
            if self._wants_verdicts:
                self.asking.open_verdicts()

    # What is shown

    @property
    def page(self) -> TextPane:
        """The pane of the upper part."""
        return self.query_one("#page", TextPane)

    def show_seat(self, said: str = "") -> None:
        """Show where the judge that was chosen stands: its validation, else what comes before."""
        if self.bench.seat is None:
            self.show(View.CHOICE if self.bench.candidates is not None else View.WAITING, said)
        elif self.shown.asked is None or self.shown.validation is not None:
            self.show(View.PANEL, said)
        elif self.shown.asked.estimate is None:
            self.asking.look_ahead()
        else:
            self.show(View.COURSE, said)

    def show(self, view: View, said: str = "") -> None:
        """Another view, from its start."""
        if not self.is_attached:
            return
        self.shown, self._is_seen = Shown(self.bench, view, said, self.asking.going), False
        self.set_class(self.shown.has_lists, "-panel")
        if self.shown.has_lists:
            self._lists.show(self.shown.validation, self.shown.group)
        self.redraw(0)
        self.page.focus()
        self.call_after_refresh(self._painted)

    def _painted(self) -> None:
        self._is_seen = True
        self.redraw()

    def redraw(self, cursor: int | None = None) -> None:
        """Draw what is shown as it is now."""
        if not self.is_attached:
            return
        self.shown = Shown(self.bench, self.shown.view, self.shown.said, self.asking.going)
        kept = self._page.at(self.page.cursor)
        width = max(40, (self.page.size.width or self.size.width - 2) - 2)
        room = self.query_one("#who", LineBar).size.width or width
        self.set_class(bool(head_of(self.shown, room, self._now())[1]), "-two")
        model = os.environ.get(MODEL) or self.bench.config.model
        self._page = page_of(self.shown, model, width, self.glyphs, roomy=self.has_class("-roomy"))
        line = self._page.line_of(kept) if cursor is None else cursor
        self.page.show(Lines(self._page.lines, self._page.stops), line)
        self._fit()
        self._lists.refill()
        for bar in self.query(LineBar):
            bar.redraw()

    def _fit(self) -> None:
        """The upper part takes what its lines need, as long as the lists keep some."""
        panel, narrow = self.query_one("#judge", Panel), self.has_class("-narrow")
        if not self.shown.has_lists:
            panel.styles.height = None
            return
        around = (1 if narrow else 2) + 2 + (2 if self.has_class("-roomy") else 0) + self.has_class("-two")
        room = self.size.height - 1 - _LEAST_LISTS[not narrow]
        panel.styles.height = max(6, min(around + len(self._page.lines), room))

    def on_resize(self, event: events.Resize) -> None:
        """Choose the layout for the size."""
        self.set_class(event.size.width < NARROW, "-narrow")
        self.set_class(event.size.height >= _ROOMY, "-roomy")
        self.query_one("#judge", Panel).set_class(self.has_class("-narrow"), "-flat")
        self.redraw()
        self.call_after_refresh(self.redraw)

    def say(self, message: str) -> None:
        """Put a message into the foot, until the next key."""
        self._message = Text(f" {message}", "notice")
        self.query_one("#footer", LineBar).redraw()

    def on_key(self) -> None:
        """A message lasts until the next key."""
        if self._message is not None:
            self._message = None
            self.query_one("#footer", LineBar).redraw()

    def _footer(self, width: int) -> Text:
        return self._message or key_line(keys_of(self.shown), width)

    # Keys

    def action_back(self) -> None:
        """Back by one: stop asking, from the verdicts to the validation, leave."""
        if self.asking.going is not None:
            self.asking.stop()
        elif self.shown.is_past_validation:
            self.show(View.PANEL)
        else:
            self.dismiss(None)

    def action_next_pane(self, step: int) -> None:
        """To the next list; after the last one the figures again."""
        if not self.shown.has_lists:
            return
        names = ["page", *self._lists.names]
        focused = self.focused.id if self.focused is not None and self.focused.id in names else "page"
        name = names[(names.index(focused or "page") + step) % len(names)]
        if name == "page":
            self.set_focus(self.page)
        else:
            self._lists.take(name)

    def action_verdicts(self) -> None:
        """Show the verdicts, where they may be seen."""
        self.asking.open_verdicts()

    def action_override(self) -> None:
        """Ask why they are to be shown all the same."""
        self.wishes.ask_reason()

    def action_do(self, name: str) -> None:
        """Do what a line of the page does."""
        self.do(Do[name])

    def do(self, do: Do) -> None:
        """Do one of the things that there are to do, unless a step is on its way."""
        if self.asking.is_busy:
            return
        if do is Do.LABEL:
            self._label_next(self.show_seat)
        elif do is Do.OTHER:
            self.asking.choose_again()
        elif do is Do.SEND and self._is_seen:
            self.asking.go_on()
        elif do is Do.SEND:
            return
        else:
            self.wishes.do(do)

    def action_provenance(self) -> None:
        """Where the figure under the cursor comes from."""
        about, judgement = self._page.at(self.page.cursor), self.shown.judgement
        if self.shown.view is not View.PANEL or judgement is None or judgement.validation is None:
            return
        name = about.name if isinstance(about, About) and self.focused is self.page else AGREEMENT
        assert self.bench.seat is not None
        self.app.push_screen(provenance_screen(self.bench.seat, name, self.glyphs), self._show_row)

    def _show_row(self, row: int | None) -> None:
        if row is not None:
            self.dismiss(Behind((row,), row, "runs behind a figure of the judge"))

    @on(TextPane.LineSelected, "#page")
    def select(self, event: TextPane.LineSelected) -> None:
        """Do what the line says, choose the judge on it, open the run or the figure."""
        about = self._page.at(event.line)
        if isinstance(about, Do):
            self.do(about)
        elif isinstance(about, Candidate):
            self.asking.take(about)
        elif isinstance(about, JudgedRun):
            rows = tuple(each.row for each in self._page.about if isinstance(each, JudgedRun))
            self.dismiss(Behind(rows, about.row, "runs without a label"))
        elif isinstance(about, About):
            self.action_provenance()

    @on(TextPane.LineSelected, "#first")
    @on(TextPane.LineSelected, "#passes")
    @on(TextPane.LineSelected, "#fails")
    def open_run(self, event: TextPane.LineSelected) -> None:
        """Leave with the runs of a list."""
        behind = self._lists.behind_line(event.pane.id or "", event.line)
        if behind is not None:
            self.dismiss(behind)

    @on(MatrixView.CellSelected)
    def open_cell(self, event: MatrixView.CellSelected) -> None:
        """Leave with the runs of a cell of the confusion."""
        behind = self._lists.behind_cell(event.row, event.column)
        if behind is None:
            self.say("no run is in this cell")
        else:
            self.dismiss(behind)

    @property
    def candidate(self) -> Candidate | None:
        """The judge under the cursor, where one is to be chosen."""
        about = self._page.at(self.page.cursor) if self.shown.view is View.CHOICE else None
        return about if isinstance(about, Candidate) else None

    # What is typed

    @on(Prompt.Submitted)
    def answered(self, event: Prompt.Submitted) -> None:
        """Do what was asked for."""
        self.wishes.answer(event.kind, event.text)

    @on(Prompt.Cancelled)
    def unanswered(self) -> None:
        """Nothing was asked for."""
        self.set_focus(self.page)


def provenance_screen(seat: Seat, name: str, glyphs: Glyphs) -> ReadingScreen:
    """Where a figure of a judge comes from; leaves with the row of a run behind it."""
    told = judge_provenance(seat.bundle, seat.judgement, name)
    title = Text("Where it comes from: ", "label").append(f"the judge's {name}", "title")
    return ReadingScreen(title, told, glyphs, row_of=told.row)
