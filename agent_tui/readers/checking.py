"""Every problem of what can be opened, with file, line and JSON path: what `agent-tui check` prints."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias

from msgspec import Raw
from pydantic import ValidationError

from agent_tui.errors import Problem
from agent_tui.readers.bundle_reading import read_together
from agent_tui.readers.items import Item, Record
from agent_tui.readers.schema import run_model
from agent_tui.readers.wire import Malformed, decode_run
from agent_tui.runs import Run, ToolCall
from agent_tui.runs.json_values import UNPARSEABLE, canonical_args
from agent_tui.safety import Limits

Seen: TypeAlias = dict[tuple[object, ...], str]
"""Where each run was met first, by what makes it the same run."""


def problems_of(paths: Sequence[str], limits: Limits) -> Iterator[Problem]:
    """The problems of sources, of records and between records."""
    seen: Seen = {}
    for item in read_together(paths, None, False, limits):
        yield from problems_of_item(item, seen)


def problems_of_item(item: Item, seen: Seen) -> Iterator[Problem]:
    """The problems of one item; `seen` are the runs before it, and gets those of the item."""
    if isinstance(item, Problem):
        yield item
    elif isinstance(item, Record):
        yield from _problems_of_record(item, seen)


def _problems_of_record(record: Record, seen: Seen) -> Iterator[Problem]:
    try:
        run = decode_run(record.text)
    except Malformed as error:
        yield from _all_problems(record, error)
        return
    yield from _foreign_bytes(record)
    yield from _repeated_keys(record)
    yield from _warnings(record, run)
    identity = (run.task, run.epoch, run.model, run.agent)
    if identity in seen:
        yield Problem(
            record.file, f"{run.id}: same task, epoch, model and agent as {seen[identity]}", record.line, kind="clash"
        )
    seen.setdefault(identity, _place(record))


def _place(record: Record) -> str:
    return f"{record.file}:{record.line}" if record.line is not None else record.member or record.file


def _all_problems(record: Record, first: Malformed) -> Iterator[Problem]:
    """Every problem of a record that does not decode, else the one that stopped it."""
    found = False
    try:
        value = json.loads(record.text)
        run_model.validate_python(value)
    except (ValueError, RecursionError) as error:
        if isinstance(error, ValidationError):
            for path, reason in problems_by_path(value, error):
                found = True
                yield Problem(record.file, reason, record.line, first.path if reason == first.reason else path)
    if not found:
        yield Problem(record.file, first.reason, record.line, first.path)


def problems_by_path(value: Any, error: ValidationError) -> list[tuple[str, str]]:
    """One reason for each place of `value` that is not as it should be."""
    found: dict[str, str] = {}
    for problem in error.errors(include_url=False, include_context=False):
        path = _path(value, problem["loc"], is_missing=problem["type"] == "missing")
        reason = _reason(problem["msg"])
        known = found.get(path)
        found[path] = reason if known is None else known if reason in known else f"{known}, or {reason}"
    return list(found.items())


def _reason(message: str) -> str:
    """What a model says, in our words."""
    if message == "Field required":
        return "is missing"
    if message.startswith("Input should be "):
        return message.removeprefix("Input ")
    return message.removeprefix("Value error, ")


def _path(value: Any, loc: Sequence[int | str], *, is_missing: bool) -> str:
    """The JSON path of a problem; what a model calls its alternatives is no part of it."""
    path = "$"
    for position, part in enumerate(loc):
        if isinstance(value, dict) and part in value:
            path, value = f"{path}.{part}", value[part]
        elif isinstance(value, list) and isinstance(part, int) and part < len(value):
            path, value = f"{path}[{part}]", value[part]
        elif is_missing and position == len(loc) - 1:
            path = f"{path}.{part}"
    return path


def _foreign_bytes(record: Record) -> Iterator[Problem]:
    """Bytes that are no UTF-8, in parts that are kept as they stand."""
    try:
        record.text.decode()
    except UnicodeDecodeError as error:
        yield Problem(record.file, f"not UTF-8 at byte {error.start}: kept as it stands", record.line, kind="warning")


def _repeated_keys(record: Record) -> Iterator[Problem]:
    """Keys that stand twice in one object: the last one counts."""
    repeated: list[str] = []

    def pairs(members: list[tuple[str, Any]]) -> dict[str, Any]:
        names = dict(members)
        if len(names) != len(members):
            known: set[str] = set()
            repeated.extend(name for name, _ in members if name in known or known.add(name))  # type: ignore[func-returns-value]
        return names

    try:
        json.loads(record.text, object_pairs_hook=pairs)
    except (ValueError, RecursionError):
        return
    for name in dict.fromkeys(repeated):
        yield Problem(
            record.file, f"key {name!r} stands twice in one object: the last one counts", record.line, kind="warning"
        )


def _warnings(record: Record, run: Run) -> Iterator[Problem]:
    """What can be read but looks wrong."""
    expected = run.expected
    if expected is not None and expected.any is not None and expected.calls is not None:
        reason = "calls and any cannot both be stated: this run cannot be judged"
        yield Problem(record.file, reason, record.line, "$.expected", "malformed")
    for index, call in enumerate(run.calls or ()):
        if not is_json(call):
            reason = f"arguments of {call.name} are not valid JSON"
            yield Problem(record.file, reason, record.line, f"$.actual.calls[{index}].args", "warning")
    for note in run.notes:
        yield Problem(record.file, note, record.line, kind="warning")


def is_json(call: ToolCall) -> bool:
    """Whether the arguments of a call are JSON."""
    try:
        return canonical_args(Raw(call.args))[1] != UNPARSEABLE
    except ValueError:
        return False
