"""What comes by a pipe: threads copy it and tell how much has come; the first runs are shown while more come.

Only what is JSON Lines of our own and named alone is shown so; all else is waited for, and how much has come is told.
"""

from __future__ import annotations

import io
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from msgspec.structs import replace
from textual.message import Message

from agent_tui.bundles import Bundle, Fact, scored
from agent_tui.bundles.bundle import ScoredRun
from agent_tui.bundles.loading import SourceDone
from agent_tui.errors import AgentTuiError
from agent_tui.matchers import Rules
from agent_tui.readers.opening import read_source
from agent_tui.readers.ranges import last_line_end
from agent_tui.readers.source import Source
from agent_tui.readers.stream_copy import Copy
from agent_tui.readers.streams import begin_copy, is_stream, read_copy
from agent_tui.tui.arrival import Arrival
from agent_tui.tui.loader import Latest, Opening
from agent_tui.workers.scoring import can_be_cut

GRACE = 0.2
"""Seconds that a pipe is waited for after its first bytes: most have ended by then, and are read as files are."""
_PIECES = 1 << 20, 64 << 20
"""Bytes that are read here, where runs are among them, and at most: all other processes read."""
_LOOK = 0.1
"""Seconds between two looks at what has come."""
_TELL = 0.25
"""Seconds between two words about how much has come."""


@dataclass
class Arrived(Latest):
    """More of what comes by pipes is here, or they have ended."""

    bundle: Bundle
    arrival: Arrival


class _Telling:
    """Posts how much has come, now and then and at the end."""

    def __init__(self, copies: Sequence[Copy], bundle: Bundle, post: Callable[[Message], object]) -> None:
        self._copies, self._bundle, self._post = copies, bundle, post
        self._said, self._told = 0.0, Arrival(-1)
        self.is_waited_for = False
        """Whether nothing is shown before the end."""
        for copy in copies:
            copy.tell = self.tell

    def tell(self, _: Copy | None = None) -> None:
        """Post it, where it is news."""
        left_out = next((str(copy.left_out) for copy in self._copies if copy.left_out is not None), "")
        size, is_open = sum(copy.size for copy in self._copies), any(copy.is_open for copy in self._copies)
        arrival = Arrival(size, is_open, is_waited_for=is_open and self.is_waited_for, left_out=left_out)
        is_due = time.monotonic() - self._said > _TELL or replace(arrival, size=self._told.size) != self._told
        if is_due and arrival != self._told:
            self._said, self._told = time.monotonic(), arrival
            self._post(Arrived(self._bundle, arrival))


class _FirstRuns:
    """Looks for runs in the beginning of a copy."""

    def __init__(self, copy: Copy, rules: Rules | None) -> None:
        self._copy, self._rules = copy, rules
        self._began: float | None = None
        self._looked = 0
        self.are_possible = copy.path is not None

    def look(self) -> list[Fact] | None:
        """What the first lines say, as soon as a run is among them."""
        if not self.are_possible or not self._is_time():
            return None
        size = self._copy.size
        whole = self._whole_lines(size)
        facts = None if whole is None else self._facts(whole)
        self._looked = whole or self._looked
        if facts is not None:
            self._copy.begun = whole
        elif size >= _PIECES[-1]:
            self.are_possible = False
        return facts

    def _whole_lines(self, size: int) -> int | None:
        """Where lines end up to which it is worth to look; None where that was done."""
        for most in _PIECES:
            whole = last_line_end(str(self._copy.path), min(size, most))
            if whole > self._looked and (most == _PIECES[0] or whole > 2 * self._looked):
                return whole
        return None

    def _is_time(self) -> bool:
        if self._began is None and self._copy.size:
            self._began = time.monotonic()
        return not self._copy.is_open or (self._began is not None and time.monotonic() - self._began > GRACE)

    def _facts(self, whole: int) -> list[Fact] | None:
        """What some whole lines say; None where that is not enough, or they are not such as can be followed."""
        text = self._copy.first(whole)
        source = Source(self._copy.name, lambda: io.BytesIO(text))
        first, _, others = text.partition(b"\n")
        is_document = source.packing != "plain" or not first.rstrip().endswith(b"}")
        if is_document or not can_be_cut(source):
            self.are_possible = not is_document and not others.strip()
            return None
        try:
            facts = list(scored(read_source(source, set()), self._rules))
        except AgentTuiError:  # rules may name a tool that is still to come
            return None
        # The digest is that of everything, and not known before the end.
        facts = [replace(fact, digest="") if isinstance(fact, SourceDone) else fact for fact in facts]
        return facts if any(isinstance(fact, ScoredRun) for fact in facts) else None


def arrive(
    opening: Opening, bundle: Bundle, post: Callable[[Message], object], is_cancelled: Callable[[], bool]
) -> list[Fact] | None:
    """Wait for what comes by pipes until all have ended, or runs of the only one can be shown, which are given."""
    begun = ((path, begin_copy(path, opening.limits)) for path in opening.paths if is_stream(path))
    copies = {path: copy for path, copy in begun if copy is not None}
    if not copies:
        return None
    is_alone = len(opening.paths) == 1 and opening.references is None and opening.patch is None and opening.with_index
    first = _FirstRuns(next(iter(copies.values())), opening.rules) if is_alone else None
    facts = _wait(list(copies.values()), first, _Telling(list(copies.values()), bundle, post), is_cancelled)
    for path, copy in copies.items():
        if is_cancelled():
            copy.leave()
            continue
        if facts is None:
            copy.begun = None
        read_copy(path, copy)
    return facts


def _wait(
    copies: Sequence[Copy], first: _FirstRuns | None, telling: _Telling, is_cancelled: Callable[[], bool]
) -> list[Fact] | None:
    while not is_cancelled() and (copy := next((copy for copy in copies if copy.is_open), None)) is not None:
        telling.is_waited_for = first is None or not first.are_possible
        telling.tell()
        copy.wait(_LOOK)
        facts = first.look() if first is not None and copy.is_open else None
        if facts is not None:
            return facts
    telling.tell()
    return first.look() if first is not None and copies[0].left_out is not None else None
