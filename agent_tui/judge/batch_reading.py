"""Reading batches: how each stands, what an ended one brings, and where one is whose id never came."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import aclosing

from agent_tui.judge.batch_run import LOOKS, BatchRun
from agent_tui.judge.budget import cost_of
from agent_tui.judge.events import Event, Settled, Waiting
from agent_tui.judge.pace import PATIENCE
from agent_tui.providers.batch_replies import Ending, Lost
from agent_tui.providers.batch_search import NeverSent, Undecided, find
from agent_tui.providers.contract import FATAL, RETRYABLE, UNCERTAIN, Failure, Outcome, Reply
from agent_tui.providers.ledger_index import OpenBatch


class Reader:
    """The reading part of one run."""

    def __init__(self, run: BatchRun) -> None:
        self._run = run

    async def look(self, batch: OpenBatch) -> AsyncIterator[Event]:
        """See how a batch stands, and take what it brings once it has ended; one without an id is looked for."""
        run = self._run
        if not batch.id:
            for waiting in await self._searched(batch):
                yield waiting
            return
        state = await run.steps.wait(run.batches.look(batch.id))
        if isinstance(state, Failure):
            for waiting in self._unread(batch, state):
                yield waiting
        elif state is not None:
            run.setbacks.overcome()
            if state.is_ended:
                async for event in self._read(batch):
                    yield event

    async def _read(self, batch: OpenBatch) -> AsyncIterator[Event]:
        run = self._run
        async with aclosing(run.batches.results(batch.id, batch.keys)) as endings:
            while ending := await run.steps.wait(anext(endings, None)):
                if isinstance(ending, Failure):
                    for waiting in self._unread(batch, ending):
                        yield waiting
                    return
                for settled in self._told(ending, await self._kept(ending)):
                    yield settled
        if run.goes_on:
            run.ended += 1
            run.news += 1

    async def _kept(self, ending: Ending) -> Outcome:
        """The outcome of a request, once it is on the disk. One that was lost on the way was not billed."""
        outcome = Failure(kind="overloaded", reason=ending.reason) if isinstance(ending, Lost) else ending.outcome
        ledger, usd = self._run.ledger, cost_of(outcome, self._run.price)
        if isinstance(outcome, Reply):
            await asyncio.to_thread(ledger.settle, ending.key, outcome, usd)
        else:
            await asyncio.to_thread(ledger.fail, ending.key, outcome, usd)
        return outcome

    def _told(self, ending: Ending, outcome: Outcome) -> Iterator[Settled]:
        """What is told of a request; nothing where it is sent again, by this run or a later one."""
        run = self._run
        if isinstance(ending, Lost) and run.outbox.add_lost(ending.key):
            return
        if isinstance(outcome, Failure) and outcome.kind in FATAL:
            run.setbacks.end(outcome.kind, outcome.reason)
        elif ending.key in run.requests:
            yield run.settled(ending.key, outcome)

    async def _searched(self, orphan: OpenBatch) -> Iterator[Waiting]:
        """Look for a batch whose id never came; what never reached the service is sent again."""
        run = self._run
        found = await run.steps.wait(find(orphan, run.connection, run.batches, run.ledger, run.now))
        if isinstance(found, Failure):
            return self._unread(orphan, found)
        if found is not None:
            run.setbacks.overcome()
            run.news += not isinstance(found, Undecided)
        if isinstance(found, NeverSent):
            run.outbox.add(orphan.keys)
        return iter(())

    def _unread(self, batch: OpenBatch, failure: Failure) -> Iterator[Waiting]:
        """What follows where a batch cannot be looked at: for a while it is tried again; consent gives it up."""
        run = self._run
        if failure.kind in RETRYABLE | UNCERTAIN:
            yield from run.setbacks.met(failure, PATIENCE, LOOKS[-1])
        elif failure.kind in FATAL or not batch.id:
            run.setbacks.end(failure.kind, failure.reason)
        elif run.again.unknown:
            run.ledger.give_up_batch(batch.chunk, failure.reason)
            run.outbox.add(batch.keys)
            run.news += 1
        else:
            consent = "--retry-unknown gives it up and has its requests sent again"
            run.setbacks.end(failure.kind, f"{batch.id}: {failure.reason}; {consent}")
