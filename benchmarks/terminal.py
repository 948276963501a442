"""The explorer on a pseudo-terminal: what its screen shows, and when the last byte of that came."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
from collections.abc import Callable
from pathlib import Path
from time import perf_counter

import pyte

WIDTH, HEIGHT = 140, 50
PATIENCE = 30.0
"""Seconds after which what is waited for is taken not to come."""
# pyte prints the tail of sequences that it does not know.
_UNKNOWN = re.compile(rb"\x1b\[[<>=][0-9;:]*[A-Za-z]|\x1b\[\??[0-9;]*\$[A-Za-z]|\x1b\[\?[0-9;]*[usq]")
_START, _END = b"\x1b[?2026h", b"\x1b[?2026l"


class Unseen(Exception):
    """The screen does not show what it should; the message holds the screen."""


class Terminal:
    """One explorer, and the folder with what it keeps.

    Bytes are taken with their time as they come, and drawn only once no more are there.
    """

    def __init__(self, path: Path, state: str) -> None:
        self._screen = pyte.Screen(WIDTH, HEIGHT)
        self._stream = pyte.ByteStream(self._screen)
        self._open_frames = 0
        self._undrawn = b""
        self._pid, self._fd = pty.fork()
        if not self._pid:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", HEIGHT, WIDTH, 0, 0))
            os.environ |= {"TERM": "xterm-256color", "COLORTERM": "truecolor", "LC_ALL": "C.UTF-8"}
            os.environ["AGENT_TUI_STATE_DIR"] = state
            os.execvp(sys.executable, [sys.executable, "-m", "agent_tui", str(path)])
        fcntl.ioctl(self._fd, termios.TIOCSWINSZ, struct.pack("HHHH", HEIGHT, WIDTH, 0, 0))

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, *_: object) -> None:
        os.kill(self._pid, signal.SIGKILL)
        os.waitpid(self._pid, 0)
        os.close(self._fd)

    @property
    def lines(self) -> list[str]:
        """What the screen shows."""
        return list(self._screen.display)

    def is_seen(self, text: str) -> bool:
        """Whether a text stands on the screen."""
        return any(text in line for line in self.lines)

    def typed(self, keys: str, shown: Callable[[], bool] = lambda: True, *, silence: float = 0.2) -> float:
        """Seconds from the keys to the last byte of the screen on which `shown` holds and after which all is silent.

        The silence is not counted. Raises `Unseen` where that does not come in time.
        """
        started = last = perf_counter()
        os.write(self._fd, keys.encode())
        while True:
            latest = self._read(silence)
            last = latest or last
            if latest is None:
                self._draw()
                if not self._open_frames and shown():
                    return last - started
                if perf_counter() - started > PATIENCE:
                    raise Unseen(f"not on the screen after {keys!r}:\n" + "\n".join(self.lines))

    def _read(self, timeout: float) -> float | None:
        """When some more bytes came; None where none did in time."""
        if not select.select([self._fd], [], [], timeout)[0]:
            return None
        try:
            output = os.read(self._fd, 1 << 16)
        except OSError as error:
            raise Unseen("the explorer ended:\n" + "\n".join(self.lines)) from error
        came = perf_counter()
        if b"\x1b[?2026$p" in output:
            os.write(self._fd, b"\x1b[?2026;2$y")
        self._undrawn += output
        return came

    def _draw(self) -> None:
        self._open_frames += self._undrawn.count(_START) - self._undrawn.count(_END)
        self._stream.feed(_UNKNOWN.sub(b"", self._undrawn))
        self._undrawn = b""
