"""A terminal at the end of a link: its size, colours and rate; what each key brings over, in bytes, frames and time."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from time import perf_counter

import pyte
from pseudo_terminal import START_OF_FRAME, PseudoTerminal

REPEAT = 1 / 30
"""Seconds between two keys of a key that is held down."""
PATIENCE = 60.0
"""Seconds after which a screen is taken not to come to rest."""
_QUIET, _FIRST = 0.4, 1.0
"""Seconds of silence that end an answer: after some of it came, and before any did."""
_SIXTIETH = 1 / 60
_WHOLE = re.compile(rb"\x1b(\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*\x07|[^\[\]])")
_ALL_READ = re.compile(r"\b([1-9][\d,]*) of \1 *$", re.MULTILINE)
COLOURS: dict[str, dict[str, str]] = {
    "truecolor": {"TERM": "xterm-256color", "COLORTERM": "truecolor"},
    "256": {"TERM": "xterm-256color"},
    "16": {"TERM": "xterm"},
}
REMOTE = {"SSH_CONNECTION": "192.0.2.1 50000 192.0.2.2 22"}


@dataclass(frozen=True, slots=True)
class Answer:
    """What came over the link after a key; `seconds` from the first key to the last byte, None where none came."""

    data: bytes
    seconds: float | None

    @property
    def frames(self) -> list[bytes]:
        """The frames in it."""
        return [START_OF_FRAME + frame for frame in self.data.split(START_OF_FRAME)[1:]]


class Link:
    """One explorer behind a link that carries `rate` bytes a second; 0: as many as come.

    `deep`: what is written does not wait for the link, as over ssh.
    """

    def __init__(
        self,
        arguments: Sequence[str],
        environ: Mapping[str, str],
        width: int = 120,
        height: int = 40,
        rate: int = 0,
        *,
        deep: bool = False,
    ) -> None:
        self._rate = rate
        self._rest = b""
        kept = {name: value for name, value in os.environ.items() if name in ("PATH", "HOME", "LANG", "PYTHONPATH")}
        self._terminal = PseudoTerminal(arguments, {**kept, "LC_ALL": "C.UTF-8", **environ}, width, height, deep=deep)

    def __enter__(self) -> Link:
        return self

    def __exit__(self, *_: object) -> None:
        self._terminal.end()

    @property
    def screen(self) -> pyte.Screen:
        """The screen."""
        return self._terminal.screen

    @property
    def text(self) -> str:
        """The screen as text."""
        return self._terminal.text

    @property
    def cells(self) -> list[tuple[object, ...]]:
        """What can be seen of each cell: a blank shows no foreground."""
        rows = (self.screen.buffer[y] for y in range(self.screen.lines))
        every = (row[x] for row in rows for x in range(self.screen.columns))
        return [
            (cell.data, cell.bg, cell.reverse, *((cell.fg, cell.bold) if cell.data.strip() else ())) for cell in every
        ]

    def start(self) -> Answer:
        """All up to the screen that is at rest and shows that every run is read."""
        return self._take(perf_counter(), lambda: "so far" not in self.text and bool(_ALL_READ.search(self.text)))

    def until(self, shown: Callable[[], bool]) -> float:
        """Seconds from now on until something is shown."""
        began = perf_counter()
        while not shown():
            self._read(_QUIET)
            if perf_counter() - began > PATIENCE:
                raise TimeoutError(f"the screen does not show it:\n{self.text}")
        return perf_counter() - began

    def press(self, keys: str) -> Answer:
        """What comes for keys typed at once, up to the screen that is at rest."""
        began = perf_counter()
        self._terminal.write(keys)
        return self._take(began)

    def hold(self, key: str, times: int) -> Answer:
        """What comes while a key is held down, and after."""
        began, data, last = perf_counter(), b"", None
        for number in range(times):
            self._terminal.write(key)
            while (left := began + (number + 1) * REPEAT - perf_counter()) > 0:
                if some := self._read(left):
                    data, last = data + some, perf_counter()
        rest = self._take(began)
        return Answer(data + rest.data, rest.seconds or (None if last is None else last - began))

    def idle(self, seconds: float) -> Answer:
        """What comes without being asked for."""
        began, data = perf_counter(), b""
        while (left := began + seconds - perf_counter()) > 0:
            data += self._read(left)
        return Answer(data, None)

    def _take(self, began: float, shown: Callable[[], bool] = lambda: True) -> Answer:
        data, last = b"", None
        while True:
            some = self._read(_QUIET if data else _FIRST)
            data, last = data + some, perf_counter() if some else last
            if not some and self._terminal.open_frames == 0 and not self._rest and shown():
                return Answer(data, None if last is None else last - began)
            if perf_counter() - began > PATIENCE:
                raise TimeoutError(f"the screen does not come to rest:\n{self.text}")

    def _read(self, timeout: float) -> bytes:
        """Some more bytes, as late as the link brings them; none where none came in time."""
        data = self._terminal.read(timeout, max(64, int(self._rate * _SIXTIETH)) if self._rate else 1 << 16)
        if self._rate:
            time.sleep(len(data) / self._rate)
        if data:
            self._draw(data)
        return data

    def _draw(self, data: bytes) -> None:
        """Draw what has come whole; a sequence that the link has cut waits for its rest."""
        data, self._rest = self._rest + data, b""
        cut = data.rfind(b"\x1b")
        if cut >= 0 and not _WHOLE.match(data, cut):
            data, self._rest = data[:cut], data[cut:]
        self._terminal.draw(data)
