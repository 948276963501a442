"""Digests: what two sides must share to mean the same thing."""

from __future__ import annotations

import hashlib

from agent_tui.runs import JsonValue
from agent_tui.runs.json_values import canonical_of


def digest_of(value: JsonValue) -> str:
    """SHA-256 of a value's canonical JSON, as 64 hex digits."""
    return hashlib.sha256(canonical_of(value)).hexdigest()


def content_digest(task: str, answer: str) -> str:
    """Digest of an ask and an answer as recorded: what a label or an example is about, whatever rubric looks at it."""
    return digest_of({"answer": answer, "task": task})
