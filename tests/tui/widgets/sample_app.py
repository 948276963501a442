"""An app for the widgets' tests: a million rows, a pane beside them, a line to type into."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.widget import Widget

from agent_tui.tui.output import LeanApp
from agent_tui.tui.theme import THEMES
from agent_tui.tui.widgets.columns import Column
from agent_tui.tui.widgets.paint import Line
from agent_tui.tui.widgets.panel import Panel
from agent_tui.tui.widgets.vtable import VirtualTable
from agent_tui.tui.widgets.vtext import Lines, TextPane

COLUMNS = (
    Column("run", 8),
    Column("asks", 16, share=1),
    Column("calls", 5, align="right", rank=3),
    Column("exact", 8),
    Column("gap", 10, rank=1),
    Column("judge", 5, rank=4),
)
HOSTILE = "\x1b]0;owned\x07\x1b[2J\x9b31m\x1b]52;c;aGk=\x07\x00\r\u202e"


class Rows:
    """Rows that depend on their number only, and on the matcher."""

    def __init__(self, count: int = 1_000_000) -> None:
        self.count = count
        self.matcher = 0
        self.asked: list[int] = []

    def cells(self, row: int) -> Sequence[Line]:
        """Every third row fails, which one depends on the matcher."""
        self.asked.append(row)
        failed = (row + self.matcher) % 3 == 0
        verdict = Text.assemble(("✗ ", "fail bold"), ("args", "fail")) if failed else Text("✓", "pass")
        asks = f"refund {row * 7919 % 10007} of the hotel in {'Rome' if row % 2 else 'Oslo'}"
        return [f"R{row}", asks, "2/2", verdict, Text("name-only" if failed else "", "notice"), "·"]


class WidgetApp(LeanApp[None]):
    """Shows the widgets it is given."""

    animation_level = "none"

    def __init__(self, *widgets: Widget, theme: str = "agent-dark") -> None:
        super().__init__()
        for known in THEMES:
            self.register_theme(known)
        self.theme = theme
        self._widgets = widgets
        self.heard: list[object] = []

    def compose(self) -> ComposeResult:
        """The widgets, in order."""
        yield from self._widgets

    def lines(self) -> list[str]:
        """The screen as text."""
        return [strip.text.rstrip() for strip in self.screen._compositor.render_strips()[: self.size.height]]


class Explorer(WidgetApp):
    """The layout of the explorer in small, to be measured from outside."""

    BINDINGS: ClassVar[list[BindingType]] = [
        ("m", "matcher", "matcher"),
        ("x", "hostile", "hostile"),
        ("q", "quit", ""),
    ]
    CSS = "#card { width: 40; } #table { width: 1fr; }"

    def __init__(self) -> None:
        self.rows = Rows()
        self.table = VirtualTable(COLUMNS, self.rows)
        self.pane = TextPane(Lines([Text.assemble(("exact  ", "title"), ("3/6 ", "label"), (".500", "number"))]))
        super().__init__()
        self.lean = not os.environ.get("PLAIN_OUTPUT")

    def compose(self) -> ComposeResult:
        """A scorecard and the runs."""
        with Horizontal():
            yield Panel(self.pane, title="Scorecard", note="1", id="card")
            yield Panel(self.table, title="Runs", note="2", id="table")

    def on_mount(self) -> None:
        """The table has the keys."""
        self.table.focus()

    def action_matcher(self) -> None:
        """Another matcher: what every row says changes."""
        self.rows.matcher += 1
        self.table.rows_changed()
        self.query_one("#table", Panel).set_note(f"matcher {self.rows.matcher}")

    def action_hostile(self) -> None:
        """Text that nobody made safe, in every place that shows text."""
        self.pane.show(Lines([f"{HOSTILE}pane", Text(f"{HOSTILE}styled", "fail")]))
        self.table.set_columns([Column(f"{HOSTILE}head", 20), *COLUMNS[1:]])
        self.query_one("#table", Panel).set_title(f"{HOSTILE}[/]title")
        self.notify(f"{HOSTILE}note", markup=False, timeout=600)


if __name__ == "__main__":
    Explorer().run(mouse=False)
