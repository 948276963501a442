"""Chat completions at the fake server."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.providers.messages_api import count
from tests.providers.verdicts import read_ask, reply_text
from tests.providers.wire import HttpRequest, HttpResponse

if TYPE_CHECKING:
    from tests.providers.loopback import Loopback

_FORMATS = {"text", "json_object", "json_schema"}


def chat_error(status: int, code: str, message: str, type: str = "invalid_request_error") -> HttpResponse:
    return HttpResponse.of({"error": {"message": message, "type": type, "param": None, "code": code}}, status)


async def complete(server: Loopback, request: HttpRequest) -> HttpResponse:
    key = request.headers.get("authorization", "").removeprefix("Bearer ")
    if not key or (server.key is not None and key != server.key):
        return chat_error(401, "invalid_api_key", "Incorrect API key provided")
    body = request.json()
    form = body.get("response_format", {"type": "text"})
    if form["type"] not in _FORMATS:
        return chat_error(400, "invalid_value", f"response_format.type: {form['type']}")
    return HttpResponse.of(completion(server, body, form.get("json_schema", {}).get("schema", {})))


def completion(server: Loopback, body: dict[str, Any], schema: dict[str, Any]) -> dict[str, Any]:
    """The completion that the fake judge gives for the body of a request."""
    system = "".join(item["content"] for item in body["messages"] if item["role"] in {"system", "developer"})
    user = "".join(item["content"] for item in body["messages"] if item["role"] == "user")
    text = reply_text(server.judge, read_ask(system, user, schema, body["model"]))
    used = {"prompt_tokens": count(system + user), "completion_tokens": count(text)}
    return {
        "id": f"chatcmpl-{server.next_number():06d}",
        "object": "chat.completion",
        "created": 1_795_000_000,
        "model": body["model"],
        "choices": [{"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}],
        "usage": {**used, "total_tokens": sum(used.values())},
    }


ROUTES = {"POST /v1/chat/completions": complete}
