"""What reading yields, one thing after another: a header, records, and the end of a source; problems stand between."""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Raw, Struct

from agent_tui.errors import Problem


class Header(Struct, frozen=True):
    """What a source says about all of its runs: bundle, rubric, rules, human_labels, judge, verdicts, unknown keys."""

    fields: dict[str, Raw]
    file: str


class Record(Struct, frozen=True, gc=False):
    """One run as agent-tui/1 JSON text, and its place; `member` is the part of a zip or of a folder it came from.

    `offset` is where the text stands in the file (bytes), so that it can be read there again; None where the file does
    not hold it as it is.
    """

    text: bytes
    file: str
    line: int | None = None
    member: str | None = None
    offset: int | None = None


class SourceRead(Struct, frozen=True, gc=False):
    """A source was read to its end: its format, and the xxh3_128 digest of its bytes."""

    file: str
    format: str
    digest: str


Item: TypeAlias = Header | Record | SourceRead | Problem
