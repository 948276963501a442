"""What the main screen asks for: a filter, an order, columns, a run to go to, a bundle to open."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from rich.text import Text

from agent_tui.bundles.fields import field_names
from agent_tui.bundles.query import READY_FILTERS, two_meanings
from agent_tui.bundles.samples import sample_paths
from agent_tui.errors import AgentTuiError
from agent_tui.tui.present.runs import COLUMNS, MORE_COLUMNS
from agent_tui.tui.present.words import safe
from agent_tui.tui.screens.choosing import Choice, ChoosingScreen
from agent_tui.tui.widgets.prompt import Prompt

if TYPE_CHECKING:
    from agent_tui.tui.screens.main import MainScreen

_TYPE_A_PATH = ""


class Asking:
    """Opens the prompt or a list, and does what is answered."""

    def __init__(self, screen: MainScreen) -> None:
        self._screen = screen

    @property
    def _prompt(self) -> Prompt:
        return self._screen.query_one(Prompt)

    def ask_search(self) -> None:
        """Ask what to search for."""
        history = self._screen.settings.searches
        self._prompt.ask("search", "/", hint="search everything, as it is written", history=history)

    def ask_filter(self) -> None:
        """Ask for a filter; an empty one offers the ready filters."""
        hint = "exact = fail and calls > 2     empty: ready filters"
        history = self._screen.settings.filters
        self._prompt.ask("filter", "filter", text=self._screen.session.filter_text, hint=hint, history=history)

    def ask_run(self) -> None:
        """Ask where to go."""
        self._prompt.ask("goto", ":", hint="row number or run")

    def ask_path(self) -> None:
        """Ask which bundle to open."""
        self._prompt.ask("open", "open", hint="a file or a folder", history=self._screen.settings.recent)

    def answer(self, kind: str, text: str) -> None:
        """Do what was asked for, or say in the prompt what is wrong with it."""
        answers = {"search": self._search, "filter": self._filter, "goto": self._go, "open": self._open}
        try:
            answers[kind](text.strip() if kind != "search" else text)
        except AgentTuiError as error:
            self._prompt.complain(safe(str(error), 600))
            return
        self._prompt.close()
        if self._screen.focused is None:
            self._screen.set_focus(self._screen.table)

    def check(self, kind: str, text: str) -> None:
        """Say what a filter means, as it is typed, where a name has two meanings."""
        if kind == "filter":
            self._prompt.tell(self._two_meanings(text))

    def _two_meanings(self, text: str) -> str:
        names = two_meanings(self._screen.session.bundle, text)
        return "; ".join(f"{safe(name, 40)} is ours, score.{safe(name, 40)} the recorded one" for name in names)

    def _search(self, text: str) -> None:
        self._screen.search_for(text)

    def _open(self, text: str) -> None:
        if text:
            self._screen.agent_tui.open_path(text)

    def _go(self, text: str) -> None:
        if text:
            bundle = self._screen.session.bundle
            is_number = text.isdecimal() and text not in bundle.table.ids
            self._screen.runs.go_to(bundle.find(f"#{text}" if is_number else text))

    def _filter(self, text: str) -> None:
        if text:
            self._screen.runs.filter_by(text)
            self._screen.settings.remember("filters", text)
            if self._two_meanings(text):
                self._screen.say(self._two_meanings(text))
        elif self._screen.session.is_filtered:
            self._screen.runs.filter_by("")
        else:
            self._offer_filters()

    def _offer_filters(self) -> None:
        choices = [
            Choice(text, Text(f"{name:<29} ", "text").append(text, "label")) for name, text in READY_FILTERS.items()
        ]
        self._choose("Ready filters", choices, self._take_filter)

    def _take_filter(self, text: str | None) -> None:
        if text is not None:
            self._screen.runs.filter_by(text)

    def choose_order(self) -> None:
        """Choose a field to sort by; the one in force again turns the direction."""
        session = self._screen.session
        names = ["", *field_names(session.bundle)]
        shown = {"": "the order of the file"}
        choices = [Choice(name, Text(safe(shown.get(name, name), 60), "text")) for name in names]
        at = names.index(session.sort_field) if session.sort_field in names else 0
        self._choose("Sort by", choices, self._screen.runs.sort_by, at)

    def choose_columns(self) -> None:
        """Show or hide a column."""
        rows, glyphs = self._screen.runs.rows, self._screen.glyphs
        scores = [f"score.{name}" for name in self._screen.session.bundle.table.scores]
        told = rows.told()
        choices = []
        for name in (*COLUMNS[1:], *MORE_COLUMNS, *scores):
            sign = glyphs.passed if name in told else glyphs.nothing
            line = Text(f"{sign} ", "accent").append(safe(name, 40), "text")
            if name in rows.shown and name not in told:
                line.append("  chosen, and hidden while it is empty", "label")
            choices.append(Choice(name, line))
        self._choose("Columns", choices, self._screen.runs.show_column)

    def choose_bundle(self) -> None:
        """Choose a recent bundle or a packaged one, or to type a path."""
        open_now = {os.path.abspath(path) for path in self._screen.agent_tui.opening.paths}
        recent = [path for path in reversed(self._screen.settings.recent) if path not in open_now]
        packaged = [str(path) for path in sample_paths() if str(path) not in open_now]
        paths = list(dict.fromkeys([*recent, *packaged]))
        choices = [Choice(_TYPE_A_PATH, Text("type a path …", "accent"))]
        choices += [Choice(path, _path_line(path, is_packaged=path in packaged)) for path in paths]
        self._choose("Open", choices, self._open_chosen, 1 if paths else 0)

    def _open_chosen(self, path: str | None) -> None:
        if path == _TYPE_A_PATH:
            self.ask_path()
        elif path is not None:
            try:
                self._open(path)
            except AgentTuiError as error:
                self._screen.say(safe(str(error), 200))

    def _choose(self, title: str, choices: list[Choice], take: Callable[[str | None], None], at: int = 0) -> None:
        screen = ChoosingScreen(Text(title, "title"), choices, self._screen.glyphs, at)
        self._screen.app.push_screen(screen, take)


def _path_line(path: str, *, is_packaged: bool) -> Text:
    home = str(Path.home())
    shown = f"~{path.removeprefix(home)}" if path.startswith(f"{home}/") else path
    if is_packaged:
        return Text(safe(Path(path).name, 50), "text").append("  packaged", "label")
    room = 62
    return Text(safe(shown if len(shown) <= room else f"…{shown[-room:]}", room + 2), "text")
