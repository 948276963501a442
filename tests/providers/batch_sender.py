"""Sends one batch as a process of its own, to be killed: `.. batch_sender URL LEDGER ANSWER..`."""

from __future__ import annotations

import asyncio
import sys
from datetime import UTC, datetime
from pathlib import Path

from agent_tui.providers.anthropic_client import Connection, connect
from agent_tui.providers.batch_chunks import chunks
from agent_tui.providers.batches import Batches
from agent_tui.providers.contract import Identity
from agent_tui.providers.ledger import Ledger
from tests.providers.asking import ask_about

JUDGE = Identity(provider="anthropic", host_class="loopback", model="claude-haiku-5-5")
MIDNIGHT = datetime(2026, 11, 29, tzinfo=UTC)
"""When the fake server's first batch is made."""


async def main(url: str, path: str, answers: list[str]) -> None:
    connection = connect(url)
    assert isinstance(connection, Connection)
    with Ledger.open(Path(path), clock=lambda: MIDNIGHT) as ledger:
        for chunk in chunks([ask_about(answer) for answer in answers]):
            await Batches(connection, JUDGE, ledger).send(chunk, 0.01)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2], sys.argv[3:]))
