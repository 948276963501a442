"""Message batches: many requests for half the price, done within a day, and none of them twice.

    batches = Batches(provider.connection, identity, ledger)
    for chunk in chunks(requests):
        id = await batches.send(chunk, worst_usd=0.001)      # in the ledger before it goes, and its id when it went
    state = await batches.look(id)                           # again and again until it has ended
    async for ending in batches.results(id, keys): ...       # in any order; Lost ones may be asked again

A batch of which the id never came back is looked for by `find` (batch_search), and until then nothing of it is sent.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterable
from typing import TypeVar

import httpx2
from anthropic.types.messages import MessageBatch, MessageBatchIndividualResponse

from agent_tui.errors import NotPossible
from agent_tui.providers.anthropic_client import CONNECT_SECONDS, Connection
from agent_tui.providers.batch_chunks import Chunk, batch_body, request_name
from agent_tui.providers.batch_replies import BatchState, Ending, Lost, read_ending, read_row, read_state
from agent_tui.providers.contract import UNCERTAIN, Failure, Identity
from agent_tui.providers.endpoint import read_endpoint
from agent_tui.providers.http_errors import not_a_reply
from agent_tui.providers.ledger import Ledger
from agent_tui.providers.patience import Patience, Sleep

_PATH = "/v1/messages/batches"
_SEND_SECONDS = 600.0
_CALL_SECONDS = 60.0
_Answer = TypeVar("_Answer")
Row = tuple[str, MessageBatchIndividualResponse]


class Batches:
    """The batches of one connection and judge, written down in one ledger. `sleep` waits, in seconds."""

    def __init__(
        self, connection: Connection, identity: Identity, ledger: Ledger, *, sleep: Sleep = asyncio.sleep
    ) -> None:
        self._connection = connection
        self._identity = identity
        self._ledger = ledger
        self._sleep = sleep
        self._calls = connection.client.messages.batches

    async def send(self, chunk: Chunk, worst_usd: float | None) -> str | Failure:
        """Create the batch of a chunk; gives its id. `worst_usd` is what each of its asks costs at most.

        After an `unknown` failure it may have been created: it stays open in the ledger until it is found. After any
        other failure its asks have ended there with that failure.
        """
        keys = [request.key for request in chunk.requests]
        await asyncio.to_thread(self._intend, chunk, keys, worst_usd)
        created = await self._connection.attempt(self._created(chunk), _SEND_SECONDS)
        state = created if isinstance(created, Failure) else read_state(created)
        if isinstance(state, BatchState):
            await asyncio.to_thread(self._ledger.batch_sent, chunk.name, state.id)
            return state.id
        if state.kind not in UNCERTAIN:
            await self.release(keys, state)
        return state

    async def look(self, id: str) -> BatchState | Failure:
        """A batch as it stands; one that was just created may be unknown for a while."""
        shown = await self._patiently(lambda: self._calls.retrieve(id, timeout=_CALL_SECONDS))
        return shown if isinstance(shown, Failure) else read_state(shown)

    async def results(self, id: str, keys: Iterable[str]) -> AsyncGenerator[Ending | Failure, None]:
        """How each ask of an ended batch ended, once each, in the service's order, then those it does not speak of.

        A failure is the last, and says nothing of those that have not come.
        """
        waiting = {request_name(key): key for key in keys}
        async for row in self.rows(id):
            if isinstance(row, Failure):
                yield row
                return
            if key := waiting.pop(row[0], None):
                yield read_ending(key, row[1], self._connection.secrets)
        for key in waiting.values():
            yield Lost(key, "the batch ended without a result for it")

    async def rows(self, id: str) -> AsyncIterator[Row | Failure]:
        """The rows of a batch's results. Where they break off they come again from the first."""
        patience = Patience(self._sleep)
        while True:
            failure: Failure | None = None
            async for row in self._stream(id):
                if isinstance(row, Failure):
                    failure = row
                    break
                yield row
            if failure is None:
                return
            if not await patience.allows(failure):
                yield failure
                return

    async def cancel(self, id: str) -> BatchState | Failure:
        """Have nothing more of a batch done; what was done is billed, and its results can be read."""
        shown = await self._patiently(lambda: self._calls.cancel(id, timeout=_CALL_SECONDS))
        return shown if isinstance(shown, Failure) else read_state(shown)

    async def release(self, keys: Iterable[str], failure: Failure) -> None:
        """Write down that asks of a batch were never sent; nothing was billed for them."""

        def fail_all() -> None:
            for key in keys:
                self._ledger.fail(key, failure, 0.0)

        await asyncio.to_thread(fail_all)

    def _intend(self, chunk: Chunk, keys: list[str], worst_usd: float | None) -> None:
        self._ledger.introduce(self._identity)
        self._ledger.intend_batch(chunk.name, keys, worst_usd)

    async def _created(self, chunk: Chunk) -> MessageBatch:
        """By a body of our own: the SDK would hold up everything else for seconds while it makes one."""
        body = await asyncio.to_thread(batch_body, chunk)
        timeout = httpx2.Timeout(_SEND_SECONDS, connect=CONNECT_SECONDS)
        client = self._connection.client
        return await client.post(_PATH, cast_to=MessageBatch, content=body, options={"timeout": timeout})

    async def _stream(self, id: str) -> AsyncIterator[Row | Failure]:
        state = await self.look(id)
        if fault := state if isinstance(state, Failure) else self._unreadable(state):
            yield fault
            return
        lines = await self._connection.attempt(self._calls.results(id, timeout=_CALL_SECONDS), _CALL_SECONDS)
        if isinstance(lines, Failure) or not hasattr(lines, "__anext__"):
            yield lines if isinstance(lines, Failure) else not_a_reply("something else than results")
            return
        try:
            while (row := await self._connection.attempt(anext(lines, None), _CALL_SECONDS)) is not None:
                yield row if isinstance(row, Failure) else read_row(row)
                if isinstance(row, Failure):
                    return
        finally:
            await lines.close()

    def _unreadable(self, state: BatchState) -> Failure | None:
        """Why the results of a batch cannot be had; the key is not taken to another place than the one agreed to."""
        if not state.is_ended:
            return Failure(kind="bad_request", reason="the batch has not ended")
        if state.results_url is None:
            return Failure(kind="bad_request", reason="the results of the batch are no longer kept")
        try:
            place = read_endpoint(state.results_url, "results")
        except NotPossible:
            place = None
        if place is None or place.host != self._connection.endpoint.host:
            return Failure(kind="bad_request", reason="the results of the batch are said to be at another address")
        return None

    async def _patiently(self, call: Callable[[], Awaitable[_Answer]]) -> _Answer | Failure:
        patience = Patience(self._sleep)
        while True:
            answer = await self._connection.attempt(call(), _CALL_SECONDS)
            if not isinstance(answer, Failure) or not await patience.allows(answer):
                return answer
