"""A file that grows under the open screen: a thread looks after its index and posts, the app shows as much as there is.

Lines that come are added to the rows that are shown. Whatever else becomes of the file is told, and it is read again.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace
from textual.message import Message

from agent_tui.bundles import Bundle
from agent_tui.bundles.index.held import Column, Damaged
from agent_tui.bundles.index.place import Input
from agent_tui.errors import AgentTuiError
from agent_tui.readers.ranges import Stamp, last_line_end
from agent_tui.readers.source import Source
from agent_tui.readers.streams import copy_of
from agent_tui.tui.loader import Latest, Opening

if TYPE_CHECKING:
    from agent_tui.readers.stream_copy import Copy
    from agent_tui.workers.following import Step

CANNOT = "only plain agent-tui/1 JSON Lines files can be followed"
ENDED = "the pipe has ended"
_PATIENCE = 0.5
"""Seconds that somebody who writes another file is waited for."""
_TRIES = 3
"""How often an index is begun with that others wrote or that is damaged (a count)."""


@dataclass
class Grew(Latest):
    """A file that is followed has more lines, or is at rest."""

    bundle: Bundle
    step: Step


@dataclass
class FileGone(Message):
    """A file that is followed was removed, or is back."""

    bundle: Bundle
    is_gone: bool


@dataclass
class FileLost(Message):
    """A file is not any more what is shown of it, for a reason; without one: it has changed once more since."""

    bundle: Bundle
    reason: str


@dataclass
class NotFollowed(Message):
    """A file is not followed, for a reason: where it changes it is to be read again."""

    bundle: Bundle
    reason: str


def followed_file(opening: Opening, bundle: Bundle) -> str | None:
    """The file of a bundle that may be followed: the last one, where all were named as files, or an open pipe."""
    if opening.references is not None or not bundle.sources:
        return None
    last = opening.paths[-1]
    copy = copy_of(last)
    if copy is not None:
        return last if copy.begun is not None else None
    if not all(map(os.path.isfile, opening.paths)):
        return None
    return last if os.path.abspath(bundle.sources[-1].file) == os.path.abspath(last) else None


def follow_in_thread(
    opening: Opening, bundle: Bundle, post: Callable[[Message], object], is_cancelled: Callable[[], bool]
) -> None:
    """Look after the file of a bundle until that is cancelled, or the file is lost."""
    from agent_tui.workers.following import Elsewhere, Lost  # here, since a screen is painted before it needs them

    copy = copy_of(opening.paths[-1])

    def give_up(reason: str) -> None:
        if copy is not None:
            copy.leave(f"it is not shown any further: {reason}")
        post(NotFollowed(bundle, reason))

    try:
        tries = 0
        while tries < _TRIES:
            looking = _Looking(opening, bundle, post, is_cancelled)
            try:
                looking.run()
                return
            except (Elsewhere, Damaged):
                tries = 1 if looking.has_shown else tries + 1
        give_up("its index cannot be gone on with")
    except Lost as lost:
        _tell_changes(opening.paths[-1], str(lost), lambda reason: post(FileLost(bundle, reason)), is_cancelled)
    except OSError as error:
        give_up(f"it cannot be followed: {error.strerror or error}")
    except AgentTuiError as error:
        give_up(str(error))
    except Exception as error:  # the border of the thread: what is wrong with it must not be silent
        give_up(f"it cannot be followed: {type(error).__name__} {error}")


def _tell_changes(file: str, reason: str, tell: Callable[[str], object], is_cancelled: Callable[[], bool]) -> None:
    """Tell that a file is lost, and whenever it changes after that: once nobody writes it, or has for a while."""
    from agent_tui.workers.following import LOOK

    told, seen, since = None, _stamp(file), time.monotonic()
    while not is_cancelled():
        time.sleep(LOOK)
        now = _stamp(file)
        if (now == seen or time.monotonic() - since > _PATIENCE) and (now, reason) != (told, ""):
            tell(reason)
            told, reason, since = now, "", time.monotonic()
        seen = now


def _stamp(file: str) -> Stamp | None:
    try:
        return Stamp.of(file)
    except OSError:
        return None


def _has_ended(copy: Copy) -> bool:
    return not copy.is_open


class _Looking:
    """One look after a file: until it grows, what is shown of it is waited by; then its index goes on."""

    def __init__(
        self, opening: Opening, bundle: Bundle, post: Callable[[Message], object], is_cancelled: Callable[[], bool]
    ) -> None:
        self._opening, self._bundle, self._post, self._is_cancelled = opening, bundle, post, is_cancelled
        self._is_gone = self._is_same = False
        self._copy = copy_of(opening.paths[-1])
        """Where a pipe is followed: what is copied of it."""
        self._has_ended = None if self._copy is None else partial(_has_ended, self._copy)
        self.has_shown = False
        """Whether a step was posted."""

    def run(self) -> None:
        """Raises `Lost`, `Elsewhere`, `Damaged`, `BadRules` and `OSError`."""
        from agent_tui.workers.building import asked_of
        from agent_tui.workers.engine import Pool, beside_a_screen
        from agent_tui.workers.following import Following
        from agent_tui.workers.scoring import can_be_cut
        from agent_tui.workers.tasks import How

        asked = asked_of(self._opening.paths)
        last = asked[-1] if asked else None
        if asked is None or not isinstance(last, Input) or not can_be_cut(Source.of(Path(last.file))):
            self._post(NotFollowed(self._bundle, CANNOT))
            return
        stamp = self._first_growth(last)
        if stamp is None:
            return
        following = Following([*asked[:-1], replace(last, stamp=stamp)], How(self._opening.rules), self._has_ended)
        self._folder = following.building.place.folder
        try:
            following.run(Pool(1 if self._copy is None else beside_a_screen()), self._take, self._is_cancelled)
        finally:
            following.building.place.close()

    def _first_growth(self, last: Input) -> Stamp | None:
        """What there is to be read beside what is shown, as soon as there is any; None: nobody waits any more."""
        from agent_tui.workers.following import LOOK, Tail

        read = self._read_as(last)
        if read is None:
            now = Stamp.of(last.file)
            return replace(now, size=last_line_end(last.file, now.size))
        tail = Tail(replace(last, stamp=read), self._has_ended)
        while not self._is_cancelled():
            try:
                stamp = tail.grown()
                self._tell_gone(is_gone=False)
                if stamp is not None:
                    return stamp
                if self._copy is not None and tail.is_at_rest:
                    return read  # of which the digest is still to be made
            except FileNotFoundError:
                self._tell_gone(is_gone=True)
            time.sleep(LOOK)
        return None

    def _read_as(self, last: Input) -> Stamp | None:
        """What the file was when it was read; None where it has changed since, in whatever way."""
        records, source = self._bundle.records, self._bundle.sources[-1]
        if isinstance(records.hashes, Column):  # an index, which says how long the file was
            return records.stamps[last.name]
        if self._copy is not None and self._copy.begun is not None:
            return replace(Stamp.growing(last.file), size=self._copy.begun)
        now = Stamp.of(last.file)
        return now if Source.of(Path(last.file)).digest() == source.digest else None

    def _tell_gone(self, *, is_gone: bool) -> None:
        if is_gone is not self._is_gone:
            self._is_gone = is_gone
            self._post(FileGone(self._bundle, is_gone))

    def _take(self, step: Step) -> None:
        """Post a step, once it has all that is shown already. Raises `Lost` where that is something else."""
        from agent_tui.workers.following import Lost

        self._tell_gone(is_gone=step.is_gone)
        if not self._is_same:
            if step.rows < len(self._bundle) and not step.is_at_rest:
                return
            if not self._begins_as_shown():
                raise Lost("was written over")
            self._is_same = True
        self.has_shown = True
        left_out = None if self._copy is None else self._copy.left_out
        if left_out is not None:
            step = replace(step, at_end=[*step.at_end, left_out])
        self._post(Grew(self._bundle, step))

    def _begins_as_shown(self) -> bool:
        """Whether the first rows of the index are those that are shown."""
        from agent_tui.bundles.index.view import View

        rows, view = len(self._bundle), View(self._folder, None, ())
        view.follow()
        hashes = view.columns.numbers("hashes")
        view.close()
        return len(hashes) >= rows and hashes[:rows].tobytes() == self._bundle.records.hashes[:rows].tobytes()
