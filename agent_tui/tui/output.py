"""Writes to the terminal what changed on the screen, and never more than the line can carry.

Textual writes each repainted region whole and queues frame after frame. `LeanApp` keeps the screen as a grid of cells,
writes the cells that differ, and waits while the last frame is still on its way: the newest state always arrives, those
in between need not. It is the last gate too: no control character of a text passes. Where Textual's inner names have
moved, or with `lean` off, Textual writes by itself.
"""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from threading import Thread
from typing import IO, TYPE_CHECKING, Any

from msgspec import Struct
from rich.color import ColorSystem
from rich.console import COLOR_SYSTEMS, Console, ConsoleOptions
from rich.segment import Segment
from textual import events, messages
from textual.app import App, ReturnType
from textual.driver import Driver
from textual.filter import LineFilter, NoColor
from textual.geometry import Offset
from textual.message import Message
from textual.screen import Screen
from textual.timer import Timer
from textual.widgets import Input

from agent_tui.tui.cells import PUT_DOWN, Grid
from agent_tui.tui.in_flight import InFlight
from agent_tui.tui.terminal import read_terminal
from agent_tui.tui.widgets.paint import ascii_only, inert

try:
    from textual._compositor import ChopsUpdate, LayoutUpdate
    from textual.drivers.linux_driver import LinuxDriver
except ImportError:  # another Textual, or no terminal of this kind: Textual writes by itself
    SUPPORTED = False
else:
    SUPPORTED = True

if TYPE_CHECKING:
    from rich.console import RenderableType

RETRY = 0.03
"""Seconds until a frame that was held back is tried again."""
SETTLED = 0.1
"""Seconds that a new size has to last before anything is laid out for it: a window that is dragged has many."""
ANSWERED = 2.0
"""Seconds that the end waits for an answer of the terminal."""
FRESH = 2.0
"""Seconds from the start in which a terminal may tell its size once more."""
NO_COLOURS = NoColor()
CLEAR = "\x1b[H\x1b[J"
SYNC_START, SYNC_END = "\x1b[?2026h", "\x1b[?2026l"


class LeanApp(App[ReturnType]):
    """An app that writes differences; `lean` switches that on and off while it runs."""

    lean: bool = SUPPORTED
    knows_utf8 = True
    """Whether the terminal can show more than ASCII."""
    is_far = False
    """Whether the terminal is at the end of a connection, which takes more than its line carries."""
    _is_known = SUPPORTED
    """Whether updates of the screen look as they do in the Textual that this was written for."""
    _grid: Grid | None = None
    _held = False
    _last_place: Offset | None = None
    _holding: Timer | None = None
    _resizing: Timer | None = None
    _settled: events.Resize | None = None
    _is_sized = False
    _sized_at = 0.0
    _held_back: contextlib.ExitStack | None = None

    def on_mount(self) -> None:
        """Start from nothing when the terminal comes back from another program."""
        self.app_resume_signal.subscribe(self, lambda _: self.redraw())

    def on_resize(self, event: events.Resize) -> None:
        """Take a size once it lasts, the first one at once. After others the terminal shows nobody knows what."""
        if event is self._settled:
            self._settled = None
            if event.size == self.size:
                self.redraw()
        elif self._is_sized and not self.is_headless:
            event.prevent_default()
            is_new = self._resizing is not None or event.size != self.size
            if is_new or time.monotonic() - self._sized_at > FRESH:  # a smaller size may have come and gone
                self._wait_for_size(event)
        if not self._is_sized:
            self._is_sized, self._sized_at = True, time.monotonic()

    def _wait_for_size(self, event: events.Resize) -> None:
        if self._resizing is not None:
            self._resizing.stop()
        self._resizing = self.set_timer(SETTLED, partial(self._settle, event))

    def _settle(self, event: events.Resize) -> None:
        self._resizing = None
        self._settled = events.Resize(event.size, event.virtual_size, event.container_size, event.pixel_size)
        self.post_message(self._settled)

    def hold_first_frame(self, seconds: float) -> None:
        """Draw nothing until `show_first_frame` is called, at most so long: panes without rows need no frame."""
        self._held_back = contextlib.ExitStack()
        self._held_back.enter_context(self.batch_update())
        self.set_timer(seconds, self.show_first_frame)

    def show_first_frame(self) -> None:
        """Draw what is there by now."""
        if self._held_back is not None:
            self._held_back.close()
            self._held_back = None
            self.screen.refresh(layout=True)

    def redraw(self) -> None:
        """Write the whole screen again, whatever the terminal shows now."""
        self._grid = None
        self.screen.refresh()

    def get_line_filters(self) -> Sequence[LineFilter]:
        """The filters of a line; NO_COLOR drops colours, where Textual would make greys of those of the terminal."""
        if not self.no_color:
            return super().get_line_filters()
        return [NO_COLOURS]

    def refresh_css(self, animate: bool = True) -> None:
        """Take the theme's colours; before there is a screen nothing has to be parsed for that, or drawn."""
        if self._screen_stack:
            super().refresh_css(animate)
        else:
            self.stylesheet.set_variables(self.get_css_variables())

    def get_driver_class(self) -> type[Driver]:
        """The driver for this terminal, able to say whether it is still writing."""
        found = super().get_driver_class()
        return _watched(found) if SUPPORTED and found is LinuxDriver else found

    def _display(self, screen: Screen[Any], renderable: RenderableType | None) -> None:
        if renderable is None or not self._is_on_terminal:
            super()._display(screen, renderable)
        elif self.lean and self._is_known and isinstance(renderable, LayoutUpdate | ChopsUpdate):
            self._is_known = self._take(renderable)
            if self._is_known:
                self._write_changes()
                self.post_display_hook()
            else:
                self._display(screen, renderable)
        else:
            self._let_go()
            super()._display(screen, _Inert(renderable, inert if self.knows_utf8 else ascii_only))

    def _let_go(self) -> None:
        """Leave the terminal to Textual, with no pen in its hand."""
        if self._grid is not None and self._driver is not None:
            self._driver.write(PUT_DOWN)
        self._grid = None

    @property
    def _is_on_terminal(self) -> bool:
        """Whether Textual would write now: running, not in a batch of updates, on the alternate screen."""
        driver = self._driver
        ready = self._running and not self._closed and not self._batch_count
        return ready and not self.is_headless and driver is not None and not driver.is_inline

    def _take(self, update: LayoutUpdate | ChopsUpdate) -> bool:
        """Put an update of Textual's into the grid; False if updates look different in this version."""
        width, height = self.size
        if self._grid is None or (self._grid.width, self._grid.height) != (width, height):
            self._grid = Grid(width, height, erases=read_terminal(os.environ).erases)
        system = COLOR_SYSTEMS.get(self.console.color_system or "truecolor", ColorSystem.TRUECOLOR)
        try:
            for x, y, segments in _pieces(update):
                self._grid.put(x, y, segments if self.knows_utf8 else _ascii(segments), system)
        except (AttributeError, KeyError, TypeError, ValueError):
            return False
        return True

    def hold(self, seconds: float) -> None:
        """Write nothing for a moment from now on: what is drawn until then goes out as one frame."""
        if self._holding is not None:
            self._holding.stop()
        self._holding = self.set_timer(seconds, self._release)

    def _release(self) -> None:
        self._holding = None
        self._try_again()

    def _write_changes(self) -> None:
        driver = self._driver
        if self._grid is None or driver is None or self._held or self._holding is not None:
            return
        in_flight: InFlight | None = getattr(driver, "in_flight", None) if self.is_far else None
        if getattr(driver, "is_writing", False) or (in_flight is not None and self._is_full(in_flight)):
            self._held = True
            self.set_timer(RETRY, self._try_again)
            return
        written = self._grid.changes()
        # Who types sees candidates of an input method at the cursor; all others see none.
        place = self.screen.outer_size.clamp_offset(self.cursor_position) if self._is_typing else None
        if written or place != self._last_place:
            self._last_place = place
            written += "" if place is None else f"\x1b[{place.y + 1};{place.x + 1}H"
            if self._sync_available:
                written = f"{SYNC_START}{written}{SYNC_END}"
                written += "" if in_flight is None else in_flight.question(len(written.encode()))
            driver.write(written)
            driver.flush()

    def _is_full(self, in_flight: InFlight) -> bool:
        """Whether the line has enough to carry; asks how far it is where nobody has."""
        if not in_flight.is_full:
            return False
        if self._driver is not None and (question := in_flight.question(0)):
            self._driver.write(question)
            self._driver.flush()
        return True

    def on_terminal_supports_synchronized_output(self) -> None:
        """The terminal has answered: what was written before it was asked has arrived."""
        if self._held:
            self._try_again()

    @property
    def _is_typing(self) -> bool:
        return isinstance(self.focused, Input)

    def _try_again(self) -> None:
        self._held = False
        if self.is_running and self.screen_stack:
            self._write_changes()


def _pieces(update: LayoutUpdate | ChopsUpdate) -> Iterator[tuple[int, int, Iterable[Segment]]]:
    """What an update draws, as (x, y, segments)."""
    if isinstance(update, LayoutUpdate):
        for y, strips in enumerate(update.strips, update.region.y):
            yield update.region.x, y, [segment for strip in strips for segment in strip]
    else:
        # Outside the spans a line may hold what lies beneath: a widget there was not asked to draw.
        for y, start, stop in update.spans:
            for end, (x, strip) in zip(update.chop_ends[y], update.chops[y].items(), strict=False):
                if strip is not None and x < stop and end > start:
                    yield x, y, strip.crop(0, min(end, stop) - x)


class _Inert(Struct, frozen=True):
    """What Textual draws, with every text made inert."""

    drawn: RenderableType
    gate: Callable[[str], str]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Segment]:
        for text, style, control in console.render(self.drawn, options):
            yield Segment(text if control or text == "\n" else self.gate(inert(text)), style, control)


def _ascii(segments: Iterable[Segment]) -> Iterator[Segment]:
    return (Segment(ascii_only(inert(text)), style, control) for text, style, control in segments)


def _watched(base: type[Driver]) -> type[Driver]:
    """`base` that outlives any input, with `is_writing`: whether something given to it has not reached the terminal."""

    class WatchedDriver(base):  # type: ignore[misc, valid-type]
        def __init__(self, *args: Any, **options: Any) -> None:
            super().__init__(*args, **options)
            self._given = 0
            self.in_flight = InFlight()
            self._key_thread: Thread | None = None
            self._gauge = _Gauge(_on_terminal(self.__dict__["_file"]))
            self.__dict__["_file"] = self._gauge

        @property
        def is_writing(self) -> bool:
            return self._given != self._gauge.arrived

        def process_message(self, message: Message) -> None:
            """Pass on what was read; an answer says what has arrived."""
            if isinstance(message, messages.TerminalSupportsSynchronizedOutput):
                self.in_flight.arrived()
            super().process_message(message)

        def start_application_mode(self) -> None:
            """Start, unless it runs or is to end: who hangs up continues the program too.

            Two readers of keys do not end, and neither does one that begins when the app has ended.
            """
            self.in_flight.forget()
            is_reading = self._key_thread is not None and self._key_thread.is_alive()
            if not is_reading and not getattr(self._app, "_exit", False):
                super().start_application_mode()

        def stop_application_mode(self) -> None:
            """Put down the pen, clear the screen for a terminal that has no other, and stop.

            An answer that is still on its way would be typed into the shell: it is waited for.
            """
            self.in_flight.wait(ANSWERED)
            self.write(f"{PUT_DOWN}{CLEAR}")
            super().stop_application_mode()

        def run_input_thread(self) -> None:
            """Read keys; bytes that are no UTF-8 are no key, and end nothing."""
            while not self.exit_event.is_set():
                with contextlib.suppress(UnicodeDecodeError):
                    super().run_input_thread()

        def write(self, data: str) -> None:
            self._given += 1
            super().write(data)

    return WatchedDriver


def _on_terminal(file: IO[str] | None) -> IO[str]:
    """Where a screen is drawn: standard error, as Textual has it, or standard output where errors go elsewhere."""
    return file if file is not None and file.isatty() else sys.__stdout__ or sys.stdout


class _Gauge:
    """A file that counts the writes that have left it."""

    def __init__(self, file: IO[str]) -> None:
        self._file = file
        self._written = 0
        self.arrived = 0

    def write(self, text: str) -> int:
        self._written += 1
        return self._file.write(text)

    def flush(self) -> None:
        self._file.flush()
        self.arrived = self._written

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)
