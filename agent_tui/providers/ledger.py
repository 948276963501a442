"""Every call to a model, before it is made and when it has ended, so that no end of the program has one made twice.

JSON Lines, append-only, each line on the disk before the program goes on. A call that has no end in it may have been
billed: it is unknown until someone agrees to ask again. Nothing that opens a door is written: no key, no address.

    with Ledger.open(path) as ledger:
        ledger.introduce(identity)
        ledger.intend(request.key, worst_usd=0.01)
        ledger.settle(request.key, reply, usd=0.0004)
    Ledger.read(path).reply(request.key)
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock
from types import TracebackType

import msgspec
from msgspec import Struct

from agent_tui.append_only import Taken, append, open_to_append, take
from agent_tui.errors import NotPossible
from agent_tui.places import make_private, state_folder
from agent_tui.providers.contract import UNCERTAIN, Failure, Identity, Outcome, Reply
from agent_tui.providers.ledger_index import Ask, Index, OpenBatch, Spent
from agent_tui.providers.ledger_rows import (
    SCHEMA,
    AnyRow,
    BatchEvent,
    BatchIntent,
    Error,
    Fact,
    Intent,
    Note,
    Opened,
    Place,
    Result,
    Unknown,
    decoded,
    encoded,
    rows,
)
from agent_tui.providers.redaction import in_words

Clock = Callable[[], datetime]


def utc_now() -> datetime:
    """The time, as lines carry it."""
    return datetime.now(UTC)


class Recorded(Struct, frozen=True):
    """How the last call for a key ended."""

    key: str
    outcome: Outcome
    at: str
    """UTC time of its end."""
    attempts: int
    """Calls that were made for the key up to then (a count)."""
    usd: float | None
    """What that call cost; None: not known."""
    identity: Identity | None
    """Who was asked; None where that line is damaged."""


class Ledger:
    """A ledger, to read or to write; several threads may use one."""

    def __init__(self, path: Path, lock: int | None, clock: Clock, sync: Callable[[int], None]) -> None:
        self.path = path
        self._lock = lock
        self._clock = clock
        self._sync = sync
        self._turn = Lock()
        self._is_closed = False
        self._index = _index_of(path)
        self._descriptor = open_to_append(path) if lock is not None else os.open(path, os.O_RDONLY | os.O_CLOEXEC)

    @classmethod
    def open(cls, path: Path, clock: Clock = utc_now, sync: Callable[[int], None] = os.fsync) -> Ledger:
        """The ledger at a path as its one writer. Raises `NotPossible` where there is one, or it cannot be written.

        Folders that are not there are made, for the owner only. `sync` brings what was written to the disk.
        """
        _make_folders(path)
        lock = _taken(path)
        try:
            return cls(path, lock, clock, sync)
        except OSError as error:
            os.close(lock)
            raise NotPossible(f"the ledger cannot be written: {error.strerror}: {path}") from error
        except NotPossible:
            os.close(lock)
            raise

    @classmethod
    def read(cls, path: Path) -> Ledger:
        """The ledger at a path, as it stands now. Raises `NotPossible` where there is none."""
        if not path.exists():
            raise NotPossible(f"no such ledger: {path}")
        try:
            return cls(path, None, utc_now, os.fsync)
        except OSError as error:
            raise NotPossible(f"the ledger cannot be read: {error.strerror}: {path}") from error

    def close(self) -> None:
        """Let others write. Closing again does nothing."""
        for descriptor in (self._descriptor, self._lock):
            if descriptor is not None and not self._is_closed:
                os.close(descriptor)
        self._is_closed = True

    def __enter__(self) -> Ledger:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    @property
    def is_writable(self) -> bool:
        """Whether calls can be made: one that was opened for reading only answers."""
        return self._lock is not None

    @property
    def identities(self) -> tuple[Identity, ...]:
        """Who was asked, the one that was asked last at the end."""
        judges = dict(self._index.judges)
        last = judges.pop(self._index.judge, None)
        return (*judges.values(), *([last] if last else []))

    @property
    def spent(self) -> Spent:
        """What all calls cost."""
        return self._index.spent

    @property
    def calls(self) -> int:
        """Calls that were begun (a count)."""
        return self._index.calls

    @property
    def damaged(self) -> int:
        """Lines that cannot be read, as one that was cut off (a count)."""
        return self._index.damaged

    @property
    def last(self) -> str | None:
        """UTC time of the last line; None for an empty ledger."""
        return self._index.last

    def reply(self, key: str) -> Recorded | None:
        """How the last call for a key that has ended did; None where none has."""
        ask = self._index.asks.get(key)
        if ask is None or ask.ended is None:
            return None
        row = decoded(os.pread(self._descriptor, ask.ended.size, ask.ended.start))
        if not isinstance(row, Result | Error | Unknown) or row.key != key:
            raise NotPossible(f"{self.path} was changed while it was open: open it again")
        outcome = row.reply if isinstance(row, Result) else row.failure
        return Recorded(key, outcome, row.at, row.attempt, row.usd, self._index.judges.get(ask.judge))

    def recorded(self) -> Iterator[Recorded]:
        """How each key's last call ended, in the order in which keys were first asked."""
        for key in list(self._index.asks):
            if found := self.reply(key):
                yield found

    def intents_open(self) -> frozenset[str]:
        """Keys of calls without an end, those in batches left out: what became of them nobody knows."""
        with self._turn:
            return frozenset(self._index.open)

    def is_open(self, key: str) -> bool:
        """Whether a key is one of `intents_open`."""
        return key in self._index.open

    def is_in_batch(self, key: str) -> bool:
        """Whether a batch is still to bring the end of a key's call."""
        ask = self._index.asks.get(key)
        return ask is not None and ask.chunk is not None

    def batches(self) -> tuple[OpenBatch, ...]:
        """Batches of which something is still to come, oldest first."""
        with self._turn:
            return self._index.batches

    def knows_batch(self, id: str) -> bool:
        """Whether a batch of the service is one of these, ended or not."""
        return id in self._index.batch_ids

    def notes(self, kind: str) -> tuple[Note, ...]:
        """Notes of a kind, oldest first."""
        with self._turn:
            return tuple(note for note in self._index.notes if note.kind == kind)

    def introduce(self, identity: Identity) -> None:
        """Say who is asked from now on."""
        name = hashlib.sha256(msgspec.json.encode(identity)).hexdigest()[:16]
        if name not in self._index.judges:
            self._write(lambda at: Opened(at=at, schema=SCHEMA, judge=name, identity=identity))
        self._index.judge = name

    def intend(self, key: str, worst_usd: float | None) -> int:
        """Say that a call is about to be made; gives which one for its key it is, from 1."""
        attempt = self._ask(key).attempts + 1
        judge = self._index.judge
        self._write(lambda at: Intent(at=at, key=key, judge=judge, attempt=attempt, worst_usd=worst_usd))
        return attempt

    def settle(self, key: str, reply: Reply, usd: float | None) -> None:
        """Keep the reply that a call ended with. What has ended already stays as it was."""
        ask = self._ask(key)
        if ask.is_open:
            self._write(lambda at: Result(at=at, key=key, attempt=ask.attempts, usd=usd, reply=reply))

    def fail(self, key: str, failure: Failure, usd: float | None) -> None:
        """Keep the failure that a call ended with. What has ended already stays as it was."""
        ask = self._ask(key)
        kept = msgspec.structs.replace(failure, reason=in_words(failure.reason))
        row = Unknown if failure.kind in UNCERTAIN else Error
        if ask.is_open:
            self._write(lambda at: row(at=at, key=key, attempt=ask.attempts, usd=usd, failure=kept))

    def note(self, kind: str, fields: Mapping[str, Fact]) -> str:
        """Keep what was decided; gives the UTC time that it carries."""
        return self._write(lambda at: Note(at=at, kind=kind, fields=dict(fields)))

    def intend_batch(self, chunk: str, keys: Iterable[str], worst_usd: float | None) -> None:
        """Say that a batch is about to be created; `worst_usd` is for each of its asks."""
        judge, asked = self._index.judge, tuple(keys)
        self._write(lambda at: BatchIntent(at=at, chunk=chunk, judge=judge, keys=asked, worst_usd=worst_usd))

    def batch_sent(self, chunk: str, id: str) -> None:
        """Keep the id that the service gave to a batch."""
        self._write(lambda at: BatchEvent(at=at, chunk=chunk, id=id))

    def give_up_batch(self, chunk: str, reason: str) -> None:
        """Expect nothing more of a batch: what of it has not ended becomes unknown."""
        self._write(lambda at: BatchEvent(at=at, chunk=chunk, given_up=in_words(reason)))

    def _ask(self, key: str) -> Ask:
        return self._index.asks.get(key) or Ask()

    def _write(self, row_at: Callable[[str], AnyRow]) -> str:
        """Append a row and wait until it is on the disk. Raises `OSError` where it could not be.

        Other threads wait for their own lines only: the disk is not waited for in turn.
        """
        if not self.is_writable:
            raise NotPossible(f"the ledger was opened for reading only: {self.path}")
        at = self._clock().astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        row = row_at(at)
        line = encoded(row)
        with self._turn:
            start = append(self._descriptor, line)
            self._index.take(row, Place(start, len(line) + 1))
        self._sync(self._descriptor)
        return at


def _index_of(path: Path) -> Index:
    """What a ledger's lines come to. Raises `NotPossible` where something is there that is no ledger."""
    index = Index()
    if path.exists() and not path.is_file():
        raise NotPossible(f"{path} is no ledger: it is no file")
    for place, row in rows(path) if path.exists() else ():
        index.take(row, place)
    return index


def _taken(path: Path) -> int:
    """The lock of a ledger. Raises `NotPossible` where it cannot be had: without it, calls might be made twice."""
    try:
        return take(path)
    except Taken as held:
        raise NotPossible(f"the ledger is being written by {held}: end that, or name another file: {path}") from held
    except (OSError, ImportError) as error:
        reason = error.strerror if isinstance(error, OSError) else "this system has no file locks"
        raise NotPossible(f"the ledger cannot be locked: {reason}: {path}") from error


def _make_folders(path: Path) -> None:
    """Make the folders that are not there; those of ours must be the user's own."""
    ours = state_folder()
    try:
        for folder in [*reversed(path.parent.parents), path.parent]:
            if not folder.is_dir() or ours in (folder, *folder.parents):
                make_private(folder)
    except OSError as error:
        raise NotPossible(f"the ledger cannot be written: {error.strerror}: {path}") from error
