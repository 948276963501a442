"""Records that we make of foreign runs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec import Raw

from agent_tui.readers import loose
from agent_tui.readers.loose import Fields
from agent_tui.runs import ToolCall, surrogates


def encode_record(record: Mapping[str, Any]) -> bytes:
    """A record as agent-tui/1 JSON text; `Raw` values are written as they stand, keys that are None are left out."""
    return surrogates.encode({key: value for key, value in record.items() if value is not None})


def raw_of(value: Any) -> Raw:
    """A value as JSON text."""
    return Raw(surrogates.encode(value))


def expected_calls(calls: Iterable[ToolCall]) -> list[dict[str, Any]]:
    """Calls that were made as calls that should be made."""
    return [
        {"name": call.name, "args": call.args} | ({"group": call.group} if call.group is not None else {})
        for call in calls
    ]


def scores_of(fields: Fields, *names: str) -> dict[str, Raw] | None:
    """The members of `fields` that are called like a score and hold a number or a boolean."""
    found = {name: fields[name] for name in names if name in fields and loose.kind(fields[name]) in "-0123456789tf"}
    return found or None
