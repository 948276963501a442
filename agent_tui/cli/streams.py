"""The standard streams that a process was started without (`<&-`, `>&-`): there all the same, and each says so."""

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


class _Closed(io.TextIOBase):
    """A standard output that is closed."""

    def writable(self) -> bool:
        return True

    def write(self, text: str, /) -> int:
        if text:
            raise NotPossible("cannot write to standard output: it is closed")
        return 0
