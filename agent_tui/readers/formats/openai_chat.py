"""OpenAI chat completions: lists of messages, rows that hold one, API responses, Batch API lines, preference rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from agent_tui.errors import Problem
from agent_tui.readers import loose
from agent_tui.readers.contract import Found
from agent_tui.readers.formats import chat_rows as rows
from agent_tui.readers.formats.chat_chunks import merged
from agent_tui.readers.head import Head, document_fields
from agent_tui.readers.lines import json_lines, refusal
from agent_tui.readers.loose import Fields
from agent_tui.readers.repeated import document_members, repeated_keys
from agent_tui.readers.source import Source
from agent_tui.readers.spans import array_items
from agent_tui.readers.unusual import as_strings


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
        if source.head.kind == "object":
            yield from repeated_keys(source, document_members(source.head))
            yield from rows.records(document_fields(source), source, None, None)
        else:
            yield from _read_array(source)


def _read_array(source: Source) -> Iterator[Found]:
    parts = _Parts(source)
    for line, _, item in array_items(source):
        if rows.is_plain_message(item):
            parts.keep(item)
        else:
            yield from parts.add(item, line, item)
    yield from parts.rest()


def _read_lines(source: Source) -> Iterator[Found]:
    parts = _Parts(source)
    for found in json_lines(source):
        if isinstance(found, Problem):
            yield found
        elif rows.is_plain_message(found.text):
            parts.keep(rows.lined(found.text, found.line or 0))
        elif (refused := refusal(found.text)) is not None:
            yield Problem(source.name, refused[1], found.line, kind=refused[0])
        else:
            yield from parts.add(found.text, found.line, rows.with_line(found.text, found.line or 0))
    yield from parts.rest()


class _Parts:
    """The items of a file: rows are runs of their own, messages and chunks are parts of one."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.count = 0
        self.messages: list[bytes] = []
        self.odd: list[Fields] = []
        self.chunks: list[Fields] = []

    def keep(self, message: bytes) -> None:
        """Keep a message that is as most are."""
        self.count += 1
        self.messages.append(message)

    def add(self, text: bytes, line: int | None, message: bytes) -> Iterator[Found]:
        """What one item gives at once; `message` is how it is kept if it is one."""
        self.count += 1
        fields = loose.fields(as_strings(text))
        kind = rows.kind_of(fields)
        if kind == rows.MESSAGE:
            self.messages.append(message)
            self.odd.append(fields)
        elif kind == rows.CHUNK:
            self.chunks.append(fields)
        elif kind == rows.UNKNOWN:
            reason = f"record of unknown kind{rows.looks(fields)}"
            yield Problem(self.source.name, reason, line, kind="unknown_record")
        else:
            yield from rows.records(fields, self.source, line, self.count)

    def rest(self) -> Iterator[Found]:
        """The runs that only the end of the file completes."""
        yield from rows.conversation(self.messages, self.odd, self.source)
        for number, reply in enumerate(merged(self.chunks), 1):
            yield from rows.records(reply, self.source, None, number)


FORMAT = OpenAiChat()
