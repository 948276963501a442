"""Watch opened files: whoever waits is told when one of them was written, replaced or removed."""

from __future__ import annotations

import asyncio
import importlib
import os
import threading
from collections.abc import AsyncIterator, Iterable

_QUIET, _LONGEST = 100, 400
"""Milliseconds without another change after which changes are told, and after which they are told anyway."""


def watchable(files: Iterable[str]) -> list[str]:
    """The files that can be watched: those that are there, links with what they lead to."""
    there = [os.path.abspath(file) for file in files if file != "-" and os.path.isfile(file)]
    return list(dict.fromkeys([*there, *map(os.path.realpath, there)]))


async def changes_of(files: Iterable[str]) -> AsyncIterator[None]:
    """Something for each time that files changed. Raises `OSError` or `RuntimeError` where they cannot be watched.

    Their folders are watched: an editor often puts a new file in the place of the old one.
    """
    wanted = frozenset(files)
    if not wanted:
        return
    watchfiles = await asyncio.to_thread(importlib.import_module, "watchfiles")
    stop = threading.Event()
    try:
        async for _ in watchfiles.awatch(
            *sorted({os.path.dirname(file) for file in wanted}),
            watch_filter=lambda change, path: path in wanted,
            step=_QUIET,
            debounce=_LONGEST,
            recursive=False,
            stop_event=stop,
        ):
            yield
    finally:
        stop.set()
