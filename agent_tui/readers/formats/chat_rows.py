"""One row of chat data as a record: what kind of row it is, its messages, its id, what else it says."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from msgspec import Raw

from agent_tui.errors import Problem
from agent_tui.readers import loose
from agent_tui.readers.formats.chat_usage import total_usage
from agent_tui.readers.items import Record
from agent_tui.readers.loose import Fields
from agent_tui.readers.plain_messages import plain_message
from agent_tui.readers.records import encode_record, expected_calls, scores_of
from agent_tui.readers.source import Source
from agent_tui.readers.steps import calls_of, steps_of_messages
from agent_tui.readers.unusual import as_strings

UNKNOWN, MESSAGE, ROW, RESPONSE, BATCH, PREFERENCE, REFERENCED, CHUNK = range(8)
_ROLES = frozenset({"system", "developer", "user", "assistant", "tool", "function"})
_LISTS = ("messages", "conversation", "trajectory", "traj", "prompt")
_MEMBERS_OF_ROWS = frozenset(
    {"preferred_output", "reference_outputs", "custom_id", "object", "choices", "input", *_LISTS}
)
"""One of these stands in whatever is more than a message."""
_IDS = ("custom_id", "id", "task_id", "run_id", "instance_id", "name")
_FOREIGN = (b'"tool_result"', b'"tool_use"')
"""Blocks of Anthropic's messages, which look like chat otherwise."""


def kind_of(fields: Fields) -> int:
    """What kind of row an object is."""
    if _MEMBERS_OF_ROWS.isdisjoint(fields):
        return MESSAGE if is_message(fields) else UNKNOWN
    if "preferred_output" in fields:
        return PREFERENCE
    if "reference_outputs" in fields and _messages_in(fields.get("outputs")) is not None:
        return REFERENCED
    if "custom_id" in fields and ("response" in fields or "body" in fields):
        return BATCH
    if loose.text(fields.get("object")) == "chat.completion.chunk":
        return CHUNK
    if loose.text(fields.get("object")) == "chat.completion" or _is_choice_list(fields):
        return RESPONSE
    if _list_of(fields) is not None:
        return ROW
    return MESSAGE if is_message(fields) else UNKNOWN


def is_message(fields: Fields) -> bool:
    """Whether an object is a chat message."""
    if loose.text(fields.get("role")) not in _ROLES or "parts" in fields or "type" in fields:
        return False
    if "content" in fields and _is_foreign(fields["content"]):
        return False
    return "content" in fields or "tool_calls" in fields or "function_call" in fields or "refusal" in fields


def is_plain_message(text: bytes) -> bool:
    """Whether a text is a chat message without a `line` or a member of its own, told in one go."""
    message = plain_message(text)
    return message is not None and message.line is None and message.role in _ROLES


def _is_foreign(raw: Raw) -> bool:
    text = bytes(raw)
    return any(mark in text for mark in _FOREIGN)


def looks(fields: Fields) -> str:
    """A word on an unknown record, for its problem."""
    word = loose.text(fields.get("type")) or loose.text(fields.get("object"))
    return f" ({word})" if word else ""


def _is_choice_list(fields: Fields) -> bool:
    choices = loose.objects(fields.get("choices"))
    return bool(choices) and "message" in choices[0]


def _messages_in(raw: Raw | None) -> Raw | None:
    """A list of messages: the value itself, or its member `messages`."""
    if raw is None:
        return None
    if loose.kind(raw) == "{":
        return _messages_in(loose.fields(raw).get("messages"))
    messages = loose.objects(raw)
    return raw if messages and is_message(messages[0]) and not _is_foreign(raw) else None


def _list_of(fields: Fields) -> Raw | None:
    for key in _LISTS:
        found = _messages_in(fields.get(key))
        if found is not None:
            return found
    return _messages_in(fields.get("input"))


def with_line(message: bytes, line: int) -> bytes:
    """A message with the line of its file, where it has no `line` of its own."""
    return message if b'"line"' in message else lined(message, line)


def lined(message: bytes, line: int) -> bytes:
    """A message without a `line` with the line of its file."""
    return message[:-1].rstrip() + b', "line": %d}' % line


def stem(source: Source) -> str:
    """What a run without an id is called after: its file, without folder and ending."""
    name = os.path.basename(source.member or source.name)
    return "stdin" if name == "-" else name.split(".json")[0] or name


def conversation(messages: Sequence[bytes], odd: Iterable[Fields], source: Source) -> Iterator[Record]:
    """The one run of a file whose records are messages; `odd` are those of them that may have more than most."""
    if not messages:
        return
    record = {
        "id": stem(source),
        "messages": Raw(as_strings(b"[" + b",".join(messages) + b"]")),
        "usage": total_usage(odd),
    }
    yield Record(encode_record(record), source.name, None, source.member)


def records(fields: Fields, source: Source, line: int | None, number: int | None) -> Iterator[Record | Problem]:
    """The runs of one row; `number` counts rows, None where the file is the row."""
    name = next((found for key in _IDS if (found := loose.name(fields.get(key)))), None)
    if name is None:
        name = stem(source) if number is None else f"{stem(source)}-{number}"
    kind = kind_of(fields)
    if kind in (RESPONSE, CHUNK):
        made: Iterator[dict[str, Any]] = _response(fields)
    elif kind == BATCH:
        made = _batch(fields)
    elif kind == PREFERENCE:
        made = iter([_preference(fields)])
    elif kind == REFERENCED:
        made = iter([_referenced(fields)])
    else:
        made = iter([_row(fields)])
    for epoch, record in enumerate(made, 1):
        record = {"id": name, "epoch": epoch if epoch > 1 else None} | record
        yield Record(encode_record(record), source.name, line, source.member)


def _row(fields: Fields) -> dict[str, Any]:
    messages = _list_of(fields)
    known = {*_LISTS, "input", "model", "usage", "error", "scores", "reward", "score", "success", "task", "epoch"}
    return {
        "task": loose.name(fields.get("task")),
        "epoch": loose.integer(fields.get("epoch")) or _after(loose.integer(fields.get("trial"))),
        "model": loose.text(fields.get("model")),
        "messages": messages,
        "scores": scores_of(fields, "success", "score", "reward"),
        "usage": total_usage([fields]) or total_usage(loose.objects(messages)),
        "error": _error(fields.get("error")),
        "metadata": {key: value for key, value in fields.items() if key not in known and key not in _IDS} or None,
    }


def _after(trial: int | None) -> int | None:
    """The epoch of a trial: trials count from 0."""
    return None if trial is None else trial + 1


def _error(raw: Raw | None) -> dict[str, str | None] | None:
    """An error as type and message; None where there is none."""
    if not loose.truthy(raw):
        return None
    fields = loose.fields(raw)
    kind = loose.name(fields.get("type")) or loose.name(fields.get("code"))
    message = loose.text(fields.get("message")) or loose.text(raw) or bytes(raw or b"").decode("utf-8", "replace")
    return {"type": kind, "message": message}


_LIMITS = {"length": "tokens", "content_filter": "content_filter"}


def _response(fields: Fields, asked: Sequence[Raw] = ()) -> Iterator[dict[str, Any]]:
    """A run for each choice of an API response."""
    for choice in loose.objects(fields.get("choices")):
        yield {
            "model": loose.text(fields.get("model")),
            "messages": [*asked, choice["message"]] if "message" in choice else list(asked),
            "usage": total_usage([fields]),
            "limit": _LIMITS.get(loose.text(choice.get("finish_reason")) or ""),
        }


def _batch(fields: Fields) -> Iterator[dict[str, Any]]:
    """A line of the Batch API: a reply, a failure, or a request that has no reply yet."""
    if "response" not in fields and "error" not in fields:
        body = loose.fields(fields.get("body"))
        yield {"model": loose.text(body.get("model")), "messages": body.get("messages"), "status": "queued"}
        return
    response = loose.fields(fields.get("response"))
    body = loose.fields(response.get("body"))
    status = loose.integer(response.get("status_code"))
    error = _error(fields.get("error")) or _error(body.get("error"))
    if error is None and status is not None and status >= 400:
        error = {"type": str(status), "message": f"the API answered {status}"}
    if error is not None or not _is_choice_list(body):
        yield {"status": "error", "error": error or {"type": None, "message": "a reply without choices"}}
        return
    yield from _response(body)


def _preference(fields: Fields) -> dict[str, Any]:
    """A preference row: the reply that was not preferred against the one that was."""
    asked = loose.items(loose.fields(fields.get("input")).get("messages"))
    made = loose.items(fields.get("non_preferred_output"))
    wanted = fields.get("preferred_output", Raw(b"[]"))
    return {
        "messages": [*asked, *made],
        "expected": {"calls": expected_calls(calls_of(steps_of_messages(wanted)))},
        "actual": {"calls": calls_of(steps_of_messages(fields.get("non_preferred_output", Raw(b"[]"))))},
    }


def _referenced(fields: Fields) -> dict[str, Any]:
    """A row of outputs and reference_outputs: what was done, and what should have been."""
    wanted = _messages_in(fields.get("reference_outputs"))
    record = _row({**fields, "messages": fields["outputs"]})
    if wanted is not None:
        record["expected"] = {"calls": expected_calls(calls_of(steps_of_messages(wanted)))}
    return record
