"""How far reading is, on standard error, for as long as somebody may be waiting for it."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from collections.abc import Callable

    from agent_tui.workers.course import Course

_FIRST, _EACH = 0.5, 0.1
"""Seconds before a first line is worth reading, and between two."""


@contextmanager
def progress_of_reading() -> Iterator[Callable[[Course], object]]:
    """What is to be told how far reading is: a line that is written over on a terminal, and taken away at the end.

    Where standard error is no terminal nothing is said.
    """
    due, is_shown = time.monotonic() + _FIRST, False

    def show(course: Course) -> None:
        nonlocal due, is_shown
        if sys.stderr.isatty() and time.monotonic() >= due:
            due, is_shown = time.monotonic() + _EACH, True
            click.echo(f"\rreading  {course.words}\x1b[K", nl=False, err=True)

    try:
        yield show
    finally:
        if is_shown:
            click.echo("\r\x1b[K", nl=False, err=True)
