"""A short list to choose from, over the screen that asks: sort fields, ready filters, columns, recent bundles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from msgspec import Struct
from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import ModalScreen

from agent_tui.tui.screens.leaving import LeavingScreen
from agent_tui.tui.theme import Glyphs
from agent_tui.tui.widgets.panel import Panel
from agent_tui.tui.widgets.vtext import Lines, TextPane


class Choice(Struct, frozen=True):
    """One entry: what is given back, and what is shown."""

    value: str
    line: Text


class ChoosingScreen(LeavingScreen[str | None], ModalScreen[str | None]):
    """Enter gives the value of the entry under the cursor, Esc gives none."""

    CSS_PATH = "choosing.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q", "leave", "back", id="move.back")]

    def __init__(self, title: Text, choices: Sequence[Choice], glyphs: Glyphs, cursor: int = 0) -> None:
        super().__init__()
        self._title = title
        self._choices = choices
        self._glyphs = glyphs
        self._cursor = cursor

    def compose(self) -> ComposeResult:
        """A panel with the entries."""
        lines = Lines([choice.line for choice in self._choices])
        pane = TextPane(lines, pointer=True, glyphs=self._glyphs, id="choices")
        yield Panel(pane, title=self._title, note="Enter takes, Esc leaves", glyphs=self._glyphs, id="choosing")

    def on_mount(self) -> None:
        """As high as the list, but never higher than the screen."""
        self.query_one("#choosing").styles.height = min(len(self._choices) + 2, self.app.size.height - 4)
        pane = self.query_one(TextPane)
        pane.focus()
        pane.jump_to(self._cursor)

    def action_leave(self) -> None:
        """Leave without a choice."""
        self.dismiss(None)

    @on(TextPane.LineSelected)
    def take(self, event: TextPane.LineSelected) -> None:
        """Leave with a choice."""
        self.dismiss(self._choices[event.line].value)
