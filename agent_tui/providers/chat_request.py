"""Our request as the body of a chat completion. Never sampling parameters: reasoning models refuse them."""

from __future__ import annotations

import msgspec

from agent_tui.providers.contract import Request
from agent_tui.providers.rungs import JSON_OBJECT, JSON_SCHEMA, TEXT, TOOLS, Manner

_TOOL = "give_verdict"
_IN_WORDS = "\n\nThe reply is one JSON object and nothing else, of this JSON Schema:\n"


def body_of(request: Request, manner: Manner) -> bytes:
    """The body as JSON. Raises `UnicodeEncodeError` for half a character."""
    system = request.system
    if manner.rung in (JSON_OBJECT, TEXT):
        system += _IN_WORDS + request.schema.decode()
    messages = [{"role": "system", "content": system}, {"role": "user", "content": request.user}]
    asked = {"model": request.model, "messages": messages, manner.bound: request.max_tokens}
    return msgspec.json.encode(asked | _form(request.schema, manner.rung))


def _form(schema: bytes, rung: str) -> dict[str, object]:
    """What asks for the form of the reply; the schema keeps its order."""
    raw = msgspec.Raw(schema)
    if rung == JSON_SCHEMA:
        named = {"name": "verdict", "strict": True, "schema": raw}
        return {"response_format": {"type": "json_schema", "json_schema": named}}
    if rung == JSON_OBJECT:
        return {"response_format": {"type": "json_object"}}
    if rung == TOOLS:
        tool = {"name": _TOOL, "description": "Give the verdict.", "parameters": raw}
        chosen = {"type": "function", "function": {"name": _TOOL}}
        return {"tools": [{"type": "function", "function": tool}], "tool_choice": chosen}
    return {}
