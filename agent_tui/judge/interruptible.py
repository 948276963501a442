"""One wait after another, of which the one that is on can be cut off without ending who waits."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

_Found = TypeVar("_Found")


class Interruptible:
    """The waits of one run."""

    def __init__(self) -> None:
        self._cancel: Callable[[], bool] | None = None
        """Cancels the wait that is on."""
        self._is_cut = False

    async def wait(self, what: Awaitable[_Found]) -> _Found | None:
        """What comes of it; None where it was cut off, as all that comes later is."""
        step = asyncio.ensure_future(what)
        self._cancel = step.cancel
        if self._is_cut:
            step.cancel()
        try:
            await asyncio.wait({step})
        except asyncio.CancelledError:
            step.cancel()
            await asyncio.gather(step, return_exceptions=True)
            raise
        finally:
            self._cancel = None
        return None if step.cancelled() else step.result()

    def cut(self) -> None:
        """Cut off what is waited for now, and whatever comes later."""
        self._is_cut = True
        if self._cancel is not None:
            self._cancel()
