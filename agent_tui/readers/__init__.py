"""Somebody's bytes as runs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from agent_tui.errors import Problem
from agent_tui.readers.bundle_reading import read_together
from agent_tui.readers.formats import formats
from agent_tui.readers.items import Header, Item, Record, SourceRead
from agent_tui.readers.records import encode_record
from agent_tui.readers.wire import Malformed, decode_run, decode_steps
from agent_tui.safety import Limits

__all__ = [
    "Header",
    "Item",
    "Malformed",
    "Record",
    "SourceRead",
    "decode_run",
    "decode_steps",
    "encode_record",
    "formats",
    "json_schema",
    "problem_of",
    "read",
    "validate",
]


def read(
    paths: Sequence[str],
    *,
    references: str | None = None,
    allow_outside: bool = False,
    limits: Limits | None = None,
) -> Iterator[Item]:
    """Everything that `paths` hold, in order. Nothing is raised for a bad file: a `Problem` is yielded.

    `references` is a file; a run with a reference comes with it as its `expected`. Raises `NotPossible` where that
    cannot be done: two references for one task, or none at all.
    """
    return read_together(paths, references, allow_outside, limits or Limits())


def problem_of(record: Record, error: Malformed) -> Problem:
    """A record that did not decode, with its place."""
    return Problem(record.file, error.reason, record.line, error.path)


def validate(paths: Sequence[str], *, limits: Limits | None = None) -> Iterator[Problem]:
    """Every problem of what `paths` hold, not only the first of a record."""
    from agent_tui.readers.checking import problems_of

    return problems_of(paths, limits or Limits())


def json_schema() -> dict[str, Any]:
    """The JSON Schema of agent-tui/1."""
    from agent_tui.readers.schema import document_schema

    return document_schema()
