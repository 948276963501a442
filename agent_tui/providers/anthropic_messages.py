"""Our request as parameters of the vendor's messages interface, and its message as our reply.

Never sampling parameters, never a forced tool, never a prefilled answer: current models refuse all three.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Literal, cast

from anthropic.types import Message, OutputConfigParam, TextBlock
from anthropic.types import Usage as VendorUsage
from anthropic.types.message_create_params import MessageCreateParamsNonStreaming

from agent_tui.providers.contract import Failure, Outcome, Reply, Request, Usage
from agent_tui.providers.http_errors import not_a_reply
from agent_tui.providers.redaction import without_secrets

Kept = Literal["5m", "1h"]
Effort = Literal["low", "medium", "high", "xhigh", "max"]


def message_params(request: Request, kept: Kept = "5m") -> MessageCreateParamsNonStreaming:
    """The parameters of a message; the system text is `kept` in the service's cache for so long."""
    return {
        "model": request.model,
        "max_tokens": request.max_tokens,
        "system": [{"type": "text", "text": request.system, "cache_control": {"type": "ephemeral", "ttl": kept}}],
        "messages": [{"role": "user", "content": request.user}],
        "output_config": output_config(request),
    }


def output_config(request: Request) -> OutputConfigParam:
    """The form of the reply, and the effort where the model knows one."""
    config = OutputConfigParam(format={"type": "json_schema", "schema": json.loads(request.schema)})
    if request.effort:
        config["effort"] = cast(Effort, request.effort)
    return config


def read_message(answered: object, secrets: Iterable[str] = ()) -> Outcome:
    """What the SDK returned, as a reply; it hands on what is no message at all, unchecked."""
    if isinstance(answered, str):
        return not_a_reply("text that is no JSON (a proxy's page?)")
    if not isinstance(answered, Message) or answered.type != "message":
        return not_a_reply("something else than a message")
    return _reply(answered, secrets)


def _reply(message: Message, secrets: Iterable[str]) -> Reply | Failure:
    usage = _usage(message)
    if not isinstance(message.content, list) or not isinstance(message.model, str):
        return Failure(kind="malformed", reason="a message without content or model", usage=usage)
    texts = [block.text for block in message.content if isinstance(block, TextBlock) and isinstance(block.text, str)]
    return Reply(
        text=without_secrets("".join(texts), secrets),
        model=message.model,
        stop_reason=_stop_reason(message),
        usage=usage,
        # a message out of a batch has no response of its own, and so no id of one
        request_id=str(getattr(message, "_request_id", None) or message.id or ""),
    )


def _stop_reason(message: Message) -> str:
    return "end" if message.stop_reason == "end_turn" else str(message.stop_reason or "unknown")


def _usage(message: Message) -> Usage | None:
    """Tokens as counted; the total of the input is the sum of its three fields."""
    used = message.usage
    if not isinstance(used, VendorUsage):
        return None
    return Usage(
        input_tokens=token_count(used.input_tokens),
        output_tokens=token_count(used.output_tokens),
        cache_read_tokens=token_count(used.cache_read_input_tokens),
        cache_write_tokens=token_count(used.cache_creation_input_tokens),
    )


def token_count(value: object) -> int | None:
    """The SDK does not check what it was sent: only a whole number is a count."""
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None
