"""The lines of a ledger: who was asked, what, how it ended, and what people decided about it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TypeAlias

import msgspec
from msgspec import Struct

from agent_tui.errors import NotPossible
from agent_tui.providers.contract import Failure, Identity, Reply
from agent_tui.runs import surrogates

SCHEMA = "agent-tui/ledger-1"
_LONGEST = 16 << 20
"""No line of ours is longer (bytes): a chunk of 10,000 keys takes 0.7 million."""
_BEGINNING = b'{"event":"opened"'

Fact: TypeAlias = str | int | float | bool | None


class Row(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="event"):
    """A line, and when it was written (UTC)."""

    at: str


class Opened(Row, frozen=True, kw_only=True, tag="opened"):
    """A judge takes the floor; later lines name it by `judge`."""

    schema: str
    judge: str
    identity: Identity


class Intent(Row, frozen=True, kw_only=True, tag="intent"):
    """A call is about to be made."""

    key: str
    judge: str
    attempt: int
    """Which call for this key it is, from 1."""
    worst_usd: float | None = None
    """What it costs at most; None: no price is known."""


class Ended(Row, frozen=True, kw_only=True):
    """A call has ended."""

    key: str
    attempt: int
    usd: float | None = None
    """What it cost; None: not known, then at most what the intent says."""


class Result(Ended, frozen=True, kw_only=True, tag="result"):
    """With a reply."""

    reply: Reply


class Error(Ended, frozen=True, kw_only=True, tag="error"):
    """With a failure of which we know what it did."""

    failure: Failure


class Unknown(Ended, frozen=True, kw_only=True, tag="unknown"):
    """With nothing that tells whether it was answered and billed."""

    failure: Failure


class BatchIntent(Row, frozen=True, kw_only=True, tag="batch_intent"):
    """A batch is about to be created."""

    chunk: str
    """Our name for it, known before the service has given it one."""
    judge: str
    keys: tuple[str, ...]
    worst_usd: float | None = None
    """What each of its asks costs at most."""


class BatchEvent(Row, frozen=True, kw_only=True, tag="batch"):
    """A batch was created under an id, or is given up."""

    chunk: str
    id: str = ""
    given_up: str = ""
    """Why nothing more is expected of it; empty while something is."""


class Note(Row, frozen=True, kw_only=True, tag="note"):
    """Something that people or the program decided: published, override, consent."""

    kind: str
    fields: dict[str, Fact]


AnyRow: TypeAlias = Opened | Intent | Result | Error | Unknown | BatchIntent | BatchEvent | Note

_decode = msgspec.json.Decoder(AnyRow).decode


class Place(Struct, frozen=True):
    """Where a line lies in its file (bytes)."""

    start: int
    size: int


def encoded(row: AnyRow) -> bytes:
    """A row as the text of its line."""
    return surrogates.encode(row)


def decoded(line: bytes) -> AnyRow | None:
    """The row of a line; None where it was cut off or is none of ours."""
    try:
        return surrogates.decode(_decode, line)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None


def rows(path: Path) -> Iterator[tuple[Place, AnyRow | None]]:
    """Every line of a ledger, oldest first. Raises `NotPossible` where it is none, `OSError` as reading does."""
    start, is_ours = 0, False
    with path.open("rb") as file:
        while line := file.readline(_LONGEST):
            row = decoded(line)
            is_ours = is_ours or _opens(path, line, row)
            yield Place(start, len(line)), row
            start += len(line)


def _opens(path: Path, line: bytes, row: AnyRow | None) -> bool:
    """Whether the first row that can be read makes a ledger of the file; one that was cut off may."""
    if isinstance(row, Opened):
        if row.schema == SCHEMA:
            return True
        raise NotPossible(f"{path} is a ledger of another version, {row.schema!r}: this program writes {SCHEMA}")
    if row is None and (line.startswith(_BEGINNING) or _BEGINNING.startswith(line.strip())):
        return False
    raise NotPossible(f"{path} is no ledger: its first line is not one of {SCHEMA}")
