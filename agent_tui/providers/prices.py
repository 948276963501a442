"""What models cost, in US dollars: a dated table, over which the user's own prices win."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated

from msgspec import Meta, Struct

PRICES_OF = "October 2026"
"""When the table was read from the vendors' pages."""
BATCH_SHARE = 0.5
"""What a batch costs of the same calls made one by one."""
_Dollars = Annotated[float, Meta(ge=0, le=100_000)]
_DATED = re.compile(r"-\d{8}$|@\d{8}$")


class Price(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """USD per million tokens.

    `long_from` is the number of prompt tokens above which a whole call costs `long_input` and `long_output`, what comes
    from the cache included, since no price of that is published.
    """

    input: _Dollars
    output: _Dollars
    cache_read: _Dollars | None = None
    """None: as much as any input."""
    cache_write: _Dollars | None = None
    """None: 1.25 times the input, twice in a batch, where it is kept for an hour."""
    long_from: Annotated[int, Meta(gt=0)] | None = None
    long_input: _Dollars | None = None
    long_output: _Dollars | None = None


TABLE: Mapping[str, Price] = {
    "claude-haiku-5-5": Price(
        input=0.10, output=0.50, cache_read=0.01, long_from=100_000, long_input=0.50, long_output=2.50
    ),
    "claude-sonnet-5-5": Price(input=2.0, output=10.0, cache_read=0.10),
    "claude-opus-5-5": Price(input=4.0, output=20.0, cache_read=0.20),
    "claude-fable-5-1": Price(input=10.0, output=50.0),
}


def price_of(model: str, own: Mapping[str, Price] | None = None) -> Price | None:
    """The price of a model, by its name or its name without a date; the user's `own` first. None: not known."""
    names = (model, _DATED.sub("", model))
    return next((prices[name] for prices in (own or {}, TABLE) for name in names if name in prices), None)
