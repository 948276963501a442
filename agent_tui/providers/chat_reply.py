"""What a chat completion came back with, as our reply or failure; services differ, so only what we need is read."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
from msgspec import Struct

from agent_tui.providers.chat_errors import refused_with_success
from agent_tui.providers.contract import Failure, Outcome, Reply, Usage
from agent_tui.providers.http_errors import not_a_reply
from agent_tui.providers.redaction import without_secrets

_FINISHED = {"stop", "tool_calls", "function_call"}


class _Part(Struct):
    type: str = ""
    text: str = ""


class _Function(Struct):
    arguments: str = ""


class _Call(Struct):
    function: _Function = msgspec.field(default_factory=_Function)


class _Message(Struct):
    """Reasoning beside the content is not read."""

    content: str | list[_Part] | None = None
    refusal: str | None = None
    tool_calls: list[_Call] | None = None


class _Choice(Struct):
    message: _Message
    finish_reason: str | None = None


class _Details(Struct):
    cached_tokens: int | None = None


class _Tokens(Struct):
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    prompt_tokens_details: _Details | None = None


class _Completion(Struct):
    choices: list[_Choice]
    model: str | None = None
    id: str | None = None
    usage: msgspec.Raw = msgspec.Raw()


def read_completion(body: bytes, secrets: Iterable[str] = ()) -> Outcome:
    """The outcome of a response with status 200."""
    try:
        completion = msgspec.json.decode(body, type=_Completion)
    except (msgspec.DecodeError, RecursionError):
        return refused_with_success(body, secrets) or not_a_reply("something else than a completion")
    usage = _usage(completion.usage)
    if len(completion.choices) != 1:
        return Failure(kind="malformed", reason=f"{len(completion.choices)} choices in place of one", usage=usage)
    (choice,) = completion.choices
    return Reply(
        text=without_thought(without_secrets(_text(choice.message), secrets)),
        model=completion.model or "",
        stop_reason=_stop_reason(choice),
        usage=usage,
        request_id=completion.id or "",
    )


def without_thought(text: str) -> str:
    """`text` without the one block of thinking that it may begin with; with two, or one without an end, as it is."""
    body = text.lstrip()
    if not body.startswith("<think>"):
        return text
    _, ended, rest = body.partition("</think>")
    rest = rest.lstrip()
    return rest if ended and not rest.startswith("<think>") else text


def _text(message: _Message) -> str:
    """What is said, or what the only tool is called with."""
    if message.tool_calls:
        return message.tool_calls[0].function.arguments if len(message.tool_calls) == 1 else ""
    if isinstance(message.content, list):
        return "".join(part.text for part in message.content if part.type == "text")
    return message.content or ""


def _stop_reason(choice: _Choice) -> str:
    if choice.message.refusal:
        return "refusal"
    return "end" if choice.finish_reason in _FINISHED else choice.finish_reason or "unknown"


def _usage(raw: msgspec.Raw) -> Usage | None:
    """Tokens as counted; None where the service does not say, which is not 0."""
    try:
        counted = msgspec.json.decode(raw, type=_Tokens)
    except msgspec.DecodeError:
        return None
    cached = counted.prompt_tokens_details.cached_tokens if counted.prompt_tokens_details else None
    fresh = None if counted.prompt_tokens is None else max(0, counted.prompt_tokens - (cached or 0))
    return Usage(input_tokens=fresh, output_tokens=counted.completion_tokens, cache_read_tokens=cached)
