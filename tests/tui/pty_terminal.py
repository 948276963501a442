"""A pseudo-terminal for tests: starts a program, plays the terminal's part, shows the screen and the bytes."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import struct
import sys
import termios
import time
from collections.abc import Callable, Mapping
from types import TracebackType

import pyte

KEYS = {
    "up": "\x1b[A", "down": "\x1b[B", "right": "\x1b[C", "left": "\x1b[D", "home": "\x1b[H", "end": "\x1b[F",
    "pageup": "\x1b[5~", "pagedown": "\x1b[6~", "enter": "\r", "escape": "\x1b", "tab": "\t", "ctrl+p": "\x10",
    "ctrl+z": "\x1a", "ctrl+c": "\x03",
}  # fmt: skip
QUESTION = b"\x1b[?2026$p"
END_OF_FRAME = b"\x1b[?2026l"
# pyte prints the tail of sequences it does not know.
_UNKNOWN = re.compile(rb"\x1b\[[<>=][0-9;:]*[A-Za-z]|\x1b\[\??[0-9;]*\$[A-Za-z]|\x1b\[\?[0-9;]*[usq]")
_DEADLINE = 30.0
_MODES = (1049, 1000, 1002, 1003, 1004, 1006, 1015, 1016, 2004, 2048)
"""Alternate screen, mouse, focus, bracketed paste, resizes in band."""


class PtyTerminal:
    """One program in one pseudo-terminal; waits for what it shows, never for a time."""

    def __init__(self, argv: list[str], environ: Mapping[str, str], width: int = 120, height: int = 40) -> None:
        self.screen = pyte.Screen(width, height)
        self._stream = pyte.ByteStream(self.screen)
        self.output = b""
        self.rate = 0
        """Bytes a second that are taken, as over a thin link; 0: as many as come."""
        self.is_deep = False
        """Whether all that is written is taken at once, and brought at the rate, as by an ssh connection."""
        self.answers = True
        self._taken = b""
        self._asked = b""
        self._rest = b""
        self._pid, self._fd = pty.fork()
        if not self._pid:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", height, width, 0, 0))
            os.execvpe(argv[0], argv, dict(environ))
        fcntl.ioctl(self._fd, termios.TIOCSWINSZ, struct.pack("HHHH", height, width, 0, 0))

    def __enter__(self) -> PtyTerminal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._pid:
            os.kill(self._pid, 9)
            os.waitpid(self._pid, 0)
        if self._fd >= 0:
            os.close(self._fd)

    @property
    def text(self) -> str:
        """The screen as text."""
        return "\n".join(line.rstrip() for line in self.screen.display)

    def wait(self, done: Callable[[], bool]) -> None:
        """Read until something holds, and then until the frame in hand has ended."""
        until = time.monotonic() + _DEADLINE
        while not (done() and self._frame_ended()):
            if not self._read(until - time.monotonic()):
                raise AssertionError(f"not seen in time; the screen was\n{self.text}")

    def wait_for(self, text: str) -> None:
        """Read until a text is on the screen."""
        self.wait(lambda: text in self.text)

    def press(self, key: str, until: str) -> bytes:
        """What is written back for a key, up to the end of the frame that shows `until`."""
        start = len(self.output)
        os.write(self._fd, KEYS.get(key, key).encode())
        self.wait(lambda: len(self.output) > start and until in self.text)
        return self.output[start:]

    def send(self, signal: int) -> None:
        """Send the program a signal."""
        os.kill(self._pid, signal)

    def hang_up(self) -> None:
        """Close the terminal, as a lost connection does."""
        os.close(self._fd)
        self._fd = -1

    def end(self) -> int:
        """Read until the program has ended; gives its exit status (128 + n for signal n)."""
        while self._fd >= 0 and self._read(_DEADLINE):
            pass
        until, ended, status = time.monotonic() + _DEADLINE, 0, 0
        while not ended:
            ended, status = os.waitpid(self._pid, os.WNOHANG)
            if not ended and time.monotonic() > until:
                raise AssertionError(f"not ended in time; the screen was\n{self.text}")
            time.sleep(0 if ended else 0.01)
        self._pid = 0
        return os.waitstatus_to_exitcode(status)

    def type(self, keys: str) -> None:
        """Type keys, and wait for nothing."""
        os.write(self._fd, keys.encode())

    def resize(self, width: int, height: int) -> None:
        """Give the window another size."""
        self.screen.resize(height, width)
        fcntl.ioctl(self._fd, termios.TIOCSWINSZ, struct.pack("HHHH", height, width, 0, 0))

    @property
    def is_clean(self) -> bool:
        """Whether everything that was switched on is off again, and the cursor is back."""
        modes = [(f"\x1b[?{mode}h".encode(), f"\x1b[?{mode}l".encode()) for mode in _MODES]
        pairs = [*modes, (b"\x1b[?25l", b"\x1b[?25h"), (b"\x1b[?7l", b"\x1b[?7h"), (b"\x1b[>", b"\x1b[<u")]
        return all(self.output.rfind(on) <= self.output.rfind(off) for on, off in pairs)

    def silence(self, seconds: float) -> bytes:
        """What is written without being asked for in some time."""
        start = len(self.output)
        until = time.monotonic() + seconds
        while self._read(until - time.monotonic()):
            pass
        return self.output[start:]

    def _frame_ended(self) -> bool:
        return self.output.count(b"\x1b[?2026h") == self.output.count(END_OF_FRAME)

    def _read(self, timeout: float) -> bool:
        if timeout <= 0:
            return False
        most = self.rate // 60 or 1 << 16
        while self.is_deep and self._is_ready(0) and (data := self._take(1 << 16)):
            self._taken += data
        if not self._taken and self._is_ready(timeout):
            self._taken = self._take(most)
        data, self._taken = self._taken[:most], self._taken[most:]
        if self.rate:
            time.sleep(len(data) / self.rate)
        self.output += data
        self._answer(data)
        self._feed(data)
        return bool(data)

    def _is_ready(self, timeout: float) -> bool:
        ready = select.poll()  # select() takes no descriptor from 1,024 on
        ready.register(self._fd, select.POLLIN)
        return bool(ready.poll(timeout * 1000))

    def _take(self, most: int) -> bytes:
        try:
            return os.read(self._fd, most)
        except OSError:
            return b""

    def _answer(self, data: bytes) -> None:
        *questions, rest = (self._asked + data).split(QUESTION)
        self._asked = rest[1 - len(QUESTION) :]
        if questions and self.answers:
            os.write(self._fd, b"\x1b[?2026;2$y" * len(questions))

    def _feed(self, data: bytes) -> None:
        data = self._rest + data
        cut = data.rfind(b"\x1b")
        whole = cut < 0 or re.match(rb"\x1b(\[[0-?]*[ -/]*[@-~]|[^\[])", data[cut:])
        data, self._rest = (data, b"") if whole else (data[:cut], data[cut:])
        self._stream.feed(_UNKNOWN.sub(b"", data))


def run_app(module: str, *arguments: str, width: int = 120, height: int = 40, **environ: str) -> PtyTerminal:
    """A program, `python -m module`, in a terminal with true colour."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    base = {"TERM": "xterm-256color", "COLORTERM": "truecolor", "LC_ALL": "C.UTF-8", "PYTHONPATH": os.getcwd()}
    own = {name: os.environ[name] for name in ("AGENT_TUI_STATE_DIR", "AGENT_TUI_CONFIG_DIR") if name in os.environ}
    return PtyTerminal([sys.executable, "-m", module, *arguments], {**kept, **base, **own, **environ}, width, height)


def run_explorer(*arguments: str, width: int = 120, height: int = 40, **environ: str) -> PtyTerminal:
    """The explorer itself."""
    return run_app("agent_tui", *arguments, width=width, height=height, **environ)
