"""A provider for tests that counts its calls and answers as it is told, and a price and waits that go with it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from agent_tui.judge.events import Event, Settled, Stopped
from agent_tui.judge.runner import Runner
from agent_tui.providers.contract import Failure, Identity, Limits, Outcome, Reply, Request, Usage
from agent_tui.providers.ledger import Ledger
from tests.providers.make_request import MODEL, make_request

IDENTITY = Identity(provider="anthropic", host_class="loopback", model=MODEL)
ANSWERED = ("pass", "fail", "pass", "undetermined")


def requests(number: int, start: int = 0) -> list[Request]:
    """So many requests, each with a key of its own."""
    return [make_request(key=f"{place:064x}", digest=f"d{place}") for place in range(start, start + number)]


def by_key(asked: Iterable[Request]) -> dict[str, Request]:
    """Requests as a runner takes them."""
    return {request.key: request for request in asked}


def reply_to(request: Request, tokens: int | None = 10) -> Reply:
    """What the counting provider says of a request: the same each time."""
    usage = None if tokens is None else Usage(input_tokens=100, output_tokens=tokens)
    return Reply(text=ANSWERED[int(request.key, 16) % len(ANSWERED)], model=request.model, usage=usage)


def fails(kind: str, retry_after: float | None = None) -> Failure:
    return Failure(kind=kind, reason=f"scripted {kind}", retry_after=retry_after)


class Counting:
    """Answers a call by `says`, which is given the request and which call it is, from 1."""

    name = "counting"
    host = "127.0.0.1:1"
    family: str | None = None
    needs_consent = True
    notices: Sequence[str] = ()

    def __init__(self, says: Callable[[Request, int], Outcome] | None = None, concurrency: int = 4) -> None:
        self.concurrency = concurrency
        self.asked: list[str] = []
        """The key of every call."""
        self.out = self.most_out = 0
        self.gate: asyncio.Event | None = None
        """While it is there and not set, calls do not come back."""
        self._says = says or (lambda request, _number: reply_to(request))
        self._arrived = asyncio.Condition()

    async def probe(self) -> Identity | Failure:
        return IDENTITY

    async def ask(self, request: Request, limits: Limits) -> Outcome:
        async with self._arrived:
            self.asked.append(request.key)
            number = len(self.asked)
            self.out += 1
            self.most_out = max(self.most_out, self.out)
            self._arrived.notify_all()
        try:
            await (self.gate.wait() if self.gate else asyncio.sleep(0))
            return self._says(request, number)
        finally:
            self.out -= 1

    async def arrived(self, number: int) -> None:
        """Wait until so many calls have come."""
        async with self._arrived:
            await self._arrived.wait_for(lambda: len(self.asked) >= number)

    async def count_tokens(self, request: Request) -> int | None:
        return None

    async def close(self) -> None:
        pass


class ByToken:
    """A dollar for a thousand output tokens, and never more than `most` for a call (USD)."""

    def __init__(self, most: float = 0.1) -> None:
        self._most = most

    def worst(self, request: Request) -> float | None:
        return self._most

    def cost(self, usage: Usage) -> float | None:
        return None if usage.output_tokens is None else usage.output_tokens / 1000


class Waits:
    """A sleep that takes no time and remembers how long it should have been."""

    def __init__(self) -> None:
        self.seconds: list[float] = []

    async def __call__(self, seconds: float) -> None:
        self.seconds.append(seconds)
        await asyncio.sleep(0)


class Held:
    """A sleep that ends when it is told to."""

    def __init__(self) -> None:
        self.seconds: list[float] = []
        self.over = asyncio.Event()

    async def __call__(self, seconds: float) -> None:
        self.seconds.append(seconds)
        await self.over.wait()


def unsynced(path: Path) -> Ledger:
    """A ledger to write, without waiting for the disk: for tests that open hundreds."""
    return Ledger.open(path, sync=lambda _descriptor: None)


async def collected(runner: Runner, asked: Iterable[Request]) -> list[Event]:
    """All events of a run."""
    return [event async for event in runner.run(by_key(asked))]


def settled(events: Iterable[Event]) -> dict[str, Outcome]:
    """The outcomes of a run, by key."""
    return {event.request.key: event.outcome for event in events if isinstance(event, Settled)}


def stop(events: Iterable[Event]) -> Stopped | None:
    """How a run ended early; None where it did not."""
    stops = [event for event in events if isinstance(event, Stopped)]
    return stops[-1] if stops else None
