"""What the Claude Code CLI printed, as a reply or a failure: a reply only where nothing at all speaks against it.

It is known to leave with 0 and no text, to take a prompt for a command, and to answer by another model than asked.
"""

from __future__ import annotations

import functools

import jsonschema_rs
import msgspec
from msgspec import Struct

from agent_tui.providers.claude_process import Ended
from agent_tui.providers.contract import Failure, Outcome, Reply, Request, Usage
from agent_tui.providers.http_errors import refused
from agent_tui.providers.redaction import in_words

_UNEXPLAINED = Failure(kind="bad_request", reason="claude ended in an error that it did not explain")
_FINISHED = {"end_turn", "tool_use"}
"""Why the model stopped where it said all: the structured output is the call of a tool."""
_STOPPED = {
    "max_tokens": Failure(kind="truncated", reason="the reply was cut off at the most tokens allowed"),
    "model_context_window_exceeded": Failure(kind="truncated", reason="the reply was cut off: the context is full"),
    "refusal": Failure(kind="refused", reason="the model refused to answer"),
}


class _Tokens(Struct):
    input_tokens: int | None = None
    output_tokens: int | None = None
    cache_read_input_tokens: int | None = None
    cache_creation_input_tokens: int | None = None


class _Printed(Struct):
    """The one JSON object that the CLI prints; what it leaves out counts as what speaks against a reply."""

    is_error: bool = True
    api_error_status: int | None = None
    num_turns: int = 0
    stop_reason: str | None = None
    session_id: str = ""
    total_cost_usd: float | None = None
    usage: _Tokens | None = None
    models: dict[str, msgspec.Raw] = msgspec.field(default_factory=dict, name="modelUsage")
    permission_denials: list[msgspec.Raw] | None = None
    structured_output: msgspec.Raw = msgspec.Raw()


def outcome_of(ended: Ended, request: Request) -> Outcome:
    """The reply that the CLI printed, or why there is none."""
    if ended.status < 0:
        return Failure(kind="unknown", reason=f"claude was ended by signal {-ended.status}")
    try:
        printed = msgspec.json.decode(ended.output, type=_Printed)
    except (msgspec.DecodeError, RecursionError):  # also where a field is of another type
        return _no_object(ended)
    usage = _usage(printed)
    failure = _failure(printed, ended.status, request)
    if failure is not None:
        return msgspec.structs.replace(failure, usage=usage)
    (model,) = printed.models
    return Reply(
        text=bytes(printed.structured_output).decode(), model=model, usage=usage, request_id=printed.session_id
    )


def is_unexplained(outcome: Outcome) -> bool:
    """Whether it ended as it does when nobody is signed in."""
    return isinstance(outcome, Failure) and outcome.reason == _UNEXPLAINED.reason


def _failure(printed: _Printed, status: int, request: Request) -> Failure | None:
    """The first thing that speaks against a reply."""
    if printed.is_error:
        return _told(printed.api_error_status)
    if printed.stop_reason in _STOPPED:
        return _STOPPED[printed.stop_reason]
    reason = _fault(printed, status, request)
    return Failure(kind="malformed", reason=reason) if reason else None


def _told(status: int | None) -> Failure:
    return _UNEXPLAINED if status is None else refused(status, {})


def _fault(printed: _Printed, status: int, request: Request) -> str | None:
    if status != 0:
        return f"claude ended with {status}"
    if printed.num_turns < 1:
        return "claude took the prompt for a command and asked no model"
    if printed.usage is None or not printed.usage.output_tokens:
        return "claude counted no output tokens"
    if printed.permission_denials != []:
        return "the model asked for a tool"
    if len(printed.models) != 1:
        return f"{len(printed.models)} models answered ({', '.join(sorted(printed.models))}), {request.model} was asked"
    if printed.stop_reason not in _FINISHED:
        return f"the model stopped early: {printed.stop_reason}"
    if not bytes(printed.structured_output):
        return "claude gave no structured output"
    if not _validator(request.schema).is_valid(msgspec.json.decode(printed.structured_output)):
        return "the structured output is not of the form that was asked for"
    return None


def _no_object(ended: Ended) -> Failure:
    """Why there is no JSON object; with a status of its own, as for a flag it does not know, it asked nobody."""
    if ended.status == 0:
        what = "something else than one JSON object" if ended.output.strip() else "nothing"
        return Failure(kind="malformed", reason=f"claude printed {what}")
    said = in_words(ended.errors.decode("utf-8", "replace"))
    return Failure(kind="bad_request", reason=f"claude ended with {ended.status}: {said or 'without a word'}")


def _usage(printed: _Printed) -> Usage | None:
    if printed.usage is None:
        return None
    return Usage(
        input_tokens=printed.usage.input_tokens,
        output_tokens=printed.usage.output_tokens,
        cache_read_tokens=printed.usage.cache_read_input_tokens,
        cache_write_tokens=printed.usage.cache_creation_input_tokens,
        notional_usd=printed.total_cost_usd,
    )


@functools.lru_cache(maxsize=16)
def _validator(schema: bytes) -> jsonschema_rs.Validator:
    return jsonschema_rs.validator_for(schema.decode())
