"""agent-tui/1, our own: one JSON document, or JSON Lines with an optional header line. Records are source text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

from msgspec import Raw, Struct

from agent_tui.errors import Problem
from agent_tui.readers import loose
from agent_tui.readers.contract import Found
from agent_tui.readers.head import FIRST_ITEMS, Head
from agent_tui.readers.items import Header, Record
from agent_tui.readers.lines import json_lines
from agent_tui.readers.source import Source
from agent_tui.readers.spans import array_items, items_at
from agent_tui.readers.wire import WireRun

SCHEMA = "agent-tui/1"
RUN_KEYS = frozenset({"actual", "expected", "scores", "status"})
_MARKS = tuple(f'"{key}"'.encode() for key in RUN_KEYS)
_HEADER_START = b'{"schema"'
"""How a header line begins where files were put one after the other; the first line may be spelt as it likes."""
_ID_KEYS = frozenset({"id", "task"})
_RUN_FIELDS = frozenset(WireRun.__struct_fields__) | {"spans", "trace_id", "started", "metadata"}


class AgentTui:
    """The native format."""

    name = "agent-tui"
    title = "agent-tui/1, our own format"
    examples = "bundle.json, runs.jsonl, runs.jsonl.zst"

    def claims(self, head: Head) -> bool:
        if (loose.text(head.document.get("schema")) or "").startswith("agent-tui/"):
            return True
        if head.kind == "object" and "runs" in head.document:
            runs = islice(loose.each(head.document["runs"]), FIRST_ITEMS)
            return any(_is_run(loose.fields(run)) for _, run in runs)
        if head.kind == "lines" and is_header(head.items[0]):
            return True
        return any(_is_run(item) for item in head.candidates)

    def companions(self, source: Source) -> Iterable[Path]:
        return ()

    def read(self, source: Source) -> Iterator[Found]:
        if source.head.kind == "lines" or is_header(source.head.document):
            yield from read_lines(source, LineState())
        else:
            yield from _read_document(source)


def _is_run(fields: loose.Fields) -> bool:
    """Whether an object looks like a run of ours and not like anybody's item with an id and a status."""
    if _ID_KEYS.isdisjoint(fields):
        return False
    parts = [fields[key] for key in ("actual", "expected", "scores") if key in fields]
    if any(loose.kind(part) not in "{n" for part in parts):
        return False
    return any(loose.kind(part) == "{" for part in parts) or ("status" in fields and fields.keys() <= _RUN_FIELDS)


def is_header(fields: loose.Fields) -> bool:
    """Whether an object is the header line of JSON Lines."""
    schema = loose.text(fields.get("schema")) or ""
    return schema.startswith("agent-tui/") and "runs" not in fields and RUN_KEYS.isdisjoint(fields)


class LineState(Struct):
    """What a reader of lines knows from the lines before: whether there was a header, whether there was any line."""

    is_ours: bool = False
    is_first: bool = True


def read_lines(source: Source, state: LineState) -> Iterator[Found]:
    """What the lines of a source hold; `state` is what was before them, and afterwards what was up to their end."""
    for line in json_lines(source):
        if isinstance(line, Problem):
            yield line
        elif _may_be_header(line, state) and is_header(fields := loose.fields(line.text)):
            state.is_ours = True
            yield from _repeated_in(line.text, fields, source, line.line)
            yield from _header(fields, source, line.line)
        elif state.is_ours or any(mark in line.text for mark in _MARKS):
            yield line
        else:
            reason = "has none of actual, expected, scores, status: not a run of agent-tui/1"
            yield Problem(source.name, reason, line.line, kind="not_a_record")
        state.is_first = False


def _may_be_header(line: Record, state: LineState) -> bool:
    return state.is_first or line.text.startswith(_HEADER_START)


def _header(fields: loose.Fields, source: Source, line: int | None) -> Iterator[Found]:
    schema = loose.text(fields.get("schema"))
    if schema not in {None, SCHEMA}:
        yield Problem(source.name, f"schema is {schema}: read as {SCHEMA}", line, "$.schema", "warning")
    kept = {key: value.copy() for key, value in fields.items() if key not in {"schema", "runs"}}  # not all of the text
    yield Header(kept, source.name)


def _repeated_in(text: bytes, fields: loose.Fields, source: Source, line: int | None) -> Iterator[Problem]:
    from agent_tui.readers.repeated import all_members, repeated_keys  # here, since few files have a header line

    yield from repeated_keys(source, all_members(text, fields), line)


def _read_document(source: Source) -> Iterator[Found]:
    fields = source.head.document
    if source.head.kind == "array":
        yield from _records(array_items(source), source)
    elif "runs" not in fields:
        yield Record(bytes(source.document()), source.name, 1 + source.lines_before)
    else:
        yield from _header(fields, source, None)
        yield from _read_members(source)


def _read_members(source: Source) -> Iterator[Found]:
    """The runs of a document; of each list of runs, where there are several."""
    from agent_tui.readers.repeated import document_members, repeated_keys  # here, since JSON Lines need it seldom

    strict, fields = source.head.text, source.head.document
    members = document_members(source.head)
    lists = [member for member in members if member.key == "runs"]
    if len(lists) > 1:
        reason = f"runs stands {len(lists)} times in the document: the runs of all are read"
        yield Problem(source.name, reason, path="$.runs", kind="warning")
    yield from repeated_keys(source, (member for member in members if member.key != "runs"))
    for member in lists:
        runs = fields["runs"] if len(lists) == 1 else Raw(strict[member.value : member.end])
        if loose.kind(runs) == "[":
            yield from _records(items_at(source, member.value, runs), source)
        else:
            yield Problem(source.name, "runs is not a list", path="$.runs", kind="malformed")


def _records(items: Iterable[tuple[int, int, bytes]], source: Source) -> Iterator[Found]:
    for index, (line, place, item) in enumerate(items):
        if item[:1] == b"{":
            yield Record(item, source.name, line, offset=source.place_in_file(place))
        else:
            yield Problem(source.name, "not an object", line, f"$.runs[{index}]", "not_a_record")


FORMAT = AgentTui()
