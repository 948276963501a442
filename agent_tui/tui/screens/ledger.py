"""The ledger of a what-if: every change with what noticed it; Enter shows the runs as they were after it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import ModalScreen

from agent_tui.tui.present.ledger import LedgerLine
from agent_tui.tui.screens.leaving import LeavingScreen
from agent_tui.tui.theme import Glyphs
from agent_tui.tui.widgets.panel import Panel
from agent_tui.tui.widgets.vtext import Lines, TextPane


class LedgerScreen(LeavingScreen[int | None], ModalScreen[int | None]):
    """Gives the number of changes to show, or None to leave things as they are."""

    CSS_PATH = "ledger.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,L", "leave", "back", id="move.back"),
        Binding("R,ctrl+r", "revert", "revert all", id="revert"),
    ]

    def __init__(self, lines: Sequence[LedgerLine], position: int, glyphs: Glyphs) -> None:
        super().__init__()
        self._lines = lines
        self._position = position
        self._glyphs = glyphs

    def compose(self) -> ComposeResult:
        """A panel with the changes."""
        lines = Lines([each.line for each in self._lines])
        pane = TextPane(lines, pointer=True, glyphs=self._glyphs, id="changes")
        note = "Enter goes there, R reverts all, Esc leaves"
        yield Panel(pane, title=Text("Changes", "title"), note=note, glyphs=self._glyphs, id="ledger")

    def on_mount(self) -> None:
        """As high as the list, with the cursor on the last change that is shown."""
        self.query_one("#ledger").styles.height = min(len(self._lines) + 2, self.app.size.height - 4)
        pane = self.query_one(TextPane)
        pane.focus()
        pane.jump_to(self._position)

    def action_leave(self) -> None:
        """Leave things as they are."""
        self.dismiss(None)

    def action_revert(self) -> None:
        """Show what was recorded."""
        self.dismiss(0)

    @on(TextPane.LineSelected)
    def take(self, event: TextPane.LineSelected) -> None:
        """Go to a change."""
        self.dismiss(self._lines[event.line].position)
