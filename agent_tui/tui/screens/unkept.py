"""Changes that are kept nowhere: before they would be dropped, what is to become of them is asked."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from rich.text import Text

from agent_tui.reports.figures import count
from agent_tui.tui.screens.choosing import Choice, ChoosingScreen

if TYPE_CHECKING:
    from agent_tui.tui.screens.main import MainScreen

_STAY, _WRITE, _DROP = "stay", "write", "drop"


class UnkeptScreen(ChoosingScreen):
    """The question; there is one at a time."""


def ask_first(screen: MainScreen, unkept: int, go: Callable[[], None], what: str) -> None:
    """Ask what is to become of so many changes; `what` is what goes on, in words."""
    if isinstance(screen.app.screen, UnkeptScreen):
        return

    def take(chosen: str | None) -> None:
        if chosen == _WRITE:
            screen.action_write()
        elif chosen == _DROP:
            go()

    it = "it" if unkept == 1 else "them"
    choices = [
        Choice(_STAY, Text("stay here", "text")),
        Choice(_WRITE, Text(f"write {it} to a file", "text")),
        Choice(_DROP, Text(f"{what}, and drop {it}", "text")),
    ]
    title = Text(f"{count(unkept, 'change is', 'changes are')} kept nowhere", "notice")
    screen.app.push_screen(UnkeptScreen(title, choices, screen.glyphs), take)
