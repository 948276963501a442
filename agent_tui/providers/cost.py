"""What calls cost: one that was made, one at its worst, and many before they are made, from low to high.

A token that nobody counted is not free: without a count or a price there are no dollars.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import ceil, fsum, sqrt

from msgspec import Struct

from agent_tui.providers.contract import Request, Usage
from agent_tui.providers.prices import BATCH_SHARE, Price
from agent_tui.stats.student_t import student_t_quantile

OUTPUT_GUESS = (200, 1_000)
"""Output tokens of a verdict, before any has been seen."""
_PER_TOKEN = 1e-6
CHARACTERS_A_TOKEN = 3.2
_FRAME = 1_024
"""More tokens than a service adds of its own to frame one turn and to explain the schema."""
_TWO_SIDED_95 = 0.975
Range = tuple[float, float]


class Estimate(Struct, frozen=True, kw_only=True):
    """What asking so many times will take, low to high."""

    calls: int
    input_tokens: Range | None
    """None where there is nothing to go by."""
    output_tokens: Range
    usd: Range | None
    """None where the price or the input is not known."""
    batch_usd: Range | None
    """The same calls in batches."""


def paid(usage: Usage | None, price: Price | None, *, batched: bool = False) -> float | None:
    """What a call cost (USD), by what the service counted; None where it did not, or where there is no price."""
    if usage is None or price is None or usage.input_tokens is None or usage.output_tokens is None:
        return None
    read, written = usage.cache_read_tokens or 0, usage.cache_write_tokens or 0
    prompt = usage.input_tokens + read + written
    return _dollars(price, prompt, usage.output_tokens, read=read, written=written, batched=batched)


def worst(request: Request, price: Price | None, *, batched: bool = False) -> float | None:
    """What a call costs at most (USD): every byte a token, the cache no help, all of the output used."""
    if price is None:
        return None
    prompt = most_tokens(request)
    return max(_ways(price, prompt, request.max_tokens, prompt, batched))


def rough_tokens(request: Request) -> int:
    """Input tokens of a request where the service does not count them: a token for 3.2 characters."""
    return ceil(len(_prompt(request)) / CHARACTERS_A_TOKEN)


def most_tokens(request: Request) -> int:
    """More input tokens than a request can have: no token is less than a byte."""
    return len(_prompt(request).encode("utf-8", "surrogatepass")) + _FRAME


def output_range(seen: Iterable[int | None]) -> Range:
    """Output tokens of a verdict, low to high: by those that were counted, else a guess."""
    counted = [float(tokens) for tokens in seen if tokens is not None]
    return _mean_range(counted) if counted else OUTPUT_GUESS


def estimate(
    calls: int, sampled: Sequence[int], output: Range, price: Price | None, *, shared_tokens: int = 0
) -> Estimate:
    """What so many calls will take, by the input tokens of `sampled` ones and the output tokens of a verdict.

    At best the `shared_tokens` that all calls begin with are read from the cache; at worst each call writes them anew.
    """

    def dollars(batched: bool) -> Range | None:
        if price is None:
            return None
        return _all_calls(calls, [_call_range(price, n, output, shared_tokens, batched) for n in sampled])

    return Estimate(
        calls=calls,
        input_tokens=_all_calls(calls, [(tokens, tokens) for tokens in sampled]),
        output_tokens=(calls * output[0], calls * output[1]),
        usd=dollars(batched=False),
        batch_usd=dollars(batched=True),
    )


def _prompt(request: Request) -> str:
    return request.system + request.user + request.schema.decode()


def _call_range(price: Price, prompt: int, output: Range, shared: int, batched: bool) -> Range:
    kept = min(shared, prompt)
    low, high = (_ways(price, prompt, tokens, kept, batched) for tokens in output)
    return min(low), max(high)


def _ways(price: Price, prompt: int, output: float, kept: int, batched: bool) -> tuple[float, float, float]:
    """What a call costs with `kept` tokens of its prompt read from the cache, written to it, or neither."""
    return (
        _dollars(price, prompt, output, read=kept, batched=batched),
        _dollars(price, prompt, output, written=kept, batched=batched),
        _dollars(price, prompt, output, batched=batched),
    )


def _dollars(
    price: Price, prompt: float, output: float, *, read: float = 0, written: float = 0, batched: bool = False
) -> float:
    """What a call costs of which `read` and `written` tokens of the prompt went through the cache."""
    is_long = price.long_from is not None and prompt > price.long_from
    a_token = price.long_input if is_long and price.long_input is not None else price.input
    an_answer = price.long_output if is_long and price.long_output is not None else price.output
    from_cache = a_token if is_long or price.cache_read is None else price.cache_read
    usual = a_token * (2.0 if batched else 1.25)
    to_cache = usual if is_long or price.cache_write is None else price.cache_write
    whole = (prompt - read - written) * a_token + read * from_cache + written * to_cache + output * an_answer
    return whole * _PER_TOKEN * (BATCH_SHARE if batched else 1.0)


def _all_calls(calls: int, sampled: Sequence[Range]) -> Range | None:
    """Low and high of all calls by those of a sample; None for calls without one."""
    if calls == 0:
        return 0.0, 0.0
    if not sampled:
        return None
    if len(sampled) >= calls:
        return fsum(low for low, _ in sampled[:calls]), fsum(high for _, high in sampled[:calls])
    return calls * _mean_range([low for low, _ in sampled])[0], calls * _mean_range([high for _, high in sampled])[1]


def _mean_range(values: Sequence[float]) -> Range:
    """Between which values the mean lies of all that a sample stands for: its 95 % t interval, never below zero."""
    n = len(values)
    mean = fsum(values) / n
    if n == 1:
        return mean, mean
    spread = sqrt(fsum((value - mean) ** 2 for value in values) / (n - 1) / n)
    half = student_t_quantile(_TWO_SIDED_95, n - 1) * spread
    return max(0.0, mean - half), mean + half
