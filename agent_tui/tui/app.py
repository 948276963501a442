"""The app: themes, keys, signals, opening bundles; what is looked at lives in the session, how in the screens."""

from __future__ import annotations

import asyncio
import os
import signal
from typing import ClassVar

from rich.text import Text
from textual import on, work
from textual.binding import Binding, BindingType
from textual.command import CommandPalette
from textual.worker import get_current_worker

from agent_tui.bundles import Bundle
from agent_tui.tui.actions import actions_of
from agent_tui.tui.loader import Batch, LoadFailed, Opening, load_in_thread
from agent_tui.tui.output import LeanApp
from agent_tui.tui.palette import ActionProvider
from agent_tui.tui.present.help import help_lines
from agent_tui.tui.present.words import safe
from agent_tui.tui.screens.choosing import Choice, ChoosingScreen
from agent_tui.tui.screens.main import MainScreen
from agent_tui.tui.screens.reading import reading
from agent_tui.tui.session import Session
from agent_tui.tui.settings import Config, Place, Settings, write_settings
from agent_tui.tui.terminal import Terminal, read_terminal
from agent_tui.tui.theme import THEMES


class AgentTui(LeanApp[int]):
    """Opens a bundle and shows it."""

    TITLE = "agent-tui"
    ENABLE_COMMAND_PALETTE = True
    COMMANDS: ClassVar = {ActionProvider}
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(action.keys, action.call, action.label, show=False, id=action.id, priority=action.id == "suspend")
        for action in actions_of("app")
    ]

    def __init__(
        self,
        opening: Opening,
        *,
        measure: str | None = None,
        filter_text: str = "",
        weights: dict[str, float] | None = None,
        settings: Settings | None = None,
        config: Config | None = None,
        terminal: Terminal | None = None,
        theme: str | None = None,
        resume: bool = False,
    ) -> None:
        super().__init__()
        self.animation_level = "none"
        self.opening = opening
        self.settings = settings if settings is not None else Settings()
        self.config = config if config is not None else Config()
        self.terminal = terminal if terminal is not None else read_terminal(os.environ)
        self.bundle = Bundle()
        self.is_loaded = asyncio.Event()
        self._wanted = Place(measure=measure or "", filter=filter_text)
        self._weights = weights
        if resume:
            self._wanted = self.settings.places.get(self._place_key(), self._wanted)
        for each in THEMES:
            self.register_theme(each)
        self.theme = theme or self.settings.theme or self.terminal.theme
        self.main = MainScreen(self._new_session(), self.terminal.glyphs)

    def _new_session(self) -> Session:
        return Session(self.bundle, measure=self._wanted.measure or "exact", weights=self._weights)

    @property
    def follows_cursor(self) -> bool:
        """Whether the trajectory follows the cursor; over SSH only where the user said so."""
        chosen = self.settings.follow_cursor
        configured = self.config.view.get("follow_cursor")
        if isinstance(configured, bool):
            chosen = configured
        return not self.terminal.remote if chosen is None else chosen

    def on_mount(self) -> None:
        """Leave the terminal as it was when we are told to end; then start reading."""
        super().on_mount()
        loop = asyncio.get_running_loop()
        for name in ("SIGHUP", "SIGTERM"):
            if hasattr(signal, name):
                loop.add_signal_handler(getattr(signal, name), self.exit)
        if self.config.keys:
            self.set_keymap(self.config.keys)
        if self.settings.columns:
            self.main.rows.shown = tuple(self.settings.columns)
        self.push_screen(self.main)
        self.read_bundle()

    # Reading

    def read_bundle(self) -> None:
        """Read what is to be opened, from the start."""
        self.is_loaded.clear()
        self.read_in_thread(self.opening, self.bundle)

    @work(thread=True, exclusive=True, group="reading")
    def read_in_thread(self, opening: Opening, bundle: Bundle) -> None:
        """The thread's half: compute and post."""
        worker = get_current_worker()
        load_in_thread(opening, bundle, self.post_message, lambda: worker.is_cancelled)

    @on(Batch)
    def take_batch(self, event: Batch) -> None:
        """Put what was read into the bundle it belongs to; one that was left meanwhile is dropped."""
        from agent_tui.bundles import add

        if event.bundle is not self.bundle:
            return
        for fact in event.facts:
            add(self.bundle, fact)
        if self.bundle.is_complete:
            self._loaded()
        else:
            self.main.rows_arrived()

    def _loaded(self) -> None:
        if not len(self.bundle):
            problem = str(self.bundle.problems[0]) if self.bundle.problems else "no runs in it"
            self.exit(3, message=None)
            self._last_words = problem
            return
        session = self.main.session
        if not self._wanted.measure:
            session.measure = self.bundle.scorecard().measure
        else:
            session.measure = self._wanted.measure
        if self._wanted.filter:
            session.set_filter(self._wanted.filter)
        if self._wanted.sort:
            session.set_sort(self._wanted.sort, descending=self._wanted.descending)
        self.main.bundle_changed()
        if self._wanted.run:
            self._return_to(self._wanted.run)
        elif self.bundle.problems:
            self._say_problems()
        self.is_loaded.set()

    def _return_to(self, run: str) -> None:
        from agent_tui.errors import AgentTuiError

        try:
            self.main.go_to_row(self.bundle.find(run))
        except AgentTuiError:
            self.main.say(f"{safe(run, 60)} is not there any more")

    def _say_problems(self) -> None:
        from agent_tui.reports.problems import count_problems

        self.main.say(f"{count_problems(self.bundle.problems)}: P lists them")

    @on(LoadFailed)
    def fail(self, event: LoadFailed) -> None:
        """Leave with the reason."""
        if event.bundle is self.bundle:
            self._last_words = event.reason
            self.exit(2)

    _last_words: str | None = None

    @property
    def last_words(self) -> str | None:
        """Why the app ended by itself; None where the user ended it."""
        return self._last_words

    def place(self) -> Place:
        """Where the user is, to come back to."""
        session, row = self.main.session, self.main.row
        return Place(
            run="" if row is None else self.bundle.names.name(row),
            measure=session.measure,
            filter=session.filter_text,
            sort=session.sort_field,
            descending=session.descending,
        )

    def reload(self) -> None:
        """Read the files again and come back to the same place."""
        self._open(self.opening, self.place())
        self.main.say("reading again")

    def _open(self, opening: Opening, place: Place) -> None:
        self.opening, self._wanted = opening, place
        self.bundle = Bundle()
        self.main.session = self._new_session()
        self.main.rows.session = self.main.session
        self.main.table.show(self.main.rows)
        self.read_bundle()

    def choose_bundle(self) -> None:
        """Offer the recent bundles and the packaged ones."""
        from agent_tui.bundles.samples import sample_paths

        recent = [path for path in reversed(self.settings.recent) if path not in self.opening.paths]
        packaged = [str(path) for path in sample_paths()]
        lines = [Choice(path, Text(safe(path, 66), "text")) for path in dict.fromkeys([*recent, *packaged])]
        choosing = ChoosingScreen(Text("Open", "title"), lines, self.terminal.glyphs)
        self.push_screen(choosing, lambda path: None if path is None else self._open(Opening((path,)), Place()))

    # Commands

    def next_theme(self) -> None:
        """The next theme, remembered."""
        names = [theme.name for theme in THEMES]
        at = names.index(self.theme) if self.theme in names else 0
        self.theme = names[(at + 1) % len(names)]
        self.settings.theme = self.theme
        self.main.say(f"theme {self.theme}")

    def action_help(self) -> None:
        """Every key, every mark, every matcher."""
        lines = help_lines(self.terminal.glyphs, self.config.keys)
        self.push_screen(reading(Text("Help", "title"), lines, self.terminal.glyphs))

    async def action_quit(self) -> None:
        """Quit."""
        self.remember()
        self.exit(0)

    def _place_key(self) -> str:
        return os.path.realpath(self.opening.paths[0]) if self.opening.paths else ""

    def remember(self) -> None:
        """Keep the place and what was opened for the next time."""
        for path in self.opening.paths:
            if path != "-":
                self.settings.remember("recent", path)
        key = self._place_key()
        if self.bundle.is_complete and key:
            self.settings.places = dict([*self.settings.places.items(), (key, self.place())][-50:])
        write_settings(self.settings)

    def action_command_palette(self) -> None:
        """Every command by name."""
        if not isinstance(self.screen, CommandPalette):
            self.push_screen(CommandPalette(placeholder="command"))
