"""What the fake judge says: a table or a rule of what it was asked, known in advance."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Asked:
    """One ask as a model would read it."""

    material: dict[str, Any]
    """The JSON object of the user's turn without the nonce: task, answer and trace as decoded."""
    nonce: str
    labels: tuple[str, ...]
    """In the order in which the schema offers them."""
    criteria: tuple[str, ...]
    system: str
    user: str
    model: str


Judge = Callable[[Asked], str | dict[str, Any]]
"""Gives a label, from which an ordinary reply is made; or a whole reply object; or text that is sent as it is."""


def always(verdict: str) -> Judge:
    return lambda _asked: verdict


def by_answer(table: Mapping[str, str], otherwise: str = "undetermined") -> Judge:
    """A verdict by the whole text of the answer."""
    return lambda asked: table.get(str(asked.material.get("answer")), otherwise)


def by_digest(table: Mapping[str, str], digest: Callable[[dict[str, Any]], str]) -> Judge:
    """A verdict by the digest of the material, taken as the caller takes it."""
    return lambda asked: table.get(digest(asked.material), "undetermined")


def read_ask(system: str, user: str, schema: Mapping[str, Any], model: str) -> Asked:
    """An ask out of the text and the schema of a request, whichever interface it came by."""
    material = _first_object(user)
    properties = schema.get("properties", {})
    labels = properties.get("verdict", {}).get("enum", ["pass", "fail", "undetermined"])
    evidence = properties.get("evidence", {}).get("items", {}).get("properties", {})
    criteria = evidence.get("criterion", {}).get("enum", ["c1"])
    nonce = str(material.pop("item", ""))
    return Asked(material, nonce, tuple(labels), tuple(criteria), system, user, model)


def reply_text(judge: Judge, asked: Asked) -> str:
    """What the judge says, as the text of a reply."""
    said = judge(asked)
    if isinstance(said, str) and said not in asked.labels:
        return said
    return json.dumps(said if isinstance(said, dict) else ordinary_reply(asked, said), ensure_ascii=False)


def ordinary_reply(asked: Asked, verdict: str) -> dict[str, Any]:
    """A reply in good order: the nonce echoed, a quotation out of the answer, the verdict last."""
    met = {"pass": "yes", "fail": "no"}.get(verdict, "unclear")
    quote = str(asked.material.get("answer", ""))[:60].strip()
    evidence = [{"criterion": name, "met": met, "quote": quote, "source": "answer"} for name in asked.criteria]
    return {
        "item": asked.nonce,
        "evidence": evidence,
        "instructions_seen": False,
        "reason": f"The fake judge says {verdict}.",
        "verdict": verdict,
    }


def _first_object(text: str) -> dict[str, Any]:
    start = text.find("{")
    try:
        value, _end = json.JSONDecoder().raw_decode(text, start) if start >= 0 else ({}, 0)
    except ValueError:
        return {}
    return dict(value)
