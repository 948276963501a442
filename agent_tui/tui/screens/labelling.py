"""Label one run after another, blind: nothing on this screen says what a judge, a check or a recorded score says."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from rich.text import Text
from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from agent_tui.errors import AgentTuiError
from agent_tui.judge.next_labels import Advice
from agent_tui.stats.confusion import Confusion
from agent_tui.tui.judge.labelling import Labelling
from agent_tui.tui.present.labelling import WORDS, needs_line, title, to_label, words_line
from agent_tui.tui.present.nodes import Tree
from agent_tui.tui.present.texts import size_and_lines
from agent_tui.tui.present.words import safe, safe_name
from agent_tui.tui.screens.leaving import LeavingScreen
from agent_tui.tui.screens.reading import ReadingScreen, key_line
from agent_tui.tui.theme import Glyphs
from agent_tui.tui.widgets.line_bar import LineBar
from agent_tui.tui.widgets.longtext import LongText
from agent_tui.tui.widgets.panel import Panel
from agent_tui.tui.widgets.prompt import Prompt
from agent_tui.tui.widgets.vtext import Lines, TextPane

_BLIND, _EDGES = "blind: no verdict, no check, no score", 6
"""What stands at the right of the title, and the cells around it."""
Counts = Callable[[], Confusion | None]
"""What a judge's validation counted; None where none was validated."""


class LabelScreen(LeavingScreen[tuple[int, ...]]):
    """Leaves with the rows that were labelled. Without a row it begins with the next one that has no label."""

    CSS_PATH = "labelling.tcss"
    AUTO_FOCUS = "#run"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "leave", "back", id="move.back"),
        *(Binding(key, f"give('{word}')", word) for key, word in WORDS.items()),
        Binding("n", "next", "next"),
    ]

    def __init__(self, labelling: Labelling, row: int | None, counts: Counts, glyphs: Glyphs) -> None:
        super().__init__()
        self._labelling = labelling
        self._row = row
        self._counts = counts
        self._glyphs = glyphs
        self._advice = Advice("", ())
        self._counted: Confusion | None = None
        """What the advice follows from."""
        self._is_advised = False
        self._passed_over: set[int] = set()
        self._labelled: list[int] = []
        self._word = ""
        self._tree: Tree | None = None

    def compose(self) -> ComposeResult:
        """The run, the three words, what is still needed, keys, and a prompt for the note."""
        empty = " every run that could be labelled has a label"
        yield Panel(TextPane(empty=empty, glyphs=self._glyphs, id="run"), title="Label", glyphs=self._glyphs)
        yield LineBar(self._words, id="words")
        yield LineBar(self._needs, id="needs")
        yield LineBar(self._footer, style="bar", id="footer")
        yield Prompt(id="prompt")

    @property
    def is_filled(self) -> bool:
        """Whether there is a run, or is known to be none."""
        return self._row is not None or self._is_advised

    def on_mount(self) -> None:
        """Show the run, and find out which come after it."""
        self.call_after_refresh(self._show)
        self._look()

    def on_resize(self, event: events.Resize) -> None:
        """Break texts for the width."""
        self.call_after_refresh(self._show)

    # What is shown

    @property
    def pane(self) -> TextPane:
        """Where the run is."""
        return self.query_one("#run", TextPane)

    def _show(self) -> None:
        if not self.is_attached:
            return
        row, width = self._row, self.pane.size.width - 2
        if row is None or width < 10:
            self._tree = None
            self.pane.show(Lines(()))
        else:
            self._tree = to_label(self._labelling.bundle, row, width, self._glyphs)
            self.pane.show(self._tree)
        self._redraw()

    def _redraw(self) -> None:
        row = self._row
        panel = self.query_one(Panel)
        left, room = len(self._advice.rows), panel.outer_size.width - len(_BLIND) - _EDGES
        bundle = self._labelling.bundle
        panel.set_title([Text("Label", "title")] if row is None else title(bundle, row, left, room, self._glyphs))
        panel.set_note(_BLIND)
        for bar in self.query(LineBar):
            bar.redraw()

    def _words(self, width: int) -> Text:
        row = self._row
        if row is None:
            return Text()
        labelling = self._labelling
        kept_in = labelling.labels.path.name
        return words_line(labelling.mine(row), labelled=labelling.has_label(row), kept_in=kept_in)

    def _needs(self, width: int) -> Text:
        return needs_line(self._advice.sentence, self._labelling.labels.notice)

    def _footer(self, width: int) -> Text:
        keys = [("Esc", "back"), ("n", "next, without a label"), ("Enter", "a text whole"), ("space", "fold")]
        return key_line(keys, width)

    # Which run

    def _look(self) -> None:
        self.run_worker(self._take_advice(), group="advice", exclusive=True)

    async def _take_advice(self) -> None:
        self._advice, self._counted = await self._labelling.advice(self._counts())
        self._is_advised = True
        if self._row is None:
            self._go_on()
        self._redraw()

    def _go_on(self) -> None:
        """To the next run without a label."""
        ahead = [row for row in self._advice.rows if row not in self._passed_over and row != self._row]
        if not ahead:  # those that were passed over come again
            ahead = [row for row in self._advice.rows if row != self._row]
            self._passed_over.clear()
        self._row = ahead[0] if ahead else None
        self._show()

    def action_next(self) -> None:
        """Pass the run over."""
        if self._row is not None:
            self._passed_over.add(self._row)
        self._go_on()

    # Labels

    def action_give(self, word: str) -> None:
        """Ask for a note to a label: Enter keeps both."""
        if self._row is None:
            return
        self._word = word
        name = safe_name(self._labelling.bundle.names.name(self._row))
        mine = self._labelling.mine(self._row)
        note = mine.note if mine is not None and mine.label == word else ""
        self.query_one(Prompt).ask("note", f"{name}: {word}", text=note, hint="a note, or nothing: Enter keeps it")

    @on(Prompt.Submitted)
    def keep(self, event: Prompt.Submitted) -> None:
        """Keep the label, and show the next run."""
        row = self._row
        if row is None:
            return
        try:
            is_new = self._labelling.set(row, self._word, event.text.strip())
        except AgentTuiError as error:
            event.prompt.complain(safe(str(error), 300))
            return
        event.prompt.close()
        self.set_focus(self.pane)
        self._labelled.append(row)
        if is_new and self._counted is not None:
            self._advice, self._counted = self._labelling.after(self._advice, self._counted, row, self._word)
        else:
            self._look()
        self._go_on()

    @on(Prompt.Cancelled)
    def keep_none(self) -> None:
        """No label was given."""
        self.set_focus(self.pane)

    # Reading

    @on(TextPane.FoldToggled)
    def fold(self, event: TextPane.FoldToggled) -> None:
        """Fold or unfold."""
        if self._tree is not None:
            self.pane.lines_changed(self._tree.toggle(event.line, event.open))

    @on(TextPane.LineSelected)
    def open_text(self, event: TextPane.LineSelected) -> None:
        """Read a text whole; where there is none, fold."""
        if self._tree is None:
            return
        text = self._tree.node(event.line).text
        if text is None:
            self.pane.lines_changed(self._tree.toggle(event.line))
        else:
            heading = Text(size_and_lines(text), "title")
            self.app.push_screen(ReadingScreen(heading, LongText(text), self._glyphs))

    def action_leave(self) -> None:
        """Leave with what was labelled."""
        self.dismiss(tuple(self._labelled))
