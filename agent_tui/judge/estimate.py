"""What asking would cost, told before anything is sent: calls, tokens, money, time, and what is known already.

Tokens are counted here by length: to have the service count them would send the text before anyone agreed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from math import ceil

from msgspec import Struct

from agent_tui.judge.asks import Ask
from agent_tui.providers import cost
from agent_tui.providers.contract import Reply
from agent_tui.providers.ledger import Ledger
from agent_tui.providers.prices import Price

SECONDS_A_CALL = 4.0
"""A guess."""
_SEEN = 200
"""Replies of the ledger that tell how long one is (a count)."""


class Estimate(Struct, frozen=True, kw_only=True):
    """What is to be asked, and what the ledger answers."""

    cost: cost.Estimate
    cached: int
    """Asks that the ledger answers (a count)."""
    seconds: float
    """A guess."""
    alike: int = 0
    """Asks with the text of another, which its one call answers (a count)."""
    in_batches: int = 0
    """Asks that wait in batches which were sent before (a count)."""
    batched: bool | None = None
    """Whether the calls are made in batches; None: the provider takes none."""

    @property
    def calls(self) -> int:
        """Calls to be made (a count)."""
        return self.cost.calls

    @property
    def asks(self) -> int:
        """All asks, whatever answers them (a count)."""
        return self.calls + self.cached + self.alike + self.in_batches


FREE = Price(input=0, output=0)
"""The price where nothing is billed."""


def estimate(
    asks: Iterable[Ask], ledger: Ledger, price: Price | None, concurrency: int, *, batched: bool | None = None
) -> Estimate:
    """What `asks` would take beyond what the ledger answers; equal material counts once. `FREE` takes no time.

    `batched` says whether calls are made in batches; None: the provider takes none.
    """
    seen: set[str] = set()
    tokens: list[int] = []
    cached = shared = in_batches = alike = 0
    for ask in asks:
        if ask.key in seen:
            alike += 1
            continue
        seen.add(ask.key)
        if ledger.is_in_batch(ask.key):
            in_batches += 1
            continue
        recorded = ledger.reply(ask.key)
        if recorded is not None and isinstance(recorded.outcome, Reply):
            cached += 1
        else:
            request = ask.request
            tokens.append(cost.rough_tokens(request))
            shared = ceil(len(request.system) / cost.CHARACTERS_A_TOKEN)
    output = cost.output_range(islice(_output_tokens(ledger), _SEEN))
    return Estimate(
        cost=cost.estimate(len(tokens), tokens, output, price, shared_tokens=shared),
        cached=cached,
        seconds=0.0 if price == FREE else ceil(len(tokens) / max(1, concurrency)) * SECONDS_A_CALL,
        alike=alike,
        in_batches=in_batches,
        batched=batched,
    )


def _output_tokens(ledger: Ledger) -> Iterator[int | None]:
    """How long the replies were that the ledger knows."""
    usages = (recorded.outcome.usage for recorded in ledger.recorded())
    return (usage.output_tokens for usage in usages if usage is not None)
