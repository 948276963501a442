"""The app: themes, keys, signals, how it ends. Parts of it read bundles; the session says what is looked at."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import os
import signal
import sys
import traceback
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from rich.text import Text
from textual import events, on, work
from textual.binding import Binding, BindingType

from agent_tui.bundles import Bundle
from agent_tui.errors import Broken, NothingReadable
from agent_tui.tui.actions import Action, actions_of
from agent_tui.tui.config import Config
from agent_tui.tui.in_turn import InTurn, apart
from agent_tui.tui.loader import Batch, Grown, LoadFailed, Opening, StartAgain, load_in_thread
from agent_tui.tui.loading import QUIET, Loading
from agent_tui.tui.mending import Mending
from agent_tui.tui.output import LeanApp
from agent_tui.tui.places import Places
from agent_tui.tui.present.words import safe
from agent_tui.tui.screens.main import MainScreen
from agent_tui.tui.session import Session
from agent_tui.tui.settings import Place, Settings
from agent_tui.tui.slow_work import unwanted
from agent_tui.tui.terminal import Terminal, read_terminal
from agent_tui.tui.theme import NO_COLOUR, THEMES
from agent_tui.tui.unfinished import Unfinished

# Here and in what this imports, functions load what the first screen can do without: half of a start is loading.
if TYPE_CHECKING:
    from agent_tui.tui.growing import FileGone, FileLost, Grew, NotFollowed
    from agent_tui.tui.reloading import Reloading
    from agent_tui.tui.rereading import NotReread, Reread

_BLANK = 0.1
"""Seconds that the first rows are waited for before anything is drawn."""
_SWITCH = 0.001
"""Seconds that the reading thread may keep Python for itself while a key waits."""
_NEW_OBJECTS = 50_000
"""Objects made between two looks for cycles: reading makes many and no cycles, and each look costs a third of it.
Between a key and its paint a look at fewer costs as much as the paint."""


class AgentTui(LeanApp[int]):
    """Opens a bundle and shows it."""

    TITLE = "agent-tui"
    ENABLE_COMMAND_PALETTE = False  # ours is a screen of its own
    CSS_PATH: ClassVar = ["app.tcss", "screens/main.tcss"]
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
        follow_cursor: bool | None = None,
        resume: bool = False,
    ) -> None:
        super().__init__()
        self.animation_level = "none"
        self.opening = opening
        self.settings = settings if settings is not None else Settings()
        self.config = config if config is not None else Config()
        self._chosen_keys = frozenset(key for keys in self.config.keys.values() for key in keys.split(","))
        self.terminal = terminal if terminal is not None else read_terminal(os.environ)
        self.lean = self.lean and self.config.view.lean
        self.knows_utf8 = self.terminal.utf8
        self.is_far = self.terminal.remote
        self.set_class(self.is_far, "-remote")
        self.is_loaded = asyncio.Event()
        """Whether all is read, or nothing more will be."""
        self._follow_cursor = follow_cursor
        self._weights = weights
        self.places = Places(self, Place(measure=measure or "", filter=filter_text), resume=resume)
        self.loading = Loading(self)
        self.mending = Mending(self)
        self.unfinished = Unfinished(self)
        self.in_turn = InTurn(self, super().on_event)
        self.last_words: str | None = None
        """Why the app ended by itself; None where the user ended it."""
        for each in (*THEMES, NO_COLOUR):
            self.register_theme(each)
        self.theme = NO_COLOUR.name if self.no_color else theme or self._usual_theme()
        self.main = MainScreen(self.new_session(), self.terminal.glyphs)
        if self.settings.columns:
            self.main.runs.rows.shown = tuple(self.settings.columns)

    @cached_property
    def reloading(self) -> Reloading:
        """What looks after the files of the bundle."""
        from agent_tui.tui.reloading import Reloading

        return Reloading(self)

    def _usual_theme(self) -> str:
        remembered = self.settings.theme if self.terminal.colours in ("256", "truecolor") else None
        return remembered if remembered in {theme.name for theme in THEMES} else self.terminal.theme

    def new_session(self) -> Session:
        """A session over nothing yet."""
        bundle = Bundle()
        bundle.shows_changed = True
        return Session(bundle, measure=self.places.wanted.measure or "exact", weights=self._weights)

    @property
    def bundle(self) -> Bundle:
        """What is open."""
        return self.main.session.bundle

    @property
    def follows_cursor(self) -> bool:
        """Whether the trajectory follows the cursor; over SSH only where the user said so."""
        said = (self._follow_cursor, self.config.view.follow_cursor, self.settings.follow_cursor)
        return next((choice for choice in said if choice is not None), not self.terminal.remote)

    def on_mount(self) -> None:
        """Leave the terminal as it was when we are told to end; then start reading."""
        super().on_mount()
        sys.setswitchinterval(_SWITCH)
        gc.set_threshold(_NEW_OBJECTS)
        if not gc.isenabled():
            self.set_timer(QUIET, _look_for_cycles)
        for name in ("SIGHUP", "SIGTERM", "SIGQUIT"):
            if hasattr(signal, name) and not self.is_headless:
                number = getattr(signal, name)
                asyncio.get_running_loop().add_signal_handler(number, self._leave, 128 + number)
        if self.config.keys:
            self.set_keymap(self.config.keys)
        self.hold_first_frame(_BLANK)
        self.loading.read()

    async def on_event(self, event: events.Event) -> None:
        """Take down what is typed, before anybody has it."""
        is_new = isinstance(event, events.InputEvent | events.Paste) and not event.is_forwarded
        if not is_new:
            await super().on_event(event)
            return
        for typed in apart(event, self._chosen_keys):
            if self.unfinished.takes(typed):
                await self.in_turn.take(typed)

    def get_default_screen(self) -> MainScreen:
        """The screen below all others."""
        return self.main

    # Reading

    @work(thread=True, exclusive=True, group="reading")
    def read_in_thread(self, opening: Opening, bundle: Bundle) -> None:
        """The thread's half: compute and post."""
        # By way of the screen, which takes messages once it stands.
        load_in_thread(opening, bundle, self.main.post_message, unwanted())

    @on(Batch)
    def take_batch(self, event: Batch) -> None:
        """Show some more of the bundle."""
        self.loading.take(event)

    @on(Grown)
    def take_grown(self, event: Grown) -> None:
        """Show as much of the index as there is."""
        self.loading.grow(event)

    @on(StartAgain)
    def start_again(self, event: StartAgain) -> None:
        """Read the bundle anew."""
        self.mending.start_again(event)

    @on(LoadFailed)
    def fail(self, event: LoadFailed) -> None:
        """Tell the reason."""
        self.loading.fail(event)

    def open_path(self, path: str) -> None:
        """Open a file or a folder. Raises `NothingReadable` where there is none."""
        found = Path(path).expanduser()
        if not found.exists():
            raise NothingReadable(f"{path}: there is no such file or folder")
        opening = Opening((str(found),), limits=self.config.limits.limits)
        self.main.changing.once_kept(partial(self.loading.open, opening), "open another")

    # Reading again

    def reload(self) -> None:
        """Read the files again, and show them as they are, whole or not."""
        self.reloading.force()

    def on_reread(self, event: Reread) -> None:
        """Show what was read again."""
        self.reloading.show(event)

    def on_not_reread(self, event: NotReread) -> None:
        """Keep what is shown."""
        self.reloading.keep(event)

    def on_grew(self, event: Grew) -> None:
        """Show what came into a file that is being written."""
        self.reloading.grow(event)

    def on_file_gone(self, event: FileGone) -> None:
        """Say that the file is not there, or is back."""
        self.reloading.tell_gone(event)

    def on_file_lost(self, event: FileLost) -> None:
        """Read what the file is now."""
        self.reloading.lose(event)

    def on_not_followed(self, event: NotFollowed) -> None:
        """Read the file again whenever it changes."""
        self.reloading.leave(event)

    # Commands

    def next_theme(self) -> None:
        """The next theme, remembered."""
        if self.no_color:
            self.main.say("NO_COLOR is set: there is one theme")
            return
        names = [theme.name for theme in THEMES]
        at = names.index(self.theme) if self.theme in names else 0
        self.theme = names[(at + 1) % len(names)]
        self.settings.theme = self.theme
        self.main.say(f"theme {self.theme.removeprefix('agent-')}")

    def action_help(self) -> None:
        """Every key, every mark, every matcher."""
        if self.screen is self.main:
            from agent_tui.tui.present.help import HANG, help_lines
            from agent_tui.tui.screens.reading import reading

            lines = help_lines(self.terminal.glyphs, self.config.keys)
            self.push_screen(reading(Text("Help", "title"), lines, self.terminal.glyphs, HANG))

    def action_help_quit(self) -> None:
        """What ctrl+c does: people press it to leave, and would be sorry."""
        self.main.say("q quits")

    async def action_quit(self) -> None:
        """Quit; where changes would be dropped, ask first."""
        self.main.changing.once_kept(partial(self._leave, 0), "quit")

    def _leave(self, status: int) -> None:
        try:
            self.places.remember()
        finally:
            self.exit(status)

    def action_command_palette(self) -> None:
        """Every command by name."""
        if self.screen is self.main:
            from agent_tui.tui.screens.palette import PaletteScreen

            self.push_screen(PaletteScreen(self.config.keys, self.terminal.glyphs), self._do)

    async def _do(self, action: Action | None) -> None:
        if action is not None:
            await (self if action.home == "app" else self.main).run_action(action.call)

    # When the index turns out to be damaged

    def _handle_exception(self, error: Exception) -> None:
        if not self.mending.meets(error):
            super()._handle_exception(error)

    def copy(self, opening: Opening) -> AgentTui:
        """An app that has begun nothing yet, to open something and look at it as this one does."""
        app = AgentTui(
            opening,
            weights=self._weights,
            settings=self.settings,
            config=self.config,
            terminal=self.terminal,
            theme=self.theme,
            follow_cursor=self._follow_cursor,
        )
        app.places.wanted, app.places.offered = self.places.wanted, None
        return app

    def end_at_once(self, status: int | None = None, reason: str | None = None) -> None:
        """End, whatever is still to be done; with a reason, where it is not to go on."""
        if reason is not None:
            self.last_words, self._return_code = reason, status
        self._close_messages_no_wait()

    # When our own code fails

    def _fatal_error(self) -> None:
        """End with one line: a traceback would show text of the runs, raw. A log has it, where one is asked for."""
        kind, error, trace = sys.exc_info()
        log = os.environ.get("AGENT_TUI_LOG")
        if log:
            with contextlib.suppress(OSError), open(log, "a", encoding="utf-8", errors="backslashreplace") as file:
                traceback.print_exception(kind, error, trace, file=file)
        told = f"details are in {log}" if log else "AGENT_TUI_LOG=FILE keeps the details"
        where = kind.__name__ if kind else "error"
        said = f"this is a bug in agent-tui: {where}: {safe(str(error), 120)} ({told})"
        self.end_at_once(Broken.exit_status, said)


def _look_for_cycles() -> None:
    """Look for cycles again, but not among what was loaded: that stays, and to look at it takes as long as a paint."""
    gc.freeze()
    gc.enable()
