"""A file that is being written: what becomes of it is looked at, and its index goes on as it grows."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace
from xxhash import xxh3_128

from agent_tui.bundles import Bundle
from agent_tui.bundles.index.frames import OfFile
from agent_tui.bundles.index.place import LOG, Input
from agent_tui.bundles.index.view import View
from agent_tui.bundles.index.writer import Writer
from agent_tui.errors import Problem
from agent_tui.readers.formats.agent_tui import FORMAT
from agent_tui.readers.ranges import GROWS, Stamp, last_line_end, line_after
from agent_tui.readers.source import CHUNK
from agent_tui.workers.building import Building
from agent_tui.workers.gathering import Asked, Gathering
from agent_tui.workers.tasks import How, ReadRange, Task, may_be_read_again

if TYPE_CHECKING:
    from agent_tui.workers.engine import Engine

LOOK = 0.2
"""Seconds between two looks at a file."""
REST = 2.0
"""Seconds without a change after which a last line without an end is read as it is."""


class Lost(Exception):
    """A file is not any more what was read of it, for a reason: what follows its name in a sentence."""


class Elsewhere(Exception):
    """Another program writes the index, or has written it meanwhile; or workers ended. It may be begun again."""


class Step(Struct, frozen=True):
    """How far an index goes now."""

    view: View
    """To be followed by whoever shows it, and by nobody else."""
    rows: int
    is_whole: bool
    """Whether all that was to be read is in it."""
    at_end: Sequence[Problem] = ()
    """What is odd about a last line without an end, once nobody goes on with it."""
    digest: str = ""
    """Of what was read; empty where it is not known yet."""
    is_at_rest: bool = False
    is_gone: bool = False

    def show(self, bundle: Bundle) -> None:
        """Show it in a bundle, which is complete as far as it goes. Raises `Damaged`, as `View.show`."""
        bundle.is_complete = True
        self.view.follow()
        self.view.show(bundle)
        bundle.report_at_end(self.at_end)
        if bundle.sources:
            bundle.close_source(bundle.sources[-1].file, FORMAT.name, self.digest)
        if self.digest:
            bundle.complete()
        else:
            bundle.digest = ""


class Tail:
    """A file as far as it was read, and what has become of it since."""

    def __init__(self, read: Input, has_ended: Callable[[], bool] | None = None) -> None:
        """`has_ended`, of a file that only we write: whether it was written to its end. Raises `OSError`."""
        if has_ended is not None:
            read = replace(read, stamp=replace(read.stamp, modified=GROWS))
        self.take(read)
        self._seen, self._whole, self._since = read.stamp, read.stamp.size, time.monotonic()
        self._has_ended, self._is_over = has_ended, False
        self._doubted: Stamp | None = None
        """What it was at the last look that did not tell whether it is being written or was written over."""

    def take(self, read: Input) -> None:
        """Take so much for read. Raises `OSError`."""
        self.read, self.edges = read, read.edges(read.stamp.size)

    @property
    def is_at_rest(self) -> bool:
        """Whether nobody has written for a while, or nobody ever will."""
        if self._has_ended is not None:
            return self._is_over
        return time.monotonic() - self._since > REST

    def grown(self) -> Stamp | None:
        """What is to be read now: up to the last whole line, and everything once it is at rest; None: nothing more.

        Raises `Lost` where it was not only added to, and `OSError` where it is gone.
        """
        self._is_over = self._has_ended is not None and self._has_ended()  # before what came until then is looked at
        now, read = self._now(), self.read.stamp
        if now != self._seen:
            if not self._holds(now):
                return None
            self._seen, self._since = now, time.monotonic()
            self._whole = last_line_end(self.read.file, now.size)
        if self._whole > read.size:
            return replace(now, size=self._whole)
        return now if now.size > read.size and self.is_at_rest else None

    def _now(self) -> Stamp:
        return Stamp.of(self.read.file) if self._has_ended is None else Stamp.growing(self.read.file)

    def _holds(self, now: Stamp) -> bool:
        """Whether it was only added to; not, where that is to be seen the next time. Raises `Lost` and `OSError`."""
        read, doubted, self._doubted = self.read.stamp, self._doubted, now
        if now.inode != read.inode:
            raise Lost("was replaced by another file")
        if now.size < read.size:
            raise Lost("was cut")
        is_as_long = now.size == read.size and now != read
        if (is_as_long and now == doubted) or self.read.edges(read.size) != self.edges:
            raise Lost("was written over")
        return not is_as_long  # a write changes the time before the length


def _key(task: Task) -> tuple[str, int]:
    return task.file, task.low if isinstance(task, ReadRange) else -1


class Following:
    """An index that goes on with the last of its files, for as long as somebody wants it."""

    def __init__(self, asked: Sequence[Asked], how: How, has_ended: Callable[[], bool] | None = None) -> None:
        """As `Tail`. The stamp of the last file says how much of it is to be read at first."""
        last = asked[-1]
        assert isinstance(last, Input)
        self.building = Building(asked, how)
        if not self.building.place.take():
            self.building.make_again()  # another program writes the index of this file: this one has its own
        self._asked, self._how = asked, how
        self._tail = Tail(last, has_ended)
        self._due: set[tuple[str, int]] = set()
        """Tasks that were handed out and are not done."""
        self._log: tuple[int, int] | None = None
        """What the log was when it was left to others."""
        self._looked = 0.0
        self._hashed, self._hash = 0, xxh3_128()
        self._is_hashed = False
        self._is_gone = False

    def run(self, engine: Engine, tell: Callable[[Step], object], is_cancelled: Callable[[], bool]) -> None:
        """Read what is there and what comes, and tell of it, until it is cancelled.

        Raises `Lost`, `Elsewhere`, `Damaged`, `BadRules`, and `OSError` where there is no room.
        """
        place, said = self.building.place, 0.0
        if not place.take():
            raise Elsewhere
        self._tell, self._is_cancelled = tell, is_cancelled
        try:
            with closing(Writer(place.folder, self._how.modes, finishes=False)) as self._writer:
                self._gathering = Gathering(self._asked, self._how, self._writer, ahead=engine.ahead, finishes=False)
                self.building.go_on(self._writer, self._gathering)
                for task, number, given in engine.map(self._how, self._next, is_cancelled):
                    if may_be_read_again(given):
                        raise Elsewhere  # and what was put in stays
                    self._gathering.take(task, number, given)
                    if given is None:
                        self._due.discard(_key(task))
                    if time.monotonic() - said > LOOK:
                        said = time.monotonic()
                        tell(self._step(is_whole=False))
        finally:
            engine.close()
            place.leave()

    def _step(self, *, is_whole: bool, is_at_rest: bool = False) -> Step:
        return Step(
            view=self.building.view,
            rows=self._writer.rows,
            is_whole=is_whole,
            at_end=self._gathering.torn if is_whole else (),
            digest=self._digest() if is_whole and self._is_hashed else "",
            is_at_rest=is_at_rest,
            is_gone=self._is_gone,
        )

    def _next(self) -> Task | None:
        """The next task; waits for it where nothing is on its way."""
        task = self._gathering.next_task()
        while task is None and not self._due and not self._is_cancelled():
            self._tell(self._step(is_whole=True))
            self._wait()
            task = self._gathering.next_task()
        if task is not None:
            self._due.add(_key(task))
        return task

    def _wait(self) -> None:
        """Until there is more to read; a file at rest is left to whoever wants to write its index."""
        while not self._is_cancelled():
            time.sleep(max(0.0, self._looked + LOOK - time.monotonic()))
            self._looked = time.monotonic()
            stamp = self._look()
            if stamp is not None:
                self._take_again()
                self._grow(stamp)
                return
            if self._tail.is_at_rest and self._log is None and not self._is_gone:
                self._is_hashed = True
                self._tell(self._step(is_whole=True, is_at_rest=True))
                self._log = self._log_now()
                self.building.place.leave()

    def _look(self) -> Stamp | None:
        was_gone = self._is_gone
        try:
            stamp = self._tail.grown()
            self._is_gone = False
        except FileNotFoundError:
            stamp, self._is_gone = None, True
        if self._is_gone is not was_gone:
            self._tell(self._step(is_whole=True))
        return stamp

    def _log_now(self) -> tuple[int, int]:
        found = os.stat(self.building.place.folder / LOG)
        return found.st_ino, found.st_size

    def _take_again(self) -> None:
        """Be the one that writes, where nobody else did meanwhile."""
        if self._log is not None:
            if not self.building.place.take() or self._log_now() != self._log:
                raise Elsewhere
            self._log = None

    def _grow(self, stamp: Stamp) -> None:
        left_off, file = self._gathering.left_off, self._tail.read.file
        if left_off is None:
            raise Lost("was written over")
        if left_off.is_torn:
            after = line_after(file, left_off.low)
            if after is None:
                raise Lost("has another last line")
            if after > left_off.low:
                left_off = replace(left_off, low=after, line=left_off.line + 1)
        self._tail.take(replace(self._tail.read, stamp=stamp))
        self._writer.open_again(OfFile(file, stamp, self._tail.edges, self._tail.read.known_as))
        self._gathering.grow(self._tail.read, left_off)

    def _digest(self) -> str:
        """Of the bytes that were read: those that were hashed before are not read again. Raises `Lost`."""
        size, file = self._tail.read.stamp.size, Path(self._tail.read.file)
        try:
            self._hold_beginning(file)
            whole = last_line_end(file, size)
            self._update(self._hash, file, self._hashed, whole)
            self._hashed = max(self._hashed, whole)
            digest = self._hash.copy()
            self._update(digest, file, self._hashed, size)
        except OSError:
            return ""
        return digest.hexdigest()

    def _hold_beginning(self, file: Path) -> None:
        """Look at what another program had read, which no more than samples were taken of until now. Raises `Lost`."""
        begins = self._gathering.begins
        if begins is not None and self._hashed < begins.size:
            self._update(self._hash, file, self._hashed, begins.size)
            self._hashed = begins.size
            if not self._is_cancelled() and self._hash.hexdigest() != begins.digest:
                raise Lost("was written over")

    def _update(self, digest: xxh3_128, file: Path, low: int, high: int) -> None:
        with file.open("rb", buffering=0) as opened:
            opened.seek(low)
            while low < high and (chunk := opened.read(min(CHUNK, high - low))) and not self._is_cancelled():
                digest.update(chunk)
                low += len(chunk)
