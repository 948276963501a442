"""A full screen to read something long: help, provenance, a whole text, the problems. Esc leads back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from agent_tui.tui.present.words import safe
from agent_tui.tui.screens.leaving import LeavingScreen
from agent_tui.tui.theme import Glyphs
from agent_tui.tui.widgets.line_bar import LineBar
from agent_tui.tui.widgets.longtext import LongText
from agent_tui.tui.widgets.panel import Panel
from agent_tui.tui.widgets.prompt import Prompt
from agent_tui.tui.widgets.vtext import Lines, LineSource, TextPane


class ReadingScreen(LeavingScreen[int | None]):
    """Lines under a title; Enter gives the row that a line is about, Esc gives none."""

    CSS_PATH = "reading.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "leave", "back", id="move.back"),
        Binding("slash", "search", "search", id="search"),
        Binding("n", "found(1)", "next", id="search.next"),
        Binding("N", "found(-1)", "previous", id="search.previous"),
    ]

    def __init__(
        self,
        title: Text,
        source: LineSource,
        glyphs: Glyphs,
        *,
        row_of: Callable[[int], int | None] | None = None,
        opens: str = "",
        wrap: bool = True,
        needle: str = "",
        takes: str = "",
    ) -> None:
        """`opens` is what Enter opens, `takes` what it does where it opens nothing."""
        super().__init__()
        self.glyphs = glyphs
        self._title = title
        self._source = source
        self._row_of = row_of
        self._opens = opens or ("the run" if row_of is not None else "")
        self._wrap = wrap
        self._needle = needle
        self._takes = takes

    def compose(self) -> ComposeResult:
        """A panel with the text, a footer and a prompt."""
        pane = TextPane(self._source, wrap=self._wrap, glyphs=self.glyphs, id="text")
        yield Panel(pane, title=self._title, glyphs=self.glyphs)
        yield LineBar(self._footer, style="bar", id="footer")
        yield Prompt(id="prompt")

    def on_mount(self) -> None:
        """Go to what was searched for."""
        self.query_one("#text").focus()
        if self._needle:
            self.query_one(TextPane).highlight(self._needle)
            self._go(0, 1)

    def _footer(self, width: int) -> Text:
        takes = self._takes or (f"open {self._opens}" if self._opens else "")
        opens = (("Enter", takes),) if takes else ()
        pairs = (("Esc", "back"), *opens, ("/", "search"), ("n N", "next, previous"), ("PgDn PgUp", "page"))
        return key_line(pairs, width)

    def action_leave(self) -> None:
        """Back."""
        self.dismiss(None)

    @on(TextPane.LineSelected)
    def open_line(self, event: TextPane.LineSelected) -> None:
        """Leave with the row that the line is about."""
        row = self._row_of(event.line) if self._row_of is not None else None
        if row is not None:
            self.dismiss(row)

    def action_search(self) -> None:
        """Ask what to look for."""
        self.query_one(Prompt).ask("search", "/", text=self._needle)

    @on(Prompt.Submitted)
    def look_for(self, event: Prompt.Submitted) -> None:
        """Go to the first place."""
        self._needle = event.text
        self.query_one(TextPane).highlight(event.text)
        event.prompt.close()
        self.set_focus(self.query_one(TextPane))
        self._go(self.query_one(TextPane).cursor, 1)

    @on(Prompt.Cancelled)
    def stay(self) -> None:
        """Nothing was looked for."""
        self.set_focus(self.query_one(TextPane))

    def action_found(self, step: int) -> None:
        """The next or previous place."""
        pane = self.query_one(TextPane)
        self._go(pane.cursor + step, step)

    def _go(self, line: int, step: int) -> None:
        if not self._needle:
            return
        found = find_line(self._source, self._needle, line, step)
        if found is None:
            found = find_line(self._source, self._needle, 0 if step > 0 else self._source.count - 1, step)
        self.query_one(Panel).set_note(Text(f"not found: {safe(self._needle, 30)}", "notice") if found is None else "")
        if found is not None:
            self.query_one(TextPane).jump_to(found)


def key_line(pairs: Sequence[tuple[str, str]], width: int) -> Text:
    """Keys and what they do, as many as fit whole."""
    line = Text(" ")
    for key, label in pairs:
        if line.cell_len + len(key) + 1 + len(label) > width:
            break
        line.append(key, "accent bold").append(f" {label}   ", "label")
    line.rstrip()
    return line


def find_line(source: LineSource, needle: str, line: int, step: int) -> int | None:
    """The next line from `line` on (or before it) that holds `needle`, whatever its case."""
    if isinstance(source, LongText):
        return source.find(needle, max(0, line if step > 0 else line + 1), backwards=step < 0)
    sought = needle.casefold()
    lines = range(max(0, line), source.count) if step > 0 else range(min(line, source.count - 1), -1, -1)
    return next((at for at in lines if sought in _plain(source.line(at)).casefold()), None)


def _plain(line: Text | str) -> str:
    return line if isinstance(line, str) else line.plain


def reading(title: Text, lines: Sequence[Text], glyphs: Glyphs, hang: int = 0) -> ReadingScreen:
    """A reading screen over lines that are there already; what wraps goes on at `hang`."""
    return ReadingScreen(title, Lines(lines, hang=hang), glyphs)
