"""The standard streams: those a process was started without (`<&-`, `>&-`), and keys beside what comes in by a pipe."""

from __future__ import annotations

import io
import os
import sys

from agent_tui.errors import NotPossible


def open_missing() -> None:
    """Put something in the place of each stream that is closed, so that no opened file gets its number.

    Standard input is empty then, standard output refuses what is written, and what is told goes nowhere.
    """
    for descriptor in range(3):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # the lowest number that is free, which is this one
    if sys.stdin is None:
        sys.stdin = open(0, closefd=False)  # noqa: SIM115 - as long as the process
    if sys.stdout is None:
        sys.stdout = _Closed()
    if sys.stderr is None:
        sys.stderr = open(2, "w", closefd=False)  # noqa: SIM115 - as long as the process


def keys_from_terminal() -> bool:
    """Have keys come from the terminal although standard input is a pipe, as pagers do; False without a terminal.

    What is in the pipe is read as standard input still, under another number.
    """
    try:
        terminal = os.open("/dev/tty", os.O_RDWR)
    except OSError:
        return False
    sys.stdin = open(os.dup(0), closefd=False)  # noqa: SIM115 - as long as the process
    os.dup2(terminal, 0)
    os.close(terminal)
    if sys.__stdin__ is None:  # it was closed at the start
        sys.__dict__["__stdin__"] = open(0, closefd=False)  # noqa: SIM115 - as long as the process
    return True


class _Closed(io.TextIOBase):
    """A standard output that is closed."""

    def writable(self) -> bool:
        return True

    def write(self, text: str, /) -> int:
        if text:
            raise NotPossible("cannot write to standard output: it is closed")
        return 0
