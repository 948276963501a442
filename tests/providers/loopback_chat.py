"""Chat completions at the fake server: services differ in what they take, what they obey and what they leave out.

async with Loopback(routes={CHAT: ChatService(takes={"json_object", "text"}, thinks=True)}) as server: ...
"""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tests.providers.behaviour import Behaviour
from tests.providers.messages_api import count
from tests.providers.verdicts import read_ask, reply_text
from tests.providers.wire import HttpRequest, HttpResponse

if TYPE_CHECKING:
    from tests.providers.loopback import Loopback

CHAT = "POST /v1/chat/completions"
_RUNGS = frozenset({"json_schema", "json_object", "tools", "text"})
_FIELDS = {"model", "messages", "response_format", "tools", "tool_choice", "max_tokens", "max_completion_tokens"}
_PROSE = "The answer is right, so I would say that it passes."


@dataclass(frozen=True, kw_only=True)
class ChatService:
    """How one service behaves; as it stands, it takes and obeys everything."""

    takes: Collection[str] = _RUNGS
    """Ways to ask for a form that it does not refuse."""
    obeys: Collection[str] = _RUNGS
    """Of those, the ones that shape its reply; to the others it replies in prose."""
    bounds: Collection[str] = ("max_tokens", "max_completion_tokens")
    """Fields that may bound a reply."""
    thinks: bool = False
    """Begin with a block of thinking."""
    reasons: bool = False
    """Give the reasoning beside the content."""
    fences: bool = False
    counts: bool = True
    """Say how many tokens were used."""
    cached: int = 0
    aliases: tuple[tuple[str, str], ...] = ()
    """Names of models and the names that they answer under."""
    key_header: str = "authorization"

    async def __call__(self, server: Loopback, request: HttpRequest) -> HttpResponse:
        key = request.headers.get(self.key_header, "").removeprefix("Bearer ")
        if server.key is not None and key != server.key:
            return chat_error(401, "invalid_api_key", f"Incorrect API key provided: {key}")
        body = request.json()
        fault = self._fault(body)
        return fault or HttpResponse.of(self._completion(server, body))

    def _fault(self, body: dict[str, Any]) -> HttpResponse | None:
        rung = rung_of(body)
        if rung not in self.takes:
            return chat_error(400, "invalid_value", f"{rung} is not supported", param="response_format")
        for name in body.keys() - _FIELDS:
            return chat_error(400, "unknown_parameter", f"Unknown parameter: {name}", param=name)
        for name in ("max_tokens", "max_completion_tokens"):
            if name in body and name not in self.bounds:
                return chat_error(400, "unsupported_parameter", f"Unsupported parameter: {name}", param=name)
        return None

    def _completion(self, server: Loopback, body: dict[str, Any]) -> dict[str, Any]:
        made = completion(server, body, dict(self.aliases).get(body["model"], body["model"]))
        (choice,) = made["choices"]
        is_obeyed = rung_of(body) in self.obeys
        text = self._spoken(choice["message"]["content"] if is_obeyed else _PROSE)
        if is_obeyed and body.get("tools"):
            choice |= {"message": _tool_call(body, text), "finish_reason": "tool_calls"}
        else:
            choice["message"]["content"] = text
        if self.reasons:
            choice["message"]["reasoning_content"] = 'Let me see. {"verdict": "fail"}'
        if self.cached:
            made["usage"]["prompt_tokens_details"] = {"cached_tokens": self.cached}
        return made if self.counts else {name: value for name, value in made.items() if name != "usage"}

    def _spoken(self, text: str) -> str:
        text = f"```json\n{text}\n```" if self.fences else text
        return f"<think>\nHm. {{}}\n</think>\n\n{text}" if self.thinks else text


def _tool_call(body: dict[str, Any], text: str) -> dict[str, Any]:
    called = {"name": body["tool_choice"]["function"]["name"], "arguments": text}
    return {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": "call_1", "type": "function", "function": called}],
    }


def rung_of(body: dict[str, Any]) -> str:
    """How the form of the reply is asked for."""
    return "tools" if body.get("tools") else str(body.get("response_format", {"type": "text"})["type"])


def schema_of(body: dict[str, Any]) -> dict[str, Any]:
    """The schema of the reply, wherever a request has it."""
    form = body.get("response_format", {})
    if "json_schema" in form:
        return dict(form["json_schema"]["schema"])
    if tools := body.get("tools"):
        return dict(tools[0]["function"]["parameters"])
    _, found, schema = str(body["messages"][0]["content"]).rpartition("JSON Schema:\n")
    return dict(json.loads(schema)) if found else {}


def chat_error(
    status: int, code: str | None, message: str, type: str = "invalid_request_error", param: str | None = None
) -> HttpResponse:
    return HttpResponse.of({"error": {"message": message, "type": type, "param": param, "code": code}}, status)


def chat_fault(
    status: int, code: str | None = None, type: str = "invalid_request_error", message: str = "scripted", **headers: str
) -> Behaviour:
    """An error in the form of chat completions; `retry_after="7"` and the like become headers."""
    body = {"error": {"message": message, "type": type, "param": None, "code": code}}
    return Behaviour(
        status=status, body=body, headers={name.replace("_", "-"): value for name, value in headers.items()}
    )


def completion(server: Loopback, body: dict[str, Any], model: str) -> dict[str, Any]:
    """The completion that the fake judge gives for the body of a request."""
    system = "".join(item["content"] for item in body["messages"] if item["role"] in {"system", "developer"})
    user = "".join(item["content"] for item in body["messages"] if item["role"] == "user")
    text = reply_text(server.judge, read_ask(system, user, schema_of(body), body["model"]))
    used = {"prompt_tokens": count(system + user), "completion_tokens": count(text)}
    return {
        "id": f"chatcmpl-{server.next_number():06d}",
        "object": "chat.completion",
        "created": 1_795_000_000,
        "model": model,
        "choices": [{"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}],
        "usage": {**used, "total_tokens": sum(used.values())},
    }


ROUTES = {CHAT: ChatService()}
