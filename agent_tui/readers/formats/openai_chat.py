"""OpenAI chat completions: lists of messages, rows that hold one, API responses, Batch API lines, preference rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from agent_tui.errors import Problem
from agent_tui.readers import loose
from agent_tui.readers.contract import Found
from agent_tui.readers.formats import chat_rows as rows
from agent_tui.readers.head import Head, whole_value
from agent_tui.readers.lines import json_lines
from agent_tui.readers.loose import Fields
from agent_tui.readers.source import Source
from agent_tui.readers.spans import array_items


class OpenAiChat:
    """Chat-completions lists, the shape that most tools can write."""

    name = "openai-chat"
    title = "OpenAI chat messages, API responses and Batch API lines"
    examples = "messages.json, rows.jsonl, batch_output.jsonl"

    def claims(self, head: Head) -> bool:
        return any(rows.kind_of(fields) != rows.UNKNOWN for fields in head.candidates)

    def companions(self, source: Source) -> Iterable[Path]:
        return ()

    def read(self, source: Source) -> Iterator[Found]:
        if source.head.kind == "lines":
            yield from _read_lines(source)
            return
        text = source.document()
        strict = whole_value(text)
        if source.head.kind == "object":
            yield from rows.records(loose.fields(strict.strip()), source, None, None)
            return
        yield from _read_array(source, text, strict)


def _read_array(source: Source, text: bytes, strict: bytes) -> Iterator[Found]:
    conversation: list[bytes] = []
    for number, (line, item) in enumerate(array_items(text, strict), 1):
        fields = loose.fields(whole_value(item))
        if rows.kind_of(fields) == rows.MESSAGE:
            conversation.append(item)
        else:
            yield from _row(fields, source, line, number)
    yield from rows.conversation(conversation, source)


def _read_lines(source: Source) -> Iterator[Found]:
    conversation: list[bytes] = []
    number = 0
    for found in json_lines(source, checked=True):
        if isinstance(found, Problem):
            yield found
            continue
        number += 1
        fields = loose.fields(whole_value(found.text))
        if rows.kind_of(fields) == rows.MESSAGE:
            conversation.append(rows.with_line(found.text, found.line or 0))
        else:
            yield from _row(fields, source, found.line, number)
    yield from rows.conversation(conversation, source)


def _row(fields: Fields, source: Source, line: int | None, number: int) -> Iterator[Found]:
    if rows.kind_of(fields) == rows.UNKNOWN:
        yield Problem(source.name, f"record of unknown kind{rows.looks(fields)}", line, kind="unknown_record")
    else:
        yield from rows.records(fields, source, line, number)
