"""What asking would cost, told before anything is sent: calls, tokens, money, time, and what is known already."""

from __future__ import annotations

from collections.abc import Iterable
from math import ceil

from msgspec import Struct

from agent_tui.judge.asks import Ask
from agent_tui.judge.budget import Price
from agent_tui.providers.contract import Reply, Usage
from agent_tui.providers.ledger import Ledger

CHARACTERS_A_TOKEN = 3.2
"""Of English and JSON in the tokenisers of this year; counting exactly would send the text before anyone agreed."""
OUTPUT_TOKENS = 300
"""A reply, where the ledger knows none (tokens)."""
SECONDS_A_CALL = 4.0
"""A guess."""


class Estimate(Struct, frozen=True, kw_only=True):
    """An estimate. Tokens and seconds are guesses and are shown as such."""

    calls: int
    """Calls to be made (a count)."""
    cached: int
    """Asks that the ledger answers (a count)."""
    input_tokens: int
    output_tokens: int
    usd_low: float | None
    """As tokens are guessed; None: the price is not known."""
    usd_high: float | None
    """If every reply were as long as it may be."""
    seconds: float

    def __add__(self, other: Estimate) -> Estimate:
        return Estimate(
            calls=self.calls + other.calls,
            cached=self.cached + other.cached,
            input_tokens=self.input_tokens + other.input_tokens,
            output_tokens=self.output_tokens + other.output_tokens,
            usd_low=_sum(self.usd_low, other.usd_low),
            usd_high=_sum(self.usd_high, other.usd_high),
            seconds=self.seconds + other.seconds,
        )


def estimate(asks: Iterable[Ask], ledger: Ledger, price: Price, concurrency: int) -> Estimate:
    """What `asks` would cost beyond what the ledger answers. Equal material counts once."""
    output = _usual_output(ledger)
    seen: set[str] = set()
    cached = tokens = 0
    low: float | None = 0.0
    high: float | None = 0.0
    for ask in asks:
        if ask.key in seen:
            continue
        seen.add(ask.key)
        recorded = ledger.reply(ask.key)
        if recorded is not None and isinstance(recorded.outcome, Reply):
            cached += 1
            continue
        sent = input_tokens(ask)
        tokens += sent
        low = _sum(low, price.cost(Usage(input_tokens=sent, output_tokens=output)))
        high = _sum(high, price.worst(ask.request))
    calls = len(seen) - cached
    return Estimate(
        calls=calls,
        cached=cached,
        input_tokens=tokens,
        output_tokens=calls * output,
        usd_low=low,
        usd_high=high,
        seconds=ceil(calls / max(1, concurrency)) * SECONDS_A_CALL,
    )


def input_tokens(ask: Ask) -> int:
    """Tokens that an ask sends, guessed from its length (a count)."""
    request = ask.request
    return ceil((len(request.system) + len(request.user) + len(request.schema)) / CHARACTERS_A_TOKEN)


def _usual_output(ledger: Ledger, sample: int = 200) -> int:
    """Tokens of a reply: the mean of the ledger's first replies that say, else a guess."""
    said: list[int] = []
    for recorded in ledger.recorded():
        usage = recorded.outcome.usage
        if usage is not None and usage.output_tokens:
            said.append(usage.output_tokens)
        if len(said) == sample:
            break
    return ceil(sum(said) / len(said)) if said else OUTPUT_TOKENS


def _sum(one: float | None, other: float | None) -> float | None:
    """The sum; None where either is not known."""
    return None if one is None or other is None else one + other
