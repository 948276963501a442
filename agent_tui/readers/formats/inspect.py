"""Inspect AI logs: `.eval` (a zip with a JSON file a sample) and `.json`, finished, cancelled or killed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from agent_tui.errors import Problem
from agent_tui.readers import archive, loose
from agent_tui.readers.contract import Found
from agent_tui.readers.formats.inspect_sample import Log, sample_record
from agent_tui.readers.head import Head, document_fields
from agent_tui.readers.items import Header, Record
from agent_tui.readers.loose import Fields
from agent_tui.readers.records import encode_record, raw_of
from agent_tui.readers.repeated import document_members, repeated_keys
from agent_tui.readers.source import Source, Unreadable
from agent_tui.readers.unusual import as_strings

_HEADERS = ("header.json", "_journal/start.json")
_SAMPLE = re.compile(r"samples/(.+_epoch_\d+)\.json")
_CHUNKED = re.compile(r"samples/(.+_epoch_\d+)/sample\.json")


class Inspect:
    """The logs of inspect-ai."""

    name = "inspect"
    title = "Inspect AI logs"
    examples = "logs/*.eval, logs/*.json"

    def claims(self, head: Head) -> bool:
        if head.kind == "zip":
            return any(name in head.members for name in _HEADERS)
        return head.has("version", "eval") and {"task", "model"} <= loose.fields(head.document["eval"]).keys()

    def companions(self, source: Source) -> Iterable[Path]:
        return ()

    def read(self, source: Source) -> Iterator[Found]:
        return _read_zip(source) if source.head.kind == "zip" else _read_json(source)


def _read_json(source: Source) -> Iterator[Found]:
    log = Log.of(document_fields(source))
    yield _header(log, source)
    members = document_members(source.head)
    yield from repeated_keys(source, members)
    start, count = max((member.value for member in members if member.key == "samples"), default=0), 0
    for end, sample in loose.each(log.fields.get("samples")):
        source.passed(start + end)
        yield from _sample(loose.fields(sample), log, source, f"samples[{count}]")
        count += 1
    if not count:
        yield _nothing(log, source)


def _read_zip(source: Source) -> Iterator[Found]:
    log_file = archive.archive_of(source)
    log = _log_of(log_file)
    yield _header(log, source)
    yield from log_file.repeated()
    if not log.has_header:
        yield Problem(source.name, "no header: killed or still running; the samples so far are read", kind="warning")
    count = 0
    for name in log_file.names:
        chunked = _CHUNKED.fullmatch(name)
        if not chunked and not _SAMPLE.fullmatch(name):
            continue
        count += 1
        try:
            fields = _chunks(log_file, chunked[1]) if chunked else loose.fields(as_strings(log_file.read(name)))
        except Unreadable as error:
            yield Problem(source.name, error.reason, kind="malformed", path=name)
            continue
        yield from _sample(fields, log, source, name)
    if not count:
        yield _nothing(log, source)


def _log_of(log_file: archive.Archive) -> Log:
    name = next(name for name in _HEADERS if name in log_file.names)
    fields = loose.fields(as_strings(log_file.read(name)))
    return Log.of(fields, has_header=name == _HEADERS[0])


def _chunks(log_file: archive.Archive, name: str) -> Fields:
    """A sample that lies in a folder of chunks, each named by the index of its first item."""
    folder = f"samples/{name}/"
    fields = loose.fields(as_strings(log_file.read(f"{folder}sample.json")))
    for part in ("messages", "events", "attachments"):
        fields[part] = raw_of(_joined(log_file, f"{folder}{part}/"))
    if f"{folder}metadata.json" in log_file.names:
        fields["metadata"] = raw_of(loose.fields(as_strings(log_file.read(f"{folder}metadata.json"))))
    return fields


def _joined(log_file: archive.Archive, folder: str) -> list[object]:
    starts = [name[len(folder) : -5] for name in log_file.names if name.startswith(folder) and name.endswith(".json")]
    joined: list[object] = []
    for start in sorted((start for start in starts if start.isdigit()), key=int):
        joined += loose.items(as_strings(log_file.read(f"{folder}{start}.json")))
    return joined


def _sample(fields: Fields, log: Log, source: Source, place: str) -> Iterator[Record | Problem]:
    if "id" not in fields or "epoch" not in fields:
        yield Problem(source.name, "not a sample: no id and epoch", path=place, kind="malformed")
        return
    member = place if source.head.kind == "zip" else None
    yield Record(encode_record(sample_record(fields, log)), source.name, None, member)


def _nothing(log: Log, source: Source) -> Problem:
    reason = f"a log without samples (status {log.status}): logged without them, or ended before the first"
    return Problem(source.name, reason, kind="warning")


def _header(log: Log, source: Source) -> Header:
    return Header({"bundle": raw_of(log.bundle())}, source.name)


FORMAT = Inspect()
