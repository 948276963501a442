"""Records that we make of foreign runs."""

from __future__ import annotations

from typing import Any

import msgspec

_encode = msgspec.json.Encoder(decimal_format="number").encode


def encode_record(record: dict[str, Any]) -> bytes:
    """A record as agent-tui/1 JSON text; `Raw` values are written as they stand."""
    return _encode(record)
