"""What there is to do: values that any process can be given."""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct

from agent_tui.bundles.parts import Before, Part
from agent_tui.matchers import Rules
from agent_tui.readers.ranges import CHANGED, Stamp

RANGE = 32 << 20
"""Bytes of a file that a worker is given at a time."""
FIRST_RANGE = 1 << 20
"""Bytes that the first worker is given, so that there is something to look at."""
PIECE = 8 << 20
"""Bytes of text that make a part of a file which is read from its start: of a packed one they are all copied."""


class How(Struct, frozen=True):
    """How everything is scored: rules that win over those in the files, and matchers with a mode to be judged too."""

    rules: Rules | None = None
    modes: tuple[str, ...] = ()


class ReadFile(Struct, frozen=True):
    """A file to be read from its start; where it is one that can be cut into ranges, that is said instead."""

    file: str
    folder: str | None
    stamp: Stamp
    may_be_cut: bool = True
    known_as: str = ""
    """How people know it, where that is not its path."""
    pieces: tuple[int, int] = (FIRST_RANGE, PIECE)
    """Bytes of text from which on something is given, first and then."""

    @property
    def name(self) -> str:
        """How people know it."""
        return self.known_as or self.file


class ReadRange(Struct, frozen=True):
    """The lines of a file that begin in `low <= byte < high`."""

    file: str
    stamp: Stamp
    low: int
    high: int
    before: Before
    known_as: str = ""

    @property
    def name(self) -> str:
        """How people know the file."""
        return self.known_as or self.file


class Beginning(Struct, frozen=True):
    """The first bytes of a file: how many, and their digest."""

    size: int
    digest: str


class Hash(Struct, frozen=True):
    """The digest of a file's bytes."""

    file: str
    stamp: Stamp
    begins: Beginning | None = None
    """What of it was read another time, where that is known."""


Task: TypeAlias = ReadFile | ReadRange | Hash


class CanBeCut(Struct, frozen=True):
    """A file is JSON Lines of our own format: it can be read in ranges."""


class Digest(Struct, frozen=True):
    """The digest of a file."""

    digest: str
    begins_so: bool = True
    """Whether it begins with what was read of it another time."""


class Lost(Struct, frozen=True):
    """What a task is about could not be read, for a reason."""

    reason: str


class Refused(Struct, frozen=True):
    """Rules make no sense, for a reason: nothing is to be read."""

    reason: str


Given: TypeAlias = Part | CanBeCut | Digest | Lost | Refused


def may_be_read_again(given: Given | None) -> bool:
    """Whether something was not read that may be read another time, or by others."""
    if isinstance(given, Part):
        return any(problem.reason.startswith(CHANGED) for problem in given.problems)
    return isinstance(given, Lost)
