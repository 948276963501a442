"""Asks requests by message batches: what the ledger knows first, then what batches bring, each request once.

    runner = BatchRunner(provider.connection, identity, ledger, max_cost=20.0, price=PerToken(price, batched=True))
    async for event in runner.run(requests):        # as of `Runner`, and UnderWay while the service works

Batches that the ledger has open are read before anything is sent, those too whose id never came. Stopping leaves them
at the service: what was sent is billed, and the next run reads it.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from datetime import datetime

from agent_tui.judge.batch_reading import Reader
from agent_tui.judge.batch_run import LOOKS, NO_PRICE, NOTHING_AGAIN, BatchRun
from agent_tui.judge.batch_sending import Sender
from agent_tui.judge.budget import Price
from agent_tui.judge.calls import unwritten
from agent_tui.judge.events import CANCELLED, LEDGER, Event, Settled, Stopped
from agent_tui.judge.known import Again, known_outcome
from agent_tui.judge.runner import GRACE
from agent_tui.providers.anthropic_client import Connection
from agent_tui.providers.batches import Batches
from agent_tui.providers.contract import Identity, Request
from agent_tui.providers.ledger import Ledger, utc_now
from agent_tui.providers.ledger_index import OpenBatch
from agent_tui.providers.patience import Sleep


class BatchRunner:
    """One run over some requests; for another one, another runner."""

    def __init__(
        self,
        connection: Connection,
        identity: Identity,
        ledger: Ledger,
        *,
        max_cost: float | None = None,
        price: Price = NO_PRICE,
        again: Again = NOTHING_AGAIN,
        sleep: Sleep = asyncio.sleep,
        now: Callable[[], datetime] = utc_now,
    ) -> None:
        """`max_cost` is for all calls of the ledger, earlier ones too (USD); what was sent counts at its worst."""
        batches = Batches(connection, identity, ledger, sleep=sleep)
        self._course = BatchRun(connection, batches, ledger, max_cost, price, again, now)
        self._sender, self._reader = Sender(self._course), Reader(self._course)
        self._sleep = sleep
        self._quiet = 0
        """Rounds without news since the last (a count)."""
        self._grace: asyncio.Future[None] | None = None

    async def run(self, requests: Mapping[str, Request]) -> AsyncIterator[Event]:
        """Ask what has no outcome; one `Settled` for each key, those of the ledger first."""
        run = self._course
        run.ask(requests)
        try:
            async for settled in self._known():
                yield settled
            while run.goes_on and (run.outbox or run.open_batches()):
                async for event in self._round():
                    yield event
        except OSError as error:
            run.setbacks.end(LEDGER, unwritten(run.ledger, error))
        finally:
            run.steps.cut()
            if self._grace is not None:
                self._grace.cancel()
        if stop := run.setbacks.stop:
            yield Stopped(stop.kind, stop.reason + _left(run.open_batches()))

    def cancel(self) -> None:
        """Send and read nothing more; batches go on without us. To be called on the run's own loop."""
        self._course.setbacks.end(CANCELLED, "cancelled: what is judged is kept")
        if not self._sender.is_sending:
            self._course.steps.cut()
        elif self._grace is None:
            self._grace = asyncio.ensure_future(self._cut_later())

    async def _cut_later(self) -> None:
        """A batch that is being sent gets a little time, so that its id comes."""
        await self._sleep(GRACE)
        self._course.steps.cut()

    async def _known(self) -> AsyncIterator[Settled]:
        """What the ledger knows; the rest is to be sent, unless it is in a batch."""
        run = self._course
        for key in run.requests:
            await asyncio.sleep(0)
            if not run.goes_on:
                return
            if run.ledger.is_in_batch(key):
                continue
            outcome = known_outcome(run.ledger, key, run.again)
            if outcome is None:
                run.outbox.add([key])
            else:
                yield run.settled(key, outcome, from_ledger=True)

    async def _round(self) -> AsyncIterator[Event]:
        """Look at every batch once, send what may be sent, and wait where nothing came of that."""
        run = self._course
        news = run.news
        for batch in run.open_batches():
            if run.goes_on:
                async for event in self._reader.look(batch):
                    yield event
        async for event in self._sender.send():
            yield event
        if run.news > news:
            self._quiet = 0
        elif run.goes_on:
            if (on := run.under_way()) and not run.setbacks.wait:
                yield on
            await self._pause()

    async def _pause(self) -> None:
        run = self._course
        usual = LOOKS[min(self._quiet, len(LOOKS) - 1)]
        self._quiet += 1
        await run.steps.wait(self._sleep(max(usual, run.setbacks.wait)))
        run.setbacks.wait = 0.0


def _left(batches: Iterable[OpenBatch]) -> str:
    """Which batches go on at the service without us."""
    names = ", ".join(batch.id or "one whose id never came" for batch in batches)
    return f"; at the service, to be read later: {names}" if names else ""
