"""The explorer on a pseudo-terminal: started and ended, its bytes as they come, and the screen that they draw."""

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
from collections.abc import Mapping, Sequence

import pyte

QUESTION, ANSWER = b"\x1b[?2026$p", b"\x1b[?2026;2$y"
START_OF_FRAME, END_OF_FRAME = b"\x1b[?2026h", b"\x1b[?2026l"
# pyte prints the tail of sequences that it does not know.
_UNKNOWN = re.compile(
    rb"\x1b\[[<>=][0-9;:]*[A-Za-z]|\x1b\[\??[0-9;]*\$[A-Za-z]|\x1b\[\?[0-9;]*[usq]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)"
)


class Ended(Exception):
    """The explorer ended; the message holds its last screen."""


class PseudoTerminal:
    """One explorer in a terminal of a size.

    `deep`: in front of it is a connection that takes all that is written at once, as ssh does, and delivers it when it
    is read. The terminal answers what it is asked when that is delivered.
    """

    def __init__(
        self, arguments: Sequence[str], environ: Mapping[str, str], width: int, height: int, *, deep: bool = False
    ) -> None:
        self._deep = deep
        self._taken = b""
        self._asked = b""
        self.screen = pyte.Screen(width, height)
        self.open_frames = 0
        self._stream = pyte.ByteStream(self.screen)
        self.pid, self._fd = pty.fork()
        size = struct.pack("HHHH", height, width, 0, 0)
        if not self.pid:
            fcntl.ioctl(0, termios.TIOCSWINSZ, size)
            os.execve(sys.executable, [sys.executable, "-m", "agent_tui", *arguments], dict(environ))
        fcntl.ioctl(self._fd, termios.TIOCSWINSZ, size)

    def end(self) -> None:
        """End the explorer, whatever it does."""
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        os.close(self._fd)

    @property
    def text(self) -> str:
        """The screen as text."""
        return "\n".join(line.rstrip() for line in self.screen.display)

    def write(self, keys: str) -> None:
        """Type keys."""
        os.write(self._fd, keys.encode())

    def read(self, timeout: float, most: int = 1 << 16) -> bytes:
        """Some more bytes; none where none came in time. Raises `Ended`."""
        if self._deep:
            while self._is_ready(0.0):
                self._taken += self._read(1 << 16)
        if not self._taken and self._is_ready(timeout):
            self._taken = self._read(1 << 16 if self._deep else most)
        data, self._taken = self._taken[:most], self._taken[most:]
        self._answer(data)
        return data

    def _is_ready(self, timeout: float) -> bool:
        return bool(select.select([self._fd], [], [], timeout)[0])

    def _read(self, most: int) -> bytes:
        try:
            return os.read(self._fd, most)
        except OSError as error:
            raise Ended(f"the explorer ended:\n{self.text}") from error

    def _answer(self, data: bytes) -> None:
        """Answer every question in what was delivered; one may have come in two parts."""
        *questions, rest = (self._asked + data).split(QUESTION)
        self._asked = rest[1 - len(QUESTION) :]
        if questions:
            os.write(self._fd, ANSWER * len(questions))

    def draw(self, data: bytes) -> None:
        """Draw what came: whole sequences only."""
        self.open_frames += data.count(START_OF_FRAME) - data.count(END_OF_FRAME)
        self._stream.feed(_UNKNOWN.sub(b"", data))
