"""How long a question that costs nothing is asked again: two minutes, at growing distances."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from agent_tui.providers.contract import RETRYABLE, UNCERTAIN, Failure

SECONDS = 120.0
"""A batch can be unknown for seconds after it was created, its results too."""
_LONGEST = 30.0
_AGAIN = RETRYABLE | UNCERTAIN | {"not_found"}
Sleep = Callable[[float], Awaitable[None]]


class Patience:
    """What is left of it for one question."""

    def __init__(self, sleep: Sleep) -> None:
        self._sleep = sleep
        self._left = SECONDS
        self._next = 1.0

    async def allows(self, failure: Failure) -> bool:
        """Whether to ask again after this failure; if so, it is time to when this returns."""
        wait = max(failure.retry_after or 0.0, min(self._next, self._left))
        if failure.kind not in _AGAIN or self._left <= 0 or wait > self._left:
            return False
        self._left -= wait
        self._next = min(2 * self._next, _LONGEST)
        await self._sleep(wait)
        return True
