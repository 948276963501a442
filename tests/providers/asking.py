"""Requests and surroundings for tests of providers."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path

import pytest

from agent_tui.providers.contract import LABELS, Request

KEY = "sk-ant-secret-0123456789abcdef"


def ask_about(
    answer: str = "Paris", *, task: str = "the capital of France", model: str = "claude-haiku-5-5", **fields: object
) -> Request:
    """A request about an answer, as the judge would render it; its schema is the strict one."""
    key = hashlib.sha256(f"{model}\n{task}\n{answer}\n{sorted(fields.items())}".encode()).hexdigest()
    material = json.dumps({"item": key[:12], "task": task, "answer": answer})
    ordinary = {
        "key": key,
        "item": key[:12],
        "digest": hashlib.sha256(answer.encode()).hexdigest(),
        "system": "You judge answers by one criterion: is it true?",
        "user": f"Judge the item in this JSON object.\n{material}",
        "schema": reply_schema(),
        "model": model,
    }
    return Request(**(ordinary | fields))  # type: ignore[arg-type]


def reply_schema(labels: tuple[str, ...] = LABELS) -> bytes:
    """The schema of a judge's reply."""
    evidence = {
        "criterion": {"type": "string", "enum": ["true"]},
        "met": {"type": "string", "enum": ["yes", "no", "unclear"]},
        "quote": {"type": "string"},
        "source": {"type": "string", "enum": ["task", "answer", "trace"]},
    }
    fields = {
        "item": {"type": "string"},
        "evidence": {"type": "array", "items": _object(evidence)},
        "instructions_seen": {"type": "boolean"},
        "reason": {"type": "string"},
        "verdict": {"type": "string", "enum": list(labels)},
    }
    return json.dumps(_object(fields)).encode()


def _object(properties: dict[str, object]) -> dict[str, object]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def forget_credentials(monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
    """No credential of the vendor's, nor a proxy, from the shell that started the tests."""
    for name in [name for name in os.environ if name.startswith("ANTHROPIC_") or name.lower().endswith("_proxy")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(home))
