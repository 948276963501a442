"""The vendor's interface at the fake server: messages, counting, models."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

from tests.providers.messages_rules import VERSION, refusal
from tests.providers.verdicts import read_ask, reply_text
from tests.providers.wire import HttpRequest, HttpResponse

if TYPE_CHECKING:
    from tests.providers.loopback import Loopback

MODELS = (
    "claude-haiku-5-5", "claude-sonnet-5-5", "claude-opus-5-5", "claude-fable-5-1", "claude-opus-4-8",
    "claude-haiku-4-5", "claude-opus-4-5",
)  # fmt: skip
_CACHED_FROM = 1024
"""Tokens that a prefix must have to be kept."""


def vendor_error(status: int, type: str, message: str) -> HttpResponse:
    return HttpResponse.of(
        {"type": "error", "error": {"type": type, "message": message}, "request_id": "req_refused"}, status
    )


def unwelcome(server: Loopback, request: HttpRequest) -> HttpResponse | None:
    """What is wrong with the headers: no credential or the wrong one, no version or an unknown one."""
    bearer = request.headers.get("authorization", "").removeprefix("Bearer ")
    key = bearer or request.headers.get("x-api-key", "")
    if not key or (server.key is not None and key != server.key):
        return vendor_error(401, "authentication_error", "invalid credentials")
    if request.headers.get("anthropic-version") not in {VERSION, "2023-06-01"}:
        return vendor_error(400, "invalid_request_error", "anthropic-version: header is required")
    return None


async def create(server: Loopback, request: HttpRequest) -> HttpResponse:
    if wrong := unwelcome(server, request):
        return wrong
    body = request.json()
    if fault := refusal(body):
        return vendor_error(400, "invalid_request_error", fault)
    if body["model"] not in server.models:
        return vendor_error(404, "not_found_error", f"model: {body['model']}")
    return HttpResponse.of(message(server, body))


def message(server: Loopback, params: dict[str, Any]) -> dict[str, Any]:
    """The message that the fake judge gives for the parameters of a request."""
    schema = params.get("output_config", {}).get("format", {}).get("schema", {})
    asked = read_ask(_text(params.get("system", "")), _text(params["messages"][-1]["content"]), schema, params["model"])
    text = reply_text(server.judge, asked)
    return {
        "id": f"msg_{server.next_number():06d}",
        "type": "message",
        "role": "assistant",
        "model": params["model"],
        "content": [{"type": "text", "text": text}],
        "stop_reason": "end_turn",
        "stop_sequence": None,
        "usage": _usage(server, params, text),
    }


def _usage(server: Loopback, params: dict[str, Any], text: str) -> dict[str, Any]:
    """Token counts as the vendor gives them: a long marked prefix is written once and read from then on."""
    prefix = _marked_prefix(params.get("system", []))
    kept = count(prefix) if count(prefix) >= _CACHED_FROM else 0
    name = hashlib.sha256(f"{params['model']}\n{prefix}".encode()).hexdigest()
    known = name in server.prefixes
    if kept:
        server.prefixes.add(name)
    return {
        "input_tokens": count(_prompt(params)) - kept,
        "output_tokens": count(text),
        "cache_creation_input_tokens": 0 if known else kept,
        "cache_read_input_tokens": kept if known else 0,
        "service_tier": "standard",
    }


async def count_tokens(server: Loopback, request: HttpRequest) -> HttpResponse:
    if wrong := unwelcome(server, request):
        return wrong
    body = request.json()
    if fault := refusal(body, counting=True):
        return vendor_error(400, "invalid_request_error", fault)
    return HttpResponse.of({"input_tokens": count(_prompt(body))})


async def list_models(server: Loopback, request: HttpRequest) -> HttpResponse:
    if wrong := unwelcome(server, request):
        return wrong
    data = [_model(name) for name in server.models]
    return HttpResponse.of({"data": data, "has_more": False, "first_id": data[0]["id"], "last_id": data[-1]["id"]})


async def show_model(server: Loopback, request: HttpRequest) -> HttpResponse:
    if wrong := unwelcome(server, request):
        return wrong
    name = request.place["model"]
    if name not in server.models:
        return vendor_error(404, "not_found_error", f"model: {name}")
    return HttpResponse.of(_model(name))


def _model(name: str) -> dict[str, Any]:
    return {
        "id": name,
        "type": "model",
        "display_name": name.replace("-", " ").title(),
        "created_at": "2026-10-01T00:00:00Z",
        "lifecycle": "active",
    }


def count(text: str) -> int:
    """Tokens of a text at this server: one for every four characters begun."""
    return (len(text) + 3) // 4


def _text(content: str | list[dict[str, Any]]) -> str:
    return content if isinstance(content, str) else "".join(block.get("text", "") for block in content)


def _prompt(params: dict[str, Any]) -> str:
    return _text(params.get("system", "")) + json.dumps(params["messages"], ensure_ascii=False)


def _marked_prefix(system: str | list[dict[str, Any]]) -> str:
    """The system text up to the last block that is marked for the cache."""
    if isinstance(system, str):
        return ""
    marked = [place for place, block in enumerate(system) if "cache_control" in block]
    return _text(system[: marked[-1] + 1]) if marked else ""


ROUTES = {
    "POST /v1/messages": create,
    "POST /v1/messages/count_tokens": count_tokens,
    "GET /v1/models": list_models,
    "GET /v1/models/{model}": show_model,
}
