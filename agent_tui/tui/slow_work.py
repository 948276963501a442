"""Work of a thread beside the screen, in small pieces with a pause now and then: Python runs one thread at a time."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator

from textual.worker import get_current_worker

_WORK, _PAUSE = 0.002, 0.0005
"""Seconds of work after which the thread lets go of Python, and for how long."""
_TELL = 0.1
"""Seconds between two notices of how far it is."""


def unwanted() -> Callable[[], bool]:
    """For the thread of a worker: whether what it does is wanted no more.

    An app that ends cancels its workers once, which one that was begun on the way out would never hear of.
    """
    worker = get_current_worker()
    app = worker.node.app
    return lambda: worker.is_cancelled or not app.is_running


def slowly(pieces: Iterable[object]) -> Iterator[bool]:
    """Do the pieces; after each, whether it is time to tell how far it is. Whoever reads no further stops the work."""
    told = worked = time.monotonic()
    for _ in pieces:
        now = time.monotonic()
        is_due = now - told > _TELL
        yield is_due
        if is_due:
            told = now
        if now - worked > _WORK:
            time.sleep(_PAUSE)
            worked = time.monotonic()
