"""What the messages interface refuses, as version 2026-10-21 does: an error message, or None."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

VERSION = "2026-10-21"
_SAMPLING = {"temperature", "top_p", "top_k"}
_COUNTED = {
    "cache_control", "messages", "model", "output_config", "speed", "system", "thinking", "tool_choice", "tools",
}  # fmt: skip
_MESSAGE = _COUNTED | {
    "container", "diagnostics", "inference_geo", "max_tokens", "metadata", "service_tier", "stop_sequences", "stream",
}  # fmt: skip
_BLOCK = {"type", "text", "cache_control", "citations"}
_BOUNDS = {"minLength", "maxLength", "minimum", "maximum", "minItems", "maxItems", "multipleOf"}
_EFFORTS = {"low", "medium", "high", "xhigh", "max"}
_NEVER_FORCED = re.compile(r"claude-(opus-5-5|fable-5-)")


def refusal(body: Any, *, counting: bool = False, batched: bool = False) -> str | None:
    """The first thing wrong with the parameters of a message."""
    if not isinstance(body, dict):
        return "the body must be a JSON object"
    return next(_faults(body, counting=counting, batched=batched), None)


def _faults(body: dict[str, Any], *, counting: bool, batched: bool) -> Iterator[str]:
    for name in sorted(_SAMPLING & body.keys()):
        yield f"{name}: sampling parameters are not supported"
    for name in sorted(body.keys() - (_COUNTED if counting else _MESSAGE)):
        yield f"{name}: Extra inputs are not permitted"
    required = {"model", "messages"} | (set() if counting else {"max_tokens"})
    for name in sorted(required - body.keys()):
        yield f"{name}: Field required"
    if body.get("stream"):
        yield "stream: not supported in a batch" if batched else "stream: this server does not stream"
    if not counting and body.get("max_tokens", 0) < (1 if batched else 0):
        yield "max_tokens: must be positive"
    yield from _message_faults(body["messages"])
    yield from _block_faults(body.get("system", []), "system")
    yield from _choice_faults(body)
    yield from _config_faults(body.get("output_config", {}))


def _message_faults(messages: Any) -> Iterator[str]:
    if not isinstance(messages, list) or not messages:
        yield "messages: at least one message is required"
        return
    for place, message in enumerate(messages):
        if message.keys() != {"role", "content"} or message["role"] not in {"user", "assistant"}:
            yield f"messages.{place}: role and content are required"
        yield from _block_faults(message["content"], f"messages.{place}.content")
    if messages[-1]["role"] == "assistant":
        yield "messages: the last message must be the user's, prefilling is not supported"


def _block_faults(blocks: Any, place: str) -> Iterator[str]:
    if isinstance(blocks, str):
        return
    for number, block in enumerate(blocks):
        for name in sorted(block.keys() - _BLOCK):
            yield f"{place}.{number}.{name}: Extra inputs are not permitted"
        if not block.get("text"):
            yield f"{place}.{number}.text: must not be empty"
        cached = block.get("cache_control", {"type": "ephemeral"})
        if cached.get("type") != "ephemeral" or cached.get("ttl", "5m") not in {"5m", "1h"}:
            yield f"{place}.{number}.cache_control: must be ephemeral for 5m or 1h"


def _choice_faults(body: dict[str, Any]) -> Iterator[str]:
    forced = body.get("tool_choice", {}).get("type") in {"any", "tool"}
    if forced and _NEVER_FORCED.match(body["model"]):
        yield f"tool_choice: {body['model']} does not support forced tool use"


def _config_faults(config: dict[str, Any]) -> Iterator[str]:
    for name in sorted(config.keys() - {"effort", "format"}):
        yield f"output_config.{name}: Extra inputs are not permitted"
    if config.get("effort", "low") not in _EFFORTS:
        yield f"output_config.effort: must be one of {', '.join(sorted(_EFFORTS))}"
    form = config.get("format")
    if form is None:
        return
    if form.keys() != {"type", "schema"} or form["type"] != "json_schema":
        yield "output_config.format: must be a json_schema with its schema"
        return
    yield from _schema_faults(form["schema"], "output_config.format.schema")


def _schema_faults(schema: Any, place: str) -> Iterator[str]:
    """Structured output takes flat schemas: all fields required, none besides, no bounds."""
    for name in sorted(_BOUNDS & schema.keys()):
        yield f"{place}.{name}: is not supported"
    properties = schema.get("properties", {})
    if schema.get("type") == "object" and schema.get("additionalProperties") is not False:
        yield f"{place}: additionalProperties must be false"
    for name in sorted(properties.keys() - set(schema.get("required", []))):
        yield f"{place}.properties.{name}: must be required"
    for name, inner in properties.items():
        yield from _schema_faults(inner, f"{place}.properties.{name}")
    if "items" in schema:
        yield from _schema_faults(schema["items"], f"{place}.items")
