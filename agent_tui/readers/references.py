"""References from a file of their own, joined to the runs by task."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec
from msgspec import Raw

from agent_tui.errors import NotPossible, Problem
from agent_tui.readers import loose
from agent_tui.readers.items import Item, Record
from agent_tui.readers.loose import Fields
from agent_tui.readers.records import encode_record, raw_of
from agent_tui.readers.unusual import StillNotJson, as_strings, usable
from agent_tui.runs import canonical

_TRAJECTORY = frozenset({"calls", "any"})
_SHOWN = 5


class References:
    """The expectations of a file by task. A run's own expectation gives way, part by part."""

    def __init__(self, file: str, items: Iterable[Item]) -> None:
        self.file = file
        self.problems: list[Problem] = []
        self._by_task: dict[str, Fields] = {}
        self._used: set[str] = set()
        for item in items:
            if isinstance(item, Problem):
                self.problems.append(item)
            elif isinstance(item, Record):
                self._add(item)
        if not self._by_task:
            nothing = f"{file}: no expectation in it: a reference is a run with expected calls or answer"
            raise NotPossible(str(self.problems[0]) if self.problems else nothing)

    def _add(self, record: Record) -> None:
        fields = loose.fields(as_strings(record.text))
        task = task_of(fields)
        expected = loose.fields(fields.get("expected"))
        if task is None or not expected:
            return
        other = self._by_task.get(task)
        if other is not None and canonical(raw_of(other)) != canonical(raw_of(expected)):
            raise NotPossible(f"{self.file}: two references for task {task!r}: keep one")
        self._by_task[task] = expected

    def joined(self, record: Record) -> Iterator[Record | Problem]:
        """The record with its reference; a part in which it had another one is said."""
        fields = loose.fields(as_strings(record.text))
        task = task_of(fields)
        given = self._by_task.get(task) if task is not None else None
        if task is None or given is None:
            yield record
            return
        self._used.add(task)
        own = _usable_fields(record.text)
        if not own:
            yield record
            return
        embedded = loose.fields(fields.get("expected"))
        for key in sorted(given.keys() & embedded.keys()):
            if _differ(given[key], embedded[key]):
                reason = f"its own expectation differs from that of {self.file}, which is taken"
                yield Problem(record.file, reason, record.line, f"$.expected.{key}", "warning")
        kept = {
            key: value for key, value in embedded.items() if not (given.keys() & _TRAJECTORY and key in _TRAJECTORY)
        }
        joined = {**own, "expected": raw_of({**kept, **given})}
        yield Record(encode_record(joined), record.file, record.line, record.member)

    def unused(self) -> Iterator[Problem]:
        """That some references have no run."""
        missing = [task for task in self._by_task if task not in self._used]
        if missing:
            more = f", … {len(missing) - _SHOWN} more" if len(missing) > _SHOWN else ""
            reason = (
                f"{len(missing)} of {len(self._by_task)} references have no run: {', '.join(missing[:_SHOWN])}{more}"
            )
            yield Problem(self.file, reason, kind="warning")


def _usable_fields(text: bytes) -> Fields:
    """The members of a record, without NaN where it can be read all the same; none where it cannot."""
    try:
        return loose.fields(text) or loose.fields(usable(text))
    except StillNotJson:
        return {}


def task_of(fields: Fields) -> str | None:
    """The task of a record: its task, else its id."""
    return loose.name(fields.get("task")) or loose.name(fields.get("id"))


def _differ(left: Raw, right: Raw) -> bool:
    try:
        return canonical(left) != canonical(right)
    except (ValueError, msgspec.MsgspecError):
        return bytes(left) != bytes(right)
