"""The explorer on a pseudo-terminal: what its screen shows, and when the last byte of that came."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Self

from pseudo_terminal import Ended, PseudoTerminal

WIDTH, HEIGHT = 140, 80
"""Cells: so high that a long answer is in view whole."""
PATIENCE = 30.0
"""Seconds after which what is waited for is taken not to come."""


class Unseen(Exception):
    """The screen does not show what it should; the message holds the screen."""


class Terminal:
    """One explorer, and the folder with what it keeps.

    Bytes are taken with their time as they come, and drawn only once no more are there.
    """

    def __init__(self, path: Path, state: str) -> None:
        own = {"TERM": "xterm-256color", "COLORTERM": "truecolor", "LC_ALL": "C.UTF-8", "AGENT_TUI_STATE_DIR": state}
        self._terminal = PseudoTerminal([str(path)], os.environ | own, WIDTH, HEIGHT)
        self._undrawn = b""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._terminal.end()

    @property
    def lines(self) -> list[str]:
        """What the screen shows."""
        return list(self._terminal.screen.display)

    def is_seen(self, text: str) -> bool:
        """Whether a text stands on the screen."""
        return any(text in line for line in self.lines)

    def typed(self, keys: str, shown: Callable[[], bool] = lambda: True, *, silence: float = 0.2) -> float:
        """Seconds from the keys to the last byte of the screen on which `shown` holds and after which all is silent.

        The silence is not counted. Raises `Unseen` where that does not come in time.
        """
        started = last = perf_counter()
        self._terminal.write(keys)
        while True:
            latest = self._read(silence)
            last = latest or last
            if latest is None:
                self._draw()
                if not self._terminal.open_frames and shown():
                    return last - started
                if perf_counter() - started > PATIENCE:
                    raise Unseen(f"not on the screen after {keys!r}:\n" + "\n".join(self.lines))

    def _read(self, timeout: float) -> float | None:
        """When some more bytes came; None where none did in time."""
        try:
            output = self._terminal.read(timeout)
        except Ended as error:
            raise Unseen(str(error)) from error
        if not output:
            return None
        self._undrawn += output
        return perf_counter()

    def _draw(self) -> None:
        self._terminal.draw(self._undrawn)
        self._undrawn = b""
