"""What is still to be sent in batches, in order, and how often an ask may go when the service loses it."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Mapping

from msgspec import Struct

from agent_tui.judge.budget import Budget
from agent_tui.providers.batch_chunks import MOST_REQUESTS, Chunk, chunks
from agent_tui.providers.contract import Request

MOST_TIMES = 3
"""How often one ask goes out in one run (a count)."""


class Parcel(Struct, frozen=True):
    """A chunk that may be sent."""

    chunk: Chunk
    worst_usd: float | None
    """What each of its asks costs at most; None: no price is known."""


class Outbox:
    """Keys of asks to be sent; their text is written out a chunk at a time."""

    def __init__(self, requests: Mapping[str, Request]) -> None:
        self._requests = requests
        self._keys: deque[str] = deque()
        self._lost: Counter[str] = Counter()
        self._most = MOST_REQUESTS

    def __len__(self) -> int:
        return len(self._keys)

    def add(self, keys: Iterable[str]) -> None:
        """Have asks sent behind the others; those that are not of this run are none of ours."""
        self._keys.extend(key for key in keys if key in self._requests)

    def add_lost(self, key: str) -> bool:
        """Have an ask sent that was lost on the way; False where it was lost too often."""
        self._lost[key] += 1
        is_again = key in self._requests and self._lost[key] < MOST_TIMES
        if is_again:
            self._keys.append(key)
        return is_again

    def parcel(self, budget: Budget) -> Parcel | None:
        """As many of the first as go together and can be paid; they stay here. None: not one can be paid."""
        affordable = budget.affordable(self._requests[key] for key in self._keys)
        chunk = next(chunks(affordable, most_requests=self._most), None)
        if chunk is None:
            return None
        worst = [budget.price.worst(request) for request in chunk.requests]
        return Parcel(chunk, max(usd for usd in worst if usd is not None) if None not in worst else None)

    def first(self) -> Request:
        """The next to be sent."""
        return self._requests[self._keys[0]]

    def take(self, parcel: Parcel) -> None:
        """A parcel is gone."""
        for _ in parcel.chunk.requests:
            self._keys.popleft()

    def halve(self, parcel: Parcel) -> bool:
        """Make smaller parcels from now on; False where this one cannot be cut."""
        count = len(parcel.chunk.requests)
        self._most = max(1, count // 2)
        return count > 1
