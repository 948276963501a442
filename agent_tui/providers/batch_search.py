"""A batch whose id never came back: whether the service has it, told by the names of the requests in its results.

Until that is known nothing of it may be sent again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import TypeAlias

from msgspec import Struct

from agent_tui.providers.anthropic_client import Connection
from agent_tui.providers.batch_chunks import request_name
from agent_tui.providers.batch_replies import BatchState, read_state
from agent_tui.providers.batches import Batches
from agent_tui.providers.contract import Failure
from agent_tui.providers.ledger import Ledger, utc_now
from agent_tui.providers.ledger_index import OpenBatch

_CLOCKS_APART = timedelta(minutes=10)
"""How much the service's clock may differ from ours."""
_LISTED_AFTER = timedelta(seconds=120)
"""How long a new batch may be missing from the list."""
_SECONDS = 120.0
_NEVER_SENT = Failure(kind="connection", reason="the batch never reached the service")


class Found(Struct, frozen=True):
    """It was created."""

    id: str


class NeverSent(Struct, frozen=True):
    """It was not; its asks are free again."""


class Undecided(Struct, frozen=True):
    """It cannot be told yet; ask again later."""

    reason: str


Search: TypeAlias = Found | NeverSent | Undecided | Failure


async def find(
    orphan: OpenBatch,
    connection: Connection,
    batches: Batches,
    ledger: Ledger,
    now: Callable[[], datetime] = utc_now,
) -> Search:
    """Look for a batch without an id among those that the service has, and write down what came of it."""
    sent_at = datetime.fromisoformat(orphan.at)
    listed = await connection.attempt(_created_since(connection, sent_at - _CLOCKS_APART), _SECONDS)
    if isinstance(listed, Failure):
        return listed
    unknown = [state for state in listed if not ledger.knows_batch(state.id)]
    candidates = [state for state in unknown if state.request_counts.total == len(orphan.keys)]
    for state in candidates:
        belongs = await _belongs(state, orphan, batches) if state.is_ended else False
        if isinstance(belongs, Failure):
            return belongs
        if belongs:
            await asyncio.to_thread(ledger.batch_sent, orphan.chunk, state.id)
            return Found(state.id)
    if any(not state.is_ended for state in candidates):
        return Undecided("a batch of as many requests has not ended, and only its results say whose it is")
    if now() - sent_at < _LISTED_AFTER:
        return Undecided("it may have been sent a moment ago")
    await batches.release(orphan.keys, _NEVER_SENT)
    return NeverSent()


async def _created_since(connection: Connection, since: datetime) -> list[BatchState]:
    """Batches of the service, the newest first."""
    found = []
    async for shown in connection.client.messages.batches.list(limit=100):
        state = read_state(shown)
        if isinstance(state, BatchState):
            if state.created_at < since:
                break
            found.append(state)
    return found


async def _belongs(state: BatchState, orphan: OpenBatch, batches: Batches) -> bool | Failure:
    """Whether the results of a batch are of the orphan's asks, and of no others."""
    names, rows = {request_name(key) for key in orphan.keys}, 0
    async for row in batches.rows(state.id):
        if isinstance(row, Failure):
            return row
        if row[0] not in names:
            return False
        rows += 1
    return rows > 0
