"""Tokens of chat messages: counted once per message id, whatever the provider calls them."""

from __future__ import annotations

from collections.abc import Iterable

from agent_tui.readers import loose
from agent_tui.readers.loose import Fields

_NAMES = {
    "input_tokens": ("input_tokens", "prompt_tokens"),
    "output_tokens": ("output_tokens", "completion_tokens"),
    "cache_read_tokens": ("cache_read_input_tokens", "input_tokens_cache_read"),
    "cache_write_tokens": ("cache_creation_input_tokens", "input_tokens_cache_write"),
    "reasoning_tokens": ("reasoning_tokens",),
    "cost_usd": ("cost_usd", "total_cost", "cost"),
}


def usage_of(usage: Fields) -> dict[str, int | float]:
    """One usage object in our words; what it does not say is absent."""
    found: dict[str, int | float] = {}
    for ours, theirs in _NAMES.items():
        value = next((number for key in theirs if (number := loose.number(usage.get(key))) is not None), None)
        if value is not None:
            found[ours] = value
    return found


def total_usage(messages: Iterable[Fields]) -> dict[str, int | float] | None:
    """The usage of all messages; one that repeats the id of another repeats its usage too."""
    total: dict[str, int | float] = {}
    seen: set[str] = set()
    for message in messages:
        name = loose.name(message.get("id"))
        usage = loose.fields(message.get("usage"))
        if not usage or name in seen:
            continue
        if name is not None:
            seen.add(name)
        for key, value in usage_of(usage).items():
            total[key] = total.get(key, 0) + value
    return total or None
