"""Sending what is to be asked in batches: as much as can be paid at its worst, and nothing twice."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator

from agent_tui.judge.batch_run import BatchRun
from agent_tui.judge.events import BUDGET, Event
from agent_tui.judge.outbox import Parcel
from agent_tui.judge.pace import ATTEMPTS
from agent_tui.providers.contract import RETRYABLE, UNCERTAIN, Failure


class Sender:
    """The sending part of one run."""

    def __init__(self, run: BatchRun) -> None:
        self._run = run
        self.is_sending = False
        """Whether a batch is on its way to the service just now."""

    async def send(self) -> AsyncIterator[Event]:
        """Send what can be paid. Where nothing can be, and nothing is out that would free money, the run ends."""
        run = self._run
        while run.outbox and run.goes_on and not run.setbacks.wait:
            budget = run.budget
            parcel = await asyncio.to_thread(run.outbox.parcel, budget)
            if parcel is None:
                if not run.open_batches():
                    run.setbacks.end(BUDGET, budget.refusal(run.outbox.first()))
                return
            for event in self._told(parcel, await self._handed_over(parcel)):
                yield event

    async def _handed_over(self, parcel: Parcel) -> str | Failure | None:
        """The id of the batch that a parcel has become; None where the run was cut off meanwhile."""
        if not self._run.goes_on:
            return None
        self.is_sending = True
        try:
            return await self._run.steps.wait(self._run.batches.send(parcel.chunk, parcel.worst_usd))
        finally:
            self.is_sending = False

    def _told(self, parcel: Parcel, sent: str | Failure | None) -> Iterator[Event]:
        """What follows from sending. What may have arrived is looked for from now on, and not sent again."""
        run = self._run
        if isinstance(sent, str):
            run.outbox.take(parcel)
            run.setbacks.overcome()
            run.news += 1
            if on := run.under_way():
                yield on
        elif sent is None:
            return
        elif sent.kind in UNCERTAIN:
            run.outbox.take(parcel)
            yield from run.setbacks.met(sent, ATTEMPTS)
        elif sent.kind in RETRYABLE:
            yield from run.setbacks.met(sent, ATTEMPTS)
        elif sent.kind != "too_large":
            run.setbacks.end(sent.kind, sent.reason)
        elif not run.outbox.halve(parcel):
            run.outbox.take(parcel)
            yield run.settled(parcel.chunk.requests[0].key, sent)
