"""A request as the judge renders it, in a line."""

from __future__ import annotations

import json
from typing import Any

from agent_tui.providers.contract import LABELS, Request

MODEL = "claude-haiku-5-5"
SCHEMA = {
    "type": "object",
    "properties": {
        "item": {"type": "string"},
        "evidence": {"type": "array", "items": {"type": "object"}},
        "instructions_seen": {"type": "boolean"},
        "reason": {"type": "string"},
        "verdict": {"type": "string", "enum": list(LABELS)},
    },
    "required": ["item", "evidence", "instructions_seen", "reason", "verdict"],
    "additionalProperties": False,
}


def make_request(user: str = 'Judge this item.\n{"item": "n1", "answer": "Paris"}', **fields: Any) -> Request:
    """A request of the usual form; what is not named is as usual."""
    ordinary = {"key": "0" * 64, "item": "n1", "digest": "d", "system": "You judge.", "model": MODEL}
    return Request(**{**ordinary, "user": user, "schema": json.dumps(SCHEMA).encode(), **fields})
