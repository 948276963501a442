"""The mutation sweep: which measure is blind to which mistake. Enter on a cell gives its runs, Esc leads back."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import ClassVar

from rich.text import Text
from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from agent_tui.bundles import Bundle
from agent_tui.bundles.sweeping import sweep_rows
from agent_tui.scoring.sweep import Sweep
from agent_tui.tui.present.sweep import (
    SweepMatrix,
    behind_line,
    cell_line,
    facts_line,
    sweep_matrix,
    word_lines,
)
from agent_tui.tui.screens.leaving import LeavingScreen
from agent_tui.tui.theme import UNICODE, Glyphs
from agent_tui.tui.widgets.line_bar import LineBar
from agent_tui.tui.widgets.matrix import MatrixView
from agent_tui.tui.widgets.panel import Panel
from agent_tui.tui.widgets.vtext import Lines, TextPane

_SLICE = 0.03
"""Seconds of sweeping between two looks at the keyboard."""
_SHOW = 0.5
"""Seconds between two looks at the numbers; the first one comes sooner."""
_KEYS = (("Esc", "back"), ("Enter", "the runs of a cell"), ("arrows", "cell"), ("PgDn", "more words"))
_ROOMY = 30
"""Lines from which on some may be blank."""


class SweepScreen(LeavingScreen[tuple[int, ...] | None]):
    """Fills a sweep of a bundle and shows it; whoever pushes it again with the same sweep goes on with it.

    Leaves with the rows behind a cell, those with a missed mutant first, or with None.
    """

    CSS_PATH = "sweep.tcss"
    AUTO_FOCUS = "#matrix"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "leave", "back", id="move.back"),
        Binding("pagedown", "turn(1)", "words", id="move.page_down"),
        Binding("pageup", "turn(-1)", "words", id="move.page_up"),
    ]

    def __init__(self, bundle: Bundle, sweep: Sweep, glyphs: Glyphs = UNICODE) -> None:
        super().__init__()
        self._bundle = bundle
        self._sweep = sweep
        self._glyphs = glyphs
        self._shown = SweepMatrix(sweep_matrix(sweep, glyphs).matrix, (), ())
        self._going: Iterator[int] | None = None
        self._show_after = 0.0

    @property
    def is_done(self) -> bool:
        """Whether every run was swept."""
        return self._sweep.runs >= len(self._bundle)

    @property
    def under_cursor(self) -> tuple[str, str] | None:
        """Mutation and measure of the cell under the cursor; None where there is no cell yet."""
        row, column = self.query_one(MatrixView).cursor
        if not self._shown.measures:
            return None
        return self._shown.mutations[row], self._shown.measures[column]

    def compose(self) -> ComposeResult:
        """A panel with the matrix, the cell under the cursor and the words, and a footer."""
        words = TextPane(cursor=False, glyphs=self._glyphs, id="words")
        words.can_focus = False
        yield Panel(
            LineBar(lambda width: facts_line(self._bundle, self._sweep, width), id="facts"),
            MatrixView(glyphs=self._glyphs, id="matrix"),
            LineBar(self._cell, id="cell"),
            LineBar(self._behind, id="behind"),
            words,
            title="Mutation sweep",
            note="which measure is blind to what",
            glyphs=self._glyphs,
        )
        yield LineBar(self._footer, style="bar", id="footer")

    def on_mount(self) -> None:
        """Show what is there, and go on with the rest."""
        self._show()
        if not self.is_done:
            self._going = sweep_rows(self._bundle, self._sweep)
            self._show_after = time.monotonic() + _SLICE
            self._later()

    def on_resize(self, event: events.Resize) -> None:
        """Leave lines blank where there is room, and break the words for the width."""
        self.set_class(event.size.height >= _ROOMY, "-roomy")
        self.call_after_refresh(self._show_words)

    def _later(self) -> None:
        self.set_timer(0.001, self._slice)

    def _slice(self) -> None:
        """Sweep for a moment; then let keys be answered."""
        if self._going is None:
            return
        until = time.monotonic() + _SLICE
        for _ in self._going:
            if time.monotonic() > until:
                self._later()
                break
        else:
            self._going = None
        if self._going is None or time.monotonic() > self._show_after:
            self._show()

    def _show(self) -> None:
        """Draw the numbers as of now; the cursor stays on its mutation and measure."""
        at = self.under_cursor
        self._shown = sweep_matrix(self._sweep, self._glyphs)
        self.query_one(MatrixView).show(self._shown.matrix, self._shown.place(*at) if at else None)
        self._show_words()
        for bar in self.query(LineBar):
            bar.redraw()
        self._show_after = time.monotonic() + _SHOW

    def _show_words(self) -> None:
        words = self.query_one(TextPane)
        lines = word_lines(self._sweep, (words.size.width or self.app.size.width) - 1, done=self.is_done)
        words.show(Lines(lines), words.cursor)

    def _cell(self, width: int) -> Text:
        at = self.under_cursor
        return cell_line(self._sweep, *at) if at else Text("")

    def _behind(self, width: int) -> Text:
        at = self.under_cursor
        return behind_line(self._bundle, self._sweep, *at) if at else Text("")

    def _footer(self, width: int) -> Text:
        line = Text(" ")
        for key, label in _KEYS:
            line.append(key, "accent bold").append(f" {label}   ", "label")
        return line

    @on(MatrixView.CellHighlighted)
    def tell_cell(self) -> None:
        """Say what stands under the cursor."""
        for bar in self.query(LineBar):
            bar.redraw()

    @on(MatrixView.CellSelected)
    def open_cell(self) -> None:
        """Leave with the rows behind the cell, where there are any."""
        at = self.under_cursor
        rows = self._sweep.rows_behind(*at) if at else ()
        if rows:
            self._leave(rows)

    def action_turn(self, pages: int) -> None:
        """Turn the words by a page."""
        words = self.query_one(TextPane)
        if pages > 0:
            words.action_page_down()
        else:
            words.action_page_up()

    def action_leave(self) -> None:
        """Leave without rows; a sweep that is not done stays as far as it is."""
        self._leave(None)

    def _leave(self, rows: tuple[int, ...] | None) -> None:
        self._going = None
        self.dismiss(rows)
