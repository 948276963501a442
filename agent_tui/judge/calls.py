"""Calls that are out: each in the ledger before it goes and after it came, the money for it set aside meanwhile."""

from __future__ import annotations

import asyncio

from msgspec import Struct

from agent_tui.judge.budget import Budget, cost_of
from agent_tui.providers.contract import Failure, Limits, Outcome, Provider, Reply, Request
from agent_tui.providers.ledger import Ledger

_CUT = Failure(kind="unknown", reason="cut off by the cancellation; it may have been billed")
_NOT_SENT = Failure(kind="connection", reason="cancelled before it was sent")
_LIMITS = Limits()


class Ask(Struct):
    """A request that has no outcome yet."""

    request: Request
    tries: int = 0
    """In this run (a count)."""
    seen: int = 0
    """Setbacks when its call began (a count)."""


class Call(Struct, frozen=True):
    """How a call came out."""

    ask: Ask
    outcome: Outcome | None
    """None where it could not be begun."""
    attempts: int = 0
    """Calls that were ever made for the request (a count)."""
    trouble: str = ""
    """Why the ledger could not be written; empty where it was."""


class Calls:
    """The calls of one run. The disk is waited for in threads: the loop goes on."""

    def __init__(self, provider: Provider, ledger: Ledger, budget: Budget) -> None:
        self._provider, self._ledger, self._budget = provider, ledger, budget
        self._asking: set[asyncio.Future[Outcome]] = set()
        self._is_cut = False
        self._turn = asyncio.Lock()
        self.out: set[asyncio.Task[Call]] = set()

    def begin(self, ask: Ask) -> None:
        """Let a call go out; `out` holds it until it is taken from there."""
        worst = self._budget.begin(ask.request)
        self.out.add(asyncio.ensure_future(self._call(ask, worst)))

    def cut(self) -> None:
        """Wait for nothing more: what is out becomes unknown, and the ledger says so."""
        self._is_cut = True
        for asking in self._asking:
            asking.cancel()

    async def _call(self, ask: Ask, worst: float | None) -> Call:
        key = ask.request.key
        try:
            attempts = await asyncio.to_thread(self._ledger.intend, key, worst)
        except OSError as error:
            self._budget.end(worst, 0.0)
            return Call(ask, None, trouble=unwritten(self._ledger, error))
        outcome = await self._asked(ask.request)
        usd = cost_of(outcome, self._budget.price)
        self._budget.end(worst, usd)
        try:
            await asyncio.to_thread(self._keep, key, outcome, usd)
        except OSError as error:
            return Call(ask, outcome, attempts, unwritten(self._ledger, error))
        return Call(ask, outcome, attempts)

    async def _asked(self, request: Request) -> Outcome:
        """What the provider says, unless it is cut off."""
        if self._is_cut:
            return _NOT_SENT
        async with self._turn:
            asking = asyncio.ensure_future(self._provider.ask(request, _LIMITS))
            self._asking.add(asking)
            # Making a request takes a client milliseconds: sixteen in one turn of the loop would hold up a screen.
            await asyncio.sleep(0)
        try:
            await asyncio.wait({asking})
        finally:
            self._asking.discard(asking)
        return _CUT if asking.cancelled() else asking.result()

    def _keep(self, key: str, outcome: Outcome, usd: float | None) -> None:
        if isinstance(outcome, Reply):
            self._ledger.settle(key, outcome, usd)
        else:
            self._ledger.fail(key, outcome, usd)


def unwritten(ledger: Ledger, error: OSError) -> str:
    """That a ledger could not be written, in words."""
    return f"the ledger cannot be written: {error.strerror}: {ledger.path}"
