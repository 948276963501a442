"""Work of a thread beside the screen, in small pieces with a pause now and then: Python runs one thread at a time."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator

_WORK, _PAUSE = 0.002, 0.0005
"""Seconds of work after which the thread lets go of Python, and for how long."""
_TELL = 0.1
"""Seconds between two notices of how far it is."""


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
