"""What was changed and not yet written anywhere, kept line by line, so that no end of the program loses it.

`state/journal/<path key>.jsonl`, append-only, each line on the disk before the next key. A session is a header and
what was done in it: `{"do": "change", "edits": [..]}` and `{"do": "go_to", "position": n}` (undo and redo).

A header says which runs there were, and another one follows where more have come: changes belong to these runs, and are
taken up by a file that begins with them, whatever was added to it since, and whether or not it is another file by now:
editors and copying programs put a new one in the place of the old.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from agent_tui.append_only import Taken, append, open_to_append, take
from agent_tui.bundles.bundle import Bundle
from agent_tui.bundles.extents import Extent, Place, difference, extents_of, place_of, row_at
from agent_tui.bundles.index.held import Damaged, NoRoom
from agent_tui.bundles.ledger import Made
from agent_tui.bundles.patch import Written, checked, written
from agent_tui.bundles.what_if import WhatIf
from agent_tui.errors import BadPatch, NotPossible
from agent_tui.places import make_private, path_key, state_folder
from agent_tui.runs import surrogates

SCHEMA = "agent-tui/journal-1"


class Line(Struct, frozen=True, omit_defaults=True):
    """A line of a journal: which runs there are, a change, or a step to another position."""

    session: str
    do: str
    schema: str = ""
    bundle: str = ""
    at: str = ""
    runs: tuple[Extent, ...] = ()
    """Of each source: the runs that there were."""
    edits: tuple[Written, ...] = ()
    places: tuple[Place, ...] = ()
    """Of each edit: where its run stands. A name may go to others where more runs come."""
    position: int = 0


class Pending(Struct, frozen=True):
    """What the last session left: its changes, how many of them were shown, and since when."""

    session: str
    at: str
    changes: tuple[tuple[Written, ...], ...]
    position: int
    runs: int = 0
    """How many runs there were when they were made (a count); 0 where that was not kept."""
    reason: str = ""
    """Why it cannot be taken up; empty where it can."""


_decode = msgspec.json.Decoder(Line).decode


class Journal:
    """The journal of a bundle; give it to a `WhatIf`.

    A place that cannot be written is no reason to fail: `trouble` says so, and the next change tries again.
    """

    def __init__(self, bundle: Bundle) -> None:
        self._bundle = bundle
        key = path_key([*(source.file for source in bundle.sources), *bundle.parts]) if bundle.sources else None
        self.path: Path | None = state_folder() / "journal" / f"{key}.jsonl" if key else None
        self.trouble = "" if key else "changes are not kept: what was opened is no file that stays"
        """Why changes are not kept, in words; empty where they are."""
        self._session = os.urandom(4).hex()
        self._log: list[Line] = []
        self._rows = -1
        """How many runs the last header speaks of (a count)."""
        self._written = 0
        """How many lines of the session are on the disk (a count)."""

    def changed(self, edits: Iterable[Made]) -> None:
        """Keep a change."""
        made = tuple(edits)
        places = tuple(place_of(self._bundle, each.row) for each in made)
        lines = tuple(written(self._bundle, each) for each in made)
        self._append(Line(self._session, "change", edits=lines, places=places))

    def went_to(self, position: int) -> None:
        """Keep that the first `position` changes are shown now."""
        self._append(Line(self._session, "go_to", position=position))

    def pending(self) -> Pending | None:
        """What the last session left shown; None where that is nothing. To be asked before the first change.

        None too while another program has the bundle open: what it keeps was not left.
        """
        if not self._is_ours():
            return None
        lines = self._lines()
        session = lines[-1].session if lines else ""
        changes: list[Line] = []
        header, position = Line(session, "begin"), 0
        for line in lines:
            if line.session != session:
                continue
            if line.do == "change":
                changes[position:] = [line]
                position += 1
            elif line.do == "go_to":
                position = line.position
            else:
                header = line
        return self._left(header, changes, position) if position else None

    def _left(self, header: Line, changes: Sequence[Line], position: int) -> Pending:
        differs, reason = difference(self._bundle, header.runs), ""
        edits = [line.edits if differs else _renamed(self._bundle, line) for line in changes]
        if differs and (not header.bundle or header.bundle != self._bundle.digest):
            reason = f"what is opened is not what it was{': ' * bool(header.runs)}{differs * bool(header.runs)}"
        elif position > len(changes) or None in edits:
            reason = "the journal is damaged"
        runs = sum(extent.runs for extent in header.runs)
        return Pending(header.session, header.at, tuple(each or () for each in edits), position, runs, reason)

    def take_up(self, what_if: WhatIf, pending: Pending) -> None:
        """Make the changes again that were left, the undone ones too, and go on in their session.

        All or none: raises `BadPatch` where they do not fit, or where something was changed already.
        """
        if pending.reason or len(what_if.ledger):
            raise BadPatch(pending.reason or "there are changes already: revert them first")
        what_if.journal = None
        try:
            for edits in pending.changes:
                what_if.change_all(checked(self._bundle, edits))
            what_if.go_to(pending.position)
        except NotPossible:
            what_if.go_to(0)
            what_if.ledger.forget()
            raise
        except Damaged:  # nothing of this bundle will be shown any more
            what_if.ledger.forget_all()
            raise
        finally:
            what_if.journal = self
        self._session = pending.session
        self._log = [line for line in self._lines() if line.session == pending.session]
        self._written = len(self._log)

    def go_on(self, before: Journal) -> None:
        """Go on with what another one kept, or could not keep yet, of the same changes."""
        self._session, self._log, self._written, self._rows = (
            before._session,
            before._log,
            before._written,
            before._rows,
        )

    def discard(self) -> None:
        """Forget what was kept, so that it is not offered. What is shown stays, and is kept with the next change."""
        self._written = 0
        if self.path is not None:
            self.path.unlink(missing_ok=True)

    def _is_ours(self) -> bool:
        """Whether this program may use the journal; another one that has it open goes on alone."""
        if self.path is not None and not _held(self.path):
            self.path = None
            self.trouble = "changes are not kept: this bundle is open in another window too"
        return self.path is not None

    def _append(self, line: Line) -> None:
        if not self._is_ours() or self.path is None:
            return
        if self._rows != len(self._bundle):
            self._rows = len(self._bundle)
            self._log.append(self._header())
        self._log.append(line)
        try:
            for kept in _written(self.path, self._log[self._written :]):
                self._written += kept
            self.trouble = ""
        except OSError as error:
            self.trouble = f"changes are not kept: {error.strerror}: {self.path}"

    def _header(self) -> Line:
        """What is open now; held to the digest alone where a column cannot be read, which ends nothing here."""
        at = datetime.now(UTC).isoformat(timespec="seconds")
        header = Line(self._session, "begin", SCHEMA, self._bundle.digest, at)
        try:
            return replace(header, runs=extents_of(self._bundle))
        except (Damaged, NoRoom):
            return header

    def _lines(self) -> list[Line]:
        """The lines that can be read; one that was cut off cannot."""
        try:
            texts = self.path.read_bytes().splitlines() if self.path is not None else []
        except OSError:
            return []
        lines: list[Line] = []
        for text in texts:
            try:
                lines.append(surrogates.decode(_decode, text))
            except (msgspec.DecodeError, UnicodeDecodeError):
                continue
        return lines


def _renamed(bundle: Bundle, line: Line) -> tuple[Written, ...] | None:
    """The edits of a line, with the names that their runs have now; None where a run is not there."""
    if not line.places:
        return line.edits
    rows = [row_at(bundle, place) for place in line.places]
    if len(rows) != len(line.edits) or None in rows:
        return None
    named = zip(line.edits, rows, strict=True)
    return tuple(replace(edit, run=bundle.names.name(row)) for edit, row in named if row is not None)


_HELD: dict[Path, int] = {}
"""Journals that this program holds until it ends, by their path: the descriptor with the lock."""


def _held(path: Path) -> bool:
    """Whether this program holds a journal; it takes it where nobody does, and where there are no locks."""
    if path not in _HELD:
        try:
            make_private(path.parent.parent)
            make_private(path.parent)
            _HELD[path] = take(path)
        except Taken:
            return False
        except (ImportError, OSError):
            return True
    return True


def _written(path: Path, lines: Iterable[Line]) -> Iterator[int]:
    """Append lines, 1 for each that was, and wait until they are on the disk; one that was cut off is left behind."""
    make_private(path.parent.parent)
    make_private(path.parent)
    descriptor = open_to_append(path)
    try:
        for line in lines:
            append(descriptor, surrogates.encode(line))
            yield 1
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
