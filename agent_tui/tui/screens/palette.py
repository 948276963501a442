"""Every action by what it does: a line to type into, and below it the actions that what was typed may mean."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import ModalScreen
from textual.widgets import Input

from agent_tui.tui.actions import ACTIONS, MOVE, Action, shown_keys
from agent_tui.tui.present.found_actions import found_actions
from agent_tui.tui.screens.leaving import LeavingScreen
from agent_tui.tui.theme import Glyphs
from agent_tui.tui.widgets.panel import Panel
from agent_tui.tui.widgets.vtext import Lines, TextPane

_KEYS = 10
"""Cells of the column of keys; what wraps goes on below the sentence."""


def offered() -> list[Action]:
    """What can be done from anywhere; moving comes last, everybody has keys for it."""
    actions = [action for action in ACTIONS if action.home in ("main", "app") and action.id != "palette"]
    return sorted(actions, key=lambda action: action.group == MOVE)


class PaletteScreen(LeavingScreen[Action | None], ModalScreen[Action | None]):
    """Enter gives the action under the cursor, Esc gives none."""

    CSS_PATH = "palette.tcss"
    AUTO_FOCUS = "Input"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "back", id="move.back"),
        Binding("down", "move('cursor_down')", show=False),
        Binding("up", "move('cursor_up')", show=False),
        Binding("pagedown", "move('page_down')", show=False),
        Binding("pageup", "move('page_up')", show=False),
    ]

    def __init__(self, keys: Mapping[str, str], glyphs: Glyphs) -> None:
        super().__init__()
        self._glyphs = glyphs
        self._keys = keys
        self._all = self._shown = offered()

    def compose(self) -> ComposeResult:
        """A panel with the line to type into and the actions."""
        entry = Input(compact=True, select_on_focus=False, placeholder="type what to do")
        entry.cursor_blink = False
        empty = " nothing does that"
        pane = TextPane(self._lines(), wrap=True, pointer=True, empty=empty, glyphs=self._glyphs, id="actions")
        pane.can_focus = False
        yield Panel(entry, pane, title="What to do", note="Enter does it, Esc leaves", glyphs=self._glyphs)

    def _lines(self) -> Lines:
        return Lines([_line(action, self._keys) for action in self._shown], hang=_KEYS)

    @on(Input.Changed)
    def narrow(self, event: Input.Changed) -> None:
        """Keep the actions that have every word that is typed, the likeliest first."""
        shown = found_actions(self._all, event.value, self._keys)
        if shown != self._shown:
            self._shown = shown
            self.query_one(TextPane).show(self._lines())

    def action_move(self, how: str) -> None:
        """Move in the list while the line keeps the focus."""
        getattr(self.query_one(TextPane), f"action_{how}")()

    def action_leave(self) -> None:
        """Leave without an action."""
        self.dismiss(None)

    @on(Input.Submitted)
    @on(TextPane.LineSelected)
    def take(self) -> None:
        """Leave with the action under the cursor."""
        if self._shown:
            self.dismiss(self._shown[self.query_one(TextPane).cursor])


def _line(action: Action, keys: Mapping[str, str]) -> Text:
    """The key and what it does."""
    line = Text(f"{shown_keys(keys.get(action.id, action.keys)):<{_KEYS}}", "accent").append(action.sentence, "text")
    return line.append("  (comes next)", "label") if action.comes_next else line
