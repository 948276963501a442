"""What is to be read, in order, and what came of it: tasks are handed out ahead, parts are put in where they belong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace

from agent_tui.bundles.index.columns import Damaged
from agent_tui.bundles.index.frames import EndedSource, LeftOff
from agent_tui.bundles.index.place import Input
from agent_tui.bundles.index.writer import Writer, moved_problem
from agent_tui.bundles.loading import Loader
from agent_tui.bundles.parts import Before, Part, PartMaker
from agent_tui.errors import BadRules, Problem
from agent_tui.readers.formats.agent_tui import FORMAT
from agent_tui.readers.opening import nothing_readable
from agent_tui.readers.ranges import CHANGED, last_line_end
from agent_tui.workers.tasks import (
    FIRST_RANGE,
    PIECE,
    RANGE,
    Beginning,
    CanBeCut,
    Digest,
    Given,
    Hash,
    How,
    Lost,
    ReadFile,
    ReadRange,
    Refused,
    Task,
)

Asked: TypeAlias = Input | Problem
"""What was named: a file, or why there is none."""


class _File(Struct):
    """How far a file is: what was handed out, what came and waits for its turn."""

    input: Input
    parts: list[Part] = field(default_factory=list)
    """Of a file that is read from its start: what came before its turn."""
    taken: int = 0
    """How much of what its task gives has come (a count)."""
    is_handed_out: bool = False
    is_done: bool = False
    is_cut: bool = False
    handed_out: int = 0
    """Up to which byte ranges were handed out."""
    ranges: dict[int, tuple[ReadRange, Part]] = field(default_factory=dict)
    """Ranges that came before their turn, by where they begin."""
    low: int = 0
    """Up to which byte it was put in, as far as is known."""
    line: int = 0
    before: Before = field(default_factory=Before)
    """What the lines up to `low` said."""
    again: ReadRange | None = None
    whole: int = 0
    """Where its last whole line ends (bytes): one without an end is apart, since more of it may come."""
    is_hashed: bool = False
    digest: str | None = None


class Gathering:
    """Puts the parts of what was asked for into an index, in order and each once, whoever does the tasks and how often.

    `cuts` are where to cut ranges: the first after so many bytes, the others so many after another. `ahead` is how many
    of them may be handed out before their turn: as many parts may have to wait in memory.
    """

    def __init__(
        self,
        asked: Sequence[Asked],
        how: How,
        writer: Writer,
        *,
        cuts: tuple[int, int] = (FIRST_RANGE, RANGE),
        ahead: int = 4,
        finishes: bool = True,
    ) -> None:
        """`finishes`: whether digests are made, so that there can be an end."""
        self._asked = [each if isinstance(each, Problem) else _File(each) for each in asked]
        self._files = {each.input.file: each for each in self._asked if isinstance(each, _File)}
        self._cut: list[_File] = []
        self._how, self._writer, self._ahead = how, writer, ahead
        self._first_range, self._range = cuts
        self._at = 0
        self._absorbed: set[str] = set()
        self._read: Counter[str] = Counter()
        self._finishes = finishes
        self.begins: Beginning | None = None
        """What was known of the last file before it was as long as it is."""
        self.torn: list[Problem] = []
        """What is odd about a last line without an end."""
        self.left_off: LeftOff | None = None
        """Where the last file that was put in can be gone on with."""
        self.bytes_done = 0
        self._settle()

    def go_on(
        self,
        left_off: LeftOff,
        bytes_done: int,
        ended: Sequence[EndedSource],
        absorbed: Sequence[str],
        begins: Beginning | None,
    ) -> None:
        """Begin where another program left off. Raises `OSError` where the file cannot be read any more.

        `begins` is what that one knew of the file when it was shorter.
        """
        self.begins = begins
        self._at, self.bytes_done = left_off.file, bytes_done
        self._absorbed.update(absorbed)
        digests = {each.file: each.digest for each in ended}
        for number, each in enumerate(self._asked[: left_off.file]):
            if isinstance(each, _File):
                each.is_done = True
                each.digest = digests.get(each.input.name)
                each.is_hashed = each.digest is not None
                self._read[each.input.folder or ""] += each.is_hashed or number in left_off.cut
                if number in left_off.cut:
                    each.handed_out = each.input.stamp.size
                    self._cut.append(each)
        if left_off.low:
            self._go_on_in(left_off)
        self._settle()

    def grow(self, input: Input, left_off: LeftOff) -> None:
        """Let the last file, which was put in as long as it was, be longer. Raises `OSError`."""
        file = self._asked[left_off.file]
        assert isinstance(file, _File)
        self._at, self.torn = left_off.file, []
        self.bytes_done -= file.low - left_off.low
        file.input, file.is_done, file.is_hashed, file.digest = input, False, False, None
        self._go_on_in(left_off)
        self._settle()

    def _go_on_in(self, left_off: LeftOff) -> None:
        """Begin in the middle of a file, or at its end."""
        file = self._asked[left_off.file]
        assert isinstance(file, _File)
        self._begin_to_cut(file)
        file.is_handed_out = True
        file.low = file.handed_out = left_off.low
        file.line = left_off.line
        file.before = Before(left_off.fields, left_off.is_ours, left_off.is_first)
        self.left_off = left_off
        self._end_if_done(file)

    def _begin_to_cut(self, file: _File) -> None:
        file.whole = last_line_end(file.input.file, file.input.stamp.size)
        if not file.is_cut:
            file.is_cut = True
            self._cut.append(file)

    def _end_if_done(self, file: _File) -> None:
        if file.low >= file.input.stamp.size:
            file.is_done = True
            self._read[file.input.folder or ""] += 1

    @property
    def is_finished(self) -> bool:
        """Whether everything was put in."""
        return self._at == len(self._asked) and all(file.digest is not None for file in self._cut)

    # Handing out

    def next_task(self) -> Task | None:
        """What may be done now; None where something has to come first."""
        waiting = (each for each in islice(self._asked, self._at, None) if isinstance(each, _File) and not each.is_done)
        for number, file in enumerate(islice(waiting, self._ahead)):
            if not file.is_handed_out:
                if number and file.input.stamp.size > self._range:
                    return self._hash()  # its parts would have to wait in memory
                file.is_handed_out = True
                return self._read_file(file.input)
            if file.is_cut and (task := self._next_range(file)) is not None:
                return task
            if file.is_cut and file.handed_out < file.input.stamp.size:
                break
        return self._hash()

    def _read_file(self, input: Input) -> ReadFile:
        pieces = self._first_range, min(self._range, PIECE)
        return ReadFile(input.file, input.folder, input.stamp, known_as=input.known_as, pieces=pieces)

    def _next_range(self, file: _File) -> ReadRange | None:
        if file.again is not None:
            task, file.again = file.again, None
            return task
        size, low = file.input.stamp.size, file.handed_out
        if low >= size or (low and not file.low) or low - file.low >= self._ahead * self._range:
            return None
        if low < file.whole:
            file.handed_out = min(file.whole, low + (self._range if low else self._first_range))
        else:
            file.handed_out = size
        return ReadRange(file.input.file, file.input.stamp, low, file.handed_out, file.before, file.input.known_as)

    def _hash(self) -> Hash | None:
        for file in self._cut if self._finishes else ():
            if not file.is_hashed and file.handed_out >= file.input.stamp.size:
                file.is_hashed = True
                return Hash(file.input.file, file.input.stamp, self.begins if file is self._asked[-1] else None)
        return None

    # Taking

    def take(self, task: Task, number: int, given: Given | None) -> None:
        """Put in what a task gave, or keep it until its turn; `number` counts what the task gave, None says it is done.

        Raises `BadRules` where rules make no sense, `OSError` where there is no room, `Damaged` where a file that is
        gone on with was not only added to.
        """
        file = self._files[task.file]
        if isinstance(given, Refused):
            raise BadRules(given.reason)
        if isinstance(task, Hash):
            self._take_digest(file, given)
        elif isinstance(task, ReadRange):
            self._take_range(file, task, given)
        elif number == file.taken and not file.is_done:
            file.taken += 1
            self._take_part(file, given)
        self._settle()

    def _take_digest(self, file: _File, given: Given | None) -> None:
        if isinstance(given, Digest):
            if not given.begins_so:
                raise Damaged(f"{file.input.name} was changed before the place from which it has grown")
            file.digest = given.digest
        elif isinstance(given, Lost) and file.digest is None:
            file.digest = ""
            self._put(self._problem(file, given.reason))

    def _take_range(self, file: _File, task: ReadRange, given: Given | None) -> None:
        part = replace(self._problem(file, given.reason), after=task.before) if isinstance(given, Lost) else given
        if isinstance(part, Part) and task.low >= file.low and task.low not in file.ranges:
            file.ranges[task.low] = (task, part)

    def _take_part(self, file: _File, given: Given | None) -> None:
        if isinstance(given, CanBeCut):
            self._begin_to_cut(file)
        elif isinstance(given, Part | Lost):
            file.parts.append(self._problem(file, given.reason) if isinstance(given, Lost) else given)
        elif not file.is_cut:
            if not (file.parts and file.parts[-1].is_last):  # it was read again, and there was less of it
                file.parts.append(self._problem(file, CHANGED))
            file.is_done = True

    def _settle(self) -> None:
        """Put in everything whose turn it is."""
        while self._at < len(self._asked):
            now = self._asked[self._at]
            if isinstance(now, Problem):
                self._at += 1
                self._put(self._met(now))
                continue
            if str(Path(now.input.file).resolve()) in self._absorbed:
                now.parts.clear()
                now.is_done, now.digest = True, ""
                self._reach(now, now.input.stamp.size)
            elif now.is_cut:
                self._put_ranges(now)
            self._put_parts(now)
            if not now.is_done:
                return
            self._at += 1

    def _put_parts(self, file: _File) -> None:
        while file.parts and (file.is_done or not file.parts[0].is_last):  # the last one says that the file is done
            part = file.parts.pop(0)
            self._absorbed.update(part.absorbed)
            self._read[file.input.folder or ""] += len(part.ended)
            self._reach(file, file.input.stamp.size if part.is_last else part.reached)
            self._put(part, left_off=LeftOff(self._at + 1) if part.is_last else None)

    def _reach(self, file: _File, place: int) -> None:
        """Count the bytes of a file up to a place, each once."""
        reached = max(file.low, min(place, file.input.stamp.size))
        self.bytes_done += reached - file.low
        file.low = reached

    def _put_ranges(self, file: _File) -> None:
        while (found := file.ranges.pop(file.low, None)) is not None:
            task, part = found
            if task.before != file.before:
                file.again = replace(task, before=file.before)
                return
            line, file.line = file.line, file.line + part.line_feeds
            self._reach(file, task.high)
            file.before = part.after
            self._end_if_done(file)
            if task.low >= file.whole and self._at == len(self._asked) - 1 and not (part.table.rows or part.begun):
                self.torn = [moved_problem(problem, line) for problem in part.problems]
            else:
                self._put(part, line, self._left_off(file))

    def _left_off(self, file: _File) -> LeftOff:
        """Where to go on in a file, now or when it has grown."""
        before = file.before
        cut = [number for number, each in enumerate(self._asked[: self._at]) if isinstance(each, _File) and each.is_cut]
        is_torn = file.whole < file.low == file.input.stamp.size
        return LeftOff(self._at, file.low, file.line, before.fields, before.is_ours, before.is_first, is_torn, cut)

    def _put(self, part: Part, line: int = 0, left_off: LeftOff | None = None) -> None:
        self.left_off = left_off
        self._writer.append(part, line, self.bytes_done, left_off)

    def _problem(self, file: _File, reason: str) -> Part:
        return self._met(Problem(file.input.name, reason, kind="unreadable"))

    def _met(self, problem: Problem) -> Part:
        maker = PartMaker(self._how.modes, Loader(self._how.rules))
        maker.add(problem)
        return maker.take()

    def finish(self) -> None:
        """Say that everything was put in. Raises `OSError` where there is no room."""
        ended = [EndedSource(file.input.name, FORMAT.name, file.digest) for file in self._cut if file.digest]
        folders = dict.fromkeys(file.input.folder for file in self._files.values() if file.input.folder is not None)
        nothing = [nothing_readable(folder) for folder in folders if not self._read[folder]]
        self._writer.finish(ended, [*self.torn, *nothing])
