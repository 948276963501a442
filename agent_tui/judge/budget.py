"""What calls may cost: spent, and the worst of what is out, and the worst of the next, never more than the maximum."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Protocol

from msgspec import Struct

from agent_tui.providers.contract import UNCERTAIN, Failure, Outcome, Request, Usage
from agent_tui.providers.cost import paid, worst
from agent_tui.providers.prices import Price as TokenPrices

_MAYBE_BILLED = UNCERTAIN | {"truncated", "refused", "malformed"}


class Price(Protocol):
    """What a model's calls cost."""

    def worst(self, request: Request) -> float | None:
        """The most that a request can cost (USD); None: no price is known."""
        ...

    def cost(self, usage: Usage) -> float | None:
        """What a call cost (USD); None: the price or the tokens are not known."""
        ...


class Free:
    """The price where nothing is billed."""

    def worst(self, request: Request) -> float | None:
        """Nothing."""
        return 0.0

    def cost(self, usage: Usage) -> float | None:
        """Nothing."""
        return 0.0


class PerToken(Struct, frozen=True):
    """The price of a model by its tokens; None: in no table."""

    prices: TokenPrices | None
    batched: bool = False
    """Whether calls are made in batches."""

    def worst(self, request: Request) -> float | None:
        """Every byte a token, the cache no help, all of the output used."""
        return worst(request, self.prices, batched=self.batched)

    def cost(self, usage: Usage) -> float | None:
        """By what the service counted."""
        return paid(usage, self.prices, batched=self.batched)


def cost_of(outcome: Outcome, price: Price) -> float | None:
    """What a call cost (USD); None where nobody knows, so that the worst has to be assumed."""
    if outcome.usage is not None:
        return price.cost(outcome.usage)
    is_unbilled = isinstance(outcome, Failure) and outcome.kind not in _MAYBE_BILLED
    return 0.0 if is_unbilled else price.cost(Usage())


class Budget:
    """The money of one run, in US dollars."""

    def __init__(self, most: float | None, already: float, price: Price) -> None:
        self._most = most
        self._spent = already
        """Known costs, and the worst of what is not known."""
        self._out = 0.0
        self.price = price

    def refusal(self, request: Request) -> str:
        """Why a request may not be sent now; empty where it may."""
        if self._most is None:
            return ""
        worst = self.price.worst(request)
        if worst is None:
            return f"the price of {request.model} is not known, so {self._most:g} USD cannot be kept: set its price"
        if self._has(worst):
            return ""
        return f"{self._spent:.4f} of {self._most:g} USD are spent at most, and the next call may cost {worst:.4f}"

    def affordable(self, requests: Iterable[Request]) -> Iterator[Request]:
        """As many of the first requests as may be sent together, each at the worst of them all."""
        dearest = 0.0
        for count, request in enumerate(requests, 1):
            worst = self.price.worst(request)
            dearest = max(dearest, worst or 0.0)
            if self._most is not None and (worst is None or not self._has(count * dearest)):
                return
            yield request

    def begin(self, request: Request) -> float | None:
        """A call goes out; gives its worst, to be handed to `end`."""
        worst = self.price.worst(request)
        self._out += worst or 0.0
        return worst

    def end(self, worst: float | None, usd: float | None) -> None:
        """A call has ended; where its cost is not known the worst stays."""
        self._out -= worst or 0.0
        self._spent += (worst or 0.0) if usd is None else usd

    def _has(self, usd: float) -> bool:
        """Whether so much more may be spent."""
        return self._most is None or self._spent + self._out + usd <= self._most + 1e-9
