"""Asks requests of a provider: what the ledger knows first, the others some at a time, within a budget, to be stopped.

    runner = Runner(provider, identity, ledger, max_cost=2.0, price=price)
    async for event in runner.run(requests):
        ...                                     # Settled, Waiting, and Stopped as the last where it ended early

No call is made twice unless `again` says so: a call whose end nobody knows is `unknown`, and stays so. What was never
done (no connection, too many requests, a wrong key) is no outcome, and asked again by the next run.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Mapping

from agent_tui.judge.budget import Budget, Free, PerToken, Price
from agent_tui.judge.calls import Ask, Call, Calls, unwritten
from agent_tui.judge.events import BUDGET, CANCELLED, LEDGER, Event, Settled, Stopped, Waiting
from agent_tui.judge.known import Again, known_outcome
from agent_tui.judge.pace import ATTEMPTS, LONGEST_WAIT, PATIENCE, Pace
from agent_tui.providers.contract import FATAL, RETRYABLE, UNCERTAIN, Failure, Identity, Outcome, Provider, Request
from agent_tui.providers.ledger import Ledger

GRACE = 10.0
"""How long calls that are out may go on after a cancellation (seconds)."""
_NOTHING_AGAIN = Again()


class Runner:
    """One run over some requests; for another one, another runner."""

    def __init__(
        self,
        provider: Provider,
        identity: Identity,
        ledger: Ledger,
        *,
        concurrency: int | None = None,
        max_cost: float | None = None,
        price: Price | None = None,
        again: Again = _NOTHING_AGAIN,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """`concurrency` is the most calls at a time; left out, the provider's own start may grow to its square.

        `max_cost` is for all that the ledger's calls cost, earlier ones too (USD).
        """
        self._identity, self._ledger = identity, ledger
        self._again, self._sleep = again, sleep
        start = concurrency or provider.concurrency
        # A provider that starts carefully stays careful: 1 on this machine, from 2 to 4, from 4 to 16.
        self._pace = Pace(start, concurrency or start * start)
        known_price = (price or PerToken(None)) if provider.needs_consent else Free()
        self._budget = Budget(max_cost, ledger.spent.at_most, known_price)
        self._calls = Calls(provider, ledger, self._budget)
        self._waiting: deque[Ask] = deque()
        self._pauses: dict[asyncio.Future[None], float] = {}
        self._grace: asyncio.Future[None] | None = None
        self._stop: Stopped | None = None

    async def run(self, requests: Mapping[str, Request]) -> AsyncIterator[Event]:
        """Ask what has no outcome; one `Settled` for each key, those of the ledger first."""
        for key in requests:
            await asyncio.sleep(0)
            if recorded := self._recorded(requests[key]):
                yield recorded
        await self._introduce()
        try:
            while busy := self._launched():
                done, _ = await asyncio.wait(busy, return_when=asyncio.FIRST_COMPLETED)
                for event in self._ended(done):
                    yield event
        finally:
            await self._end()
        if self._stop is not None:
            yield self._stop

    def cancel(self) -> None:
        """Begin no further call; those that are out may end, but not for long. To be called on the run's own loop."""
        self._stop_with(CANCELLED, "cancelled: what is judged is kept")
        for pause in self._pauses:
            pause.cancel()
        if self._calls.out and self._grace is None:
            self._grace = asyncio.ensure_future(self._cut_later())

    def _recorded(self, request: Request) -> Settled | None:
        """What the ledger knows of a request; where it knows nothing the request waits to be asked."""
        outcome = known_outcome(self._ledger, request.key, self._again)
        if outcome is None:
            self._waiting.append(Ask(request))
            return None
        recorded = self._ledger.reply(request.key)
        return Settled(request, outcome, True, recorded.attempts if recorded else 0)

    async def _introduce(self) -> None:
        try:
            if self._waiting:
                await asyncio.to_thread(self._ledger.introduce, self._identity)
        except OSError as error:
            self._stop_with(LEDGER, unwritten(self._ledger, error))

    def _launched(self) -> set[asyncio.Future[Call] | asyncio.Future[None]]:
        """Begin as many calls as may be out now; gives what there is to wait for."""
        while self._waiting and not self._stop and not self._pauses and len(self._calls.out) < self._pace.window:
            refusal = self._budget.refusal(self._waiting[0].request)
            if refusal and not self._calls.out:
                self._stop_with(BUDGET, refusal)
            if refusal:
                break
            ask = self._waiting.popleft()
            ask.tries, ask.seen = ask.tries + 1, self._pace.setbacks
            self._calls.begin(ask)
        return {*self._calls.out, *(() if self._stop else self._pauses)}

    def _ended(self, done: Iterable[asyncio.Future[Call] | asyncio.Future[None]]) -> Iterator[Event]:
        """What is told of calls and pauses that have ended."""
        self._pauses = {pause: seconds for pause, seconds in self._pauses.items() if pause not in done}
        for task in [task for task in self._calls.out if task in done]:
            self._calls.out.discard(task)
            call = task.result()
            if call.trouble:
                self._stop_with(LEDGER, call.trouble)
            if call.outcome is not None:
                yield from self._told(call, call.outcome)

    def _told(self, call: Call, outcome: Outcome) -> Iterator[Event]:
        """What an outcome leads to: it stands, it is tried again later, or the run stops."""
        kind = outcome.kind if isinstance(outcome, Failure) else ""
        if isinstance(outcome, Failure) and kind in FATAL:
            self._stop_with(kind, outcome.reason)
        elif isinstance(outcome, Failure) and kind in RETRYABLE:
            yield from self._tried_again(call, outcome)
        else:
            if isinstance(outcome, Failure) and kind in UNCERTAIN:
                self._pace.set_back(call.ask.seen, outcome)
                self._lose_patience(outcome, ATTEMPTS)
            else:
                self._pace.answered()
            yield Settled(call.ask.request, outcome, False, call.attempts)

    def _tried_again(self, call: Call, failure: Failure) -> Iterator[Event]:
        """Put a request that was not done behind the others; after its last attempt the failure stands."""
        seconds = self._pace.set_back(call.ask.seen, failure)
        is_last = call.ask.tries >= ATTEMPTS
        if seconds > LONGEST_WAIT:
            self._stop_with(failure.kind, f"{failure.reason}: asks to wait {seconds:,.0f} s, take this up again later")
        self._lose_patience(failure, ATTEMPTS if is_last else PATIENCE)
        if self._stop is not None:
            return
        if is_last:
            yield Settled(call.ask.request, failure, False, call.attempts)
        else:
            self._waiting.append(call.ask)
        if seconds and self._waiting:
            yield from self._paused(seconds, failure.reason)

    def _paused(self, seconds: float, reason: str) -> Iterator[Waiting]:
        """Begin nothing for a while; told only where that is longer than what is waited for already."""
        if seconds > max(self._pauses.values(), default=0.0):
            yield Waiting(seconds, reason)
        self._pauses[asyncio.ensure_future(self._sleep(seconds))] = seconds

    def _lose_patience(self, failure: Failure, patience: int) -> None:
        """Stop where so many setbacks came in a row: the service answers nobody."""
        if self._pace.in_a_row >= patience:
            self._stop_with(failure.kind, f"no answer after {self._pace.in_a_row} tries in a row: {failure.reason}")

    def _stop_with(self, kind: str, reason: str) -> None:
        self._stop = self._stop or Stopped(kind, reason)

    async def _cut_later(self) -> None:
        await self._sleep(GRACE)
        self._calls.cut()

    async def _end(self) -> None:
        """Leave nothing behind: what is out when nobody listens any more is cut off, and the ledger says so."""
        self._calls.cut()
        for timer in [*self._pauses, *([self._grace] if self._grace else [])]:
            timer.cancel()
        await asyncio.gather(*self._calls.out, *self._pauses, return_exceptions=True)
