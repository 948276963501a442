"""What is said of many rows, by copies of this process: each has all that this one has, and says its share of it.

A copy that fails or dies costs nothing but time: what it did not say is said here, with whatever error that raises.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress

from msgspec import Struct

from agent_tui.workers.process import receive, send

_PART = 64
"""Rows that a copy says at a time (a count)."""
_LEAST = 32 * _PART
"""Rows from which on copies are worth while (a count)."""


class _Copy(Struct):
    process: int
    output: int
    """Where it gives its parts, each a list of what is said of the rows; it waits there until they are read."""

    def part(self) -> list[str] | None:
        """What it says of its next rows; None from where it has ended."""
        try:
            said: list[str] = receive(self.output)
        except (EOFError, OSError):
            return None
        return said

    def end(self) -> None:
        """End it, whatever it does, and wait until it is gone."""
        os.close(self.output)
        with suppress(ProcessLookupError):
            os.kill(self.process, signal.SIGKILL)
        with suppress(ChildProcessError):
            os.waitpid(self.process, 0)


def by_copies(processes: int) -> Callable[[int, Callable[[int], str]], Iterator[str]]:
    """What gives the texts of rows in their order, said by so many copies.

    By this process where there are few rows, and where it cannot be copied as it is: beside other threads, and where
    the libraries of the system do not stand it.
    """

    def say_all(rows: int, say: Callable[[int], str]) -> Iterator[str]:
        can_copy = sys.platform == "linux" and threading.active_count() == 1
        copies = _copies(processes, rows, say) if processes > 1 and rows >= _LEAST and can_copy else []
        try:
            for number, low in enumerate(range(0, rows, _PART)):
                said = copies[number % processes].part() if copies else None
                yield from map(say, _part(low, rows)) if said is None else said
        finally:
            _end(copies)

    return say_all


def _part(low: int, rows: int) -> range:
    return range(low, min(low + _PART, rows))


def _copies(processes: int, rows: int, say: Callable[[int], str]) -> list[_Copy]:
    """Copies, each of which says every so-manieth part; none where the system has no room for all."""
    copies: list[_Copy] = []
    try:
        for number in range(processes):
            copies.append(_begin(range(number * _PART, rows, processes * _PART), rows, say, copies))
    except OSError:
        _end(copies)
        copies.clear()
    return copies


def _begin(lows: range, rows: int, say: Callable[[int], str], before: Sequence[_Copy]) -> _Copy:
    """A copy that says the parts that begin at some rows. Raises `OSError` where there is no room for it."""
    output, given = os.pipe()
    try:
        process = os.fork()
    except OSError:
        os.close(output)
        os.close(given)
        raise
    if process:
        os.close(given)
        return _Copy(process, output)
    try:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # who began us ends us
        for descriptor in (output, *(copy.output for copy in before)):
            os.close(descriptor)
        with suppress(BaseException):  # whatever it is: the row is said again by who began us
            for low in lows:
                send(given, [say(row) for row in _part(low, rows)])
    finally:
        os._exit(0)  # nothing that this process holds is to be written or ended twice


def _end(copies: Sequence[_Copy]) -> None:
    for copy in copies:
        copy.end()
