"""One run by message batches, as its parts share it: what is asked, what is still to be sent, why it may end early."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime

from msgspec import Struct, field

from agent_tui.judge.budget import Budget, PerToken, Price
from agent_tui.judge.events import Settled, UnderWay
from agent_tui.judge.interruptible import Interruptible
from agent_tui.judge.known import Again
from agent_tui.judge.outbox import Outbox
from agent_tui.judge.setbacks import Setbacks
from agent_tui.providers.anthropic_client import Connection
from agent_tui.providers.batches import Batches
from agent_tui.providers.contract import Outcome, Request
from agent_tui.providers.ledger import Ledger, utc_now
from agent_tui.providers.ledger_index import OpenBatch

LOOKS = (5.0, 10.0, 20.0, 30.0)
"""Seconds before the next look at batches; the last again and again."""
NOTHING_AGAIN, NO_PRICE = Again(), PerToken(None)


class BatchRun(Struct, eq=False):
    """The run. Which batches are out the ledger alone knows."""

    connection: Connection
    batches: Batches
    ledger: Ledger
    max_cost: float | None = None
    price: Price = NO_PRICE
    again: Again = NOTHING_AGAIN
    now: Callable[[], datetime] = utc_now
    requests: Mapping[str, Request] = field(default_factory=dict)
    outbox: Outbox = field(default_factory=lambda: Outbox({}))
    setbacks: Setbacks = field(default_factory=Setbacks)
    steps: Interruptible = field(default_factory=Interruptible)
    ended: int = 0
    """Batches that were read (a count)."""
    news: int = 0
    """Whatever brought the run on (a count)."""

    def ask(self, requests: Mapping[str, Request]) -> None:
        """Say what the run is about."""
        self.requests, self.outbox = requests, Outbox(requests)

    @property
    def goes_on(self) -> bool:
        """Whether nothing ended it early."""
        return self.setbacks.stop is None

    @property
    def budget(self) -> Budget:
        """The money as it stands now: what is out counts at its worst, since the ledger has it so."""
        return Budget(self.max_cost, self.ledger.spent.at_most, self.price)

    def open_batches(self) -> list[OpenBatch]:
        """Batches that bring something for this run, oldest first."""
        return [batch for batch in self.ledger.batches() if any(key in self.requests for key in batch.keys)]

    def settled(self, key: str, outcome: Outcome, *, from_ledger: bool = False) -> Settled:
        """That a request has its outcome."""
        recorded = self.ledger.reply(key)
        return Settled(self.requests[key], outcome, from_ledger, recorded.attempts if recorded else 0)

    def under_way(self) -> UnderWay | None:
        """What is out; None: nothing."""
        out = self.open_batches()
        if not out:
            return None
        since = min(datetime.fromisoformat(batch.at) for batch in out)
        return UnderWay(
            batches=len(out),
            searched=sum(not batch.id for batch in out),
            ended=self.ended,
            seconds=max(0.0, (self.now() - since).total_seconds()),
        )
