"""A run by message batches with all that it needs, for tests: the loopback service, the SDK, a ledger and waits."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from pathlib import Path

from agent_tui.judge.batch_runner import BatchRunner
from agent_tui.judge.budget import PerToken, Price
from agent_tui.judge.events import Event
from agent_tui.judge.known import Again
from agent_tui.providers.anthropic_client import Connection, connect
from agent_tui.providers.contract import Outcome, Reply, Request
from agent_tui.providers.ledger import Ledger
from agent_tui.providers.patience import Sleep
from agent_tui.providers.prices import price_of
from tests.judge.counting import Waits, by_key, settled
from tests.providers.asking import ask_about
from tests.providers.batch_sender import JUDGE, MIDNIGHT
from tests.providers.loopback import Loopback

CREATE = "POST /v1/messages/batches"
SHOW = "GET /v1/messages/batches/{id}"
RESULTS = "GET /v1/messages/batches/{id}/results"
LIST = "GET /v1/messages/batches"
PRICE = PerToken(price_of(JUDGE.model), batched=True)
NOTHING_AGAIN = Again()


def later() -> datetime:
    """An hour after the service's first batch: an orphan is no news any more."""
    return MIDNIGHT + timedelta(hours=1)


def asks(number: int) -> list[Request]:
    """So many requests, `answer 0` and on."""
    return [ask_about(f"answer {place}") for place in range(number)]


def sent(server: Loopback) -> Counter[str]:
    """How often each request was sent in a batch, by its name there."""
    return Counter(name for batch in batches_of(server) for name in batch)


def batches_of(server: Loopback) -> list[list[str]]:
    """The names of the requests in every batch that was sent."""
    return [[item["custom_id"] for item in request.json()["requests"]] for request in server.requests(CREATE)]


def said(outcomes: dict[str, Outcome]) -> Counter[str]:
    """How often each verdict was given; a failure counts by its kind."""
    return Counter(
        str(json.loads(outcome.text)["verdict"]) if isinstance(outcome, Reply) else outcome.kind
        for outcome in outcomes.values()
    )


class Batching:
    """Runs over one ledger, each by a new runner."""

    def __init__(self, server: Loopback, path: Path) -> None:
        self.server, self.path = server, path
        self.waits = Waits()
        self.events: list[Event] = []
        self.runner: BatchRunner

    async def run(
        self,
        asked: Iterable[Request],
        *,
        max_cost: float | None = None,
        price: Price = PRICE,
        again: Again = NOTHING_AGAIN,
        sleep: Sleep | None = None,
        sync: Callable[[int], None] = lambda _descriptor: None,
        told: Callable[[Event], None] = lambda _event: None,
    ) -> list[Event]:
        """All events of a run; `told` is given each as it comes."""
        connection = connect(self.server.url)
        assert isinstance(connection, Connection)
        self.events = []
        try:
            with Ledger.open(self.path, clock=lambda: MIDNIGHT, sync=sync) as ledger:
                self.runner = BatchRunner(
                    connection, JUDGE, ledger, max_cost=max_cost, price=price, again=again,
                    sleep=sleep or self.waits, now=later,
                )  # fmt: skip
                async for event in self.runner.run(by_key(asked)):
                    self.events.append(event)
                    told(event)
        finally:
            await connection.client.close()
        return self.events

    async def outcomes(self, asked: Iterable[Request], again: Again = NOTHING_AGAIN) -> dict[str, Outcome]:
        return settled(await self.run(asked, again=again))
