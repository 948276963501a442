"""One program at a time puts parts into an index: columns first, then the frame that says so."""

from __future__ import annotations

import os
import struct
from array import array
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path

import msgspec
from xxhash import xxh3_64_intdigest

from agent_tui.bundles.index.columns import Damaged, Growing, Written
from agent_tui.bundles.index.frames import (
    EndedSource,
    Finished,
    Frame,
    Grown,
    LeftOff,
    OfFile,
    Opened,
    PartTotals,
    frame_bytes,
    read_totals,
    totals_bytes,
)
from agent_tui.bundles.index.place import LOG
from agent_tui.bundles.lookup import Lookup
from agent_tui.bundles.parts import Part
from agent_tui.bundles.problem_list import KEPT
from agent_tui.errors import Problem
from agent_tui.places import PRIVATE_FILE
from agent_tui.scoring import MEASURES
from agent_tui.scoring.columns import Codes, Reasons, bytes_text, text_bytes
from agent_tui.scoring.packed_totals import packed, unpacked
from agent_tui.scoring.scorecard import trials_of
from agent_tui.scoring.table import FIXED
from agent_tui.scoring.table_part import TablePart
from agent_tui.scoring.tally import tally_of
from agent_tui.scoring.task_pairs import Rows
from agent_tui.scoring.totals import TRIALS, Totals

_IDENTITY = ("tasks", "epochs", "models", "agents")
_WORDS = ("tasks", "statuses", "models", "agents", "findings")
_COUNTED = ("tasks", "statuses", "models", "agents")
"""Columns of words whose numbers stand in totals."""
_pack_identity = struct.Struct("<IqII").pack
_ABSENT = bytes([Reasons.CODES["absent"]])
_NO_NUMBERS = array("d", [float("nan")])


def write_log(folder: Path, frames: Iterable[Frame]) -> None:
    """Put a log in the place of what is there, whole or not at all. Raises `OSError`."""
    draft = folder / "log.new"
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, PRIVATE_FILE)
    with open(descriptor, "wb") as file:
        file.writelines(map(frame_bytes, frames))
    draft.replace(folder / LOG)


def append_frame(folder: Path, frame: Frame, good: int) -> None:
    """Put a frame behind the good bytes of a log, for what an ended program left there. Raises `OSError`."""
    os.truncate(folder / LOG, good)
    with open(folder / LOG, "ab") as file:
        file.write(frame_bytes(frame))


class Writer:
    """Puts parts into the columns of a folder, in the order in which it is given them."""

    def __init__(self, folder: Path, modes: Sequence[str], *, finishes: bool = True) -> None:
        """One that never finishes need not know which ids repeat."""
        self.rows = 0
        self._finishes = finishes
        self._opened = Opened("", [])
        self._folder = folder
        self._modes = modes
        self._columns = Growing(folder)
        self._log = os.open(folder / LOG, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, PRIVATE_FILE)
        self._words = {name: Codes([]) for name in _WORDS}
        self._scores: dict[str, int] = {}
        self._sources = 0
        self._places: dict[tuple[str, str | None, bool], int] = {}
        self._sizes = {"ids": 0, "copied": 0}
        self._ids, self._identities = Lookup(), Lookup()
        self._clashes_told = 0
        self._totals = Totals()

    def _write(self, frame: Frame) -> None:
        rest = memoryview(frame_bytes(frame))
        while rest:
            rest = rest[os.write(self._log, rest) :]

    def close(self) -> None:
        """No more is written."""
        self._columns.close()
        os.close(self._log)

    # Going on where another program left off

    def go_on(self, frames: Sequence[Frame], columns: Written) -> None:
        """Take what stands in an index for written, and cut off what stands behind it. Raises `Damaged`."""
        self._columns.cut(columns)
        try:
            self._add_up_all(frames, columns)
        except msgspec.DecodeError as error:
            raise Damaged(f"totals cannot be read: {error}") from error
        self._sizes = {column: columns.size(column) for column in self._sizes}
        if self._finishes:
            self._ids.make_room(self.rows)
            self._ids.add(columns.numbers("id_hashes"))
        self._identities.make_room(self.rows)
        self._meet([columns.numbers(name) for name in _IDENTITY])

    def _add_up_all(self, frames: Sequence[Frame], columns: Written) -> None:
        place = 0
        finished = max((number for number, frame in enumerate(frames) if isinstance(frame, Finished)), default=-1)
        for number, frame in enumerate(frames):
            if isinstance(frame, Grown):
                self.rows += frame.rows
                self._learn(frame)
                if number > finished:
                    self._add_up(read_totals(columns.text("totals", place, frame.totals)))
                place += frame.totals
            elif isinstance(frame, Opened):
                self._opened = frame
            elif number == finished:
                self._totals = unpacked(frame.totals)

    def _add_up(self, part: PartTotals) -> None:
        self._totals.merge(unpacked(part.totals), part.codes, len(self._words["tasks"].words))

    def _learn(self, frame: Grown) -> None:
        for name, words in frame.words.items():
            for word in words:
                self._words[name][None if word is None else bytes_text(word)]
        for score in frame.scores:
            self._scores[bytes_text(score)] = len(self._scores)
        for file, member, is_copied in frame.places:
            self._places[file, member, is_copied] = len(self._places)
        self._sources += len(frame.begun)

    # Growing

    def open_again(self, last: OfFile) -> None:
        """Say that the last file has grown, and how far it is read from now on. Raises `OSError`."""
        self._opened = Opened(self._opened.version, [*self._opened.files[:-1], last])
        self._write(self._opened)

    def append(self, part: Part, line: int = 0, bytes_done: int = 0, left_off: LeftOff | None = None) -> Grown:
        """Put a part behind the rows that are there; `line` is how many lines of its file stand before it.

        Raises `OSError` where there is no room.
        """
        table = part.table
        words = {name: len(self._words[name]) for name in _WORDS}
        places, scores, first_source = len(self._places), len(self._scores), self._sources
        numbers = self._place_numbers(part)
        known = {name: self._known(table, name) for name in _WORDS}
        codes = {name: array("I", map(known[name].__getitem__, array("I", table.fixed[name]))) for name in _WORDS}
        totals = PartTotals(part.totals, {name: known[name] for name in _COUNTED})
        kept = totals_bytes(totals)
        pieces = self._columns.add(
            [
                *((name, codes[name].tobytes() if name in codes else table.fixed[name]) for name in FIXED),
                ("ids", table.ids),
                ("id_ends", _moved(table.id_ends, self._sizes["ids"])),
                ("id_hashes", part.id_hashes),
                ("sources", self._source_numbers(part)),
                ("places", numbers.tobytes()),
                ("offsets", self._offsets(part)),
                ("lengths", part.places.lengths),
                ("lines", _lines(part.places.lines, line)),
                ("hashes", part.places.hashes),
                ("copied", part.places.copied),
                ("totals", kept),
                *self._score_columns(table),
                *((f"mode-{number}", table.modes[mode]) for number, mode in enumerate(self._modes)),
            ]
        )
        self._sizes["ids"] += len(table.ids)
        self._sizes["copied"] += len(part.places.copied)
        if self._finishes:
            self._ids.add(array("Q", part.id_hashes))
        clashes = self._clashes(part, codes, line)
        self.rows += table.rows
        self._add_up(totals)
        grown = Grown(
            rows=table.rows,
            pieces=pieces,
            totals=len(kept),
            words={name: _new_words(self._words[name], words[name]) for name in _WORDS},
            places=list(self._places)[places:],
            scores=[text_bytes(name) for name in list(self._scores)[scores:]],
            begun=list(part.begun),
            ended=part.ended,
            problems=[*(moved_problem(problem, line) for problem in part.problems), *clashes],
            arguments=part.arguments,
            absorbed=part.absorbed,
            bytes_done=bytes_done,
            left_off=left_off,
        )
        assert self._sources == first_source + len(part.begun)
        self._write(grown)
        return grown

    def finish(self, ended: Sequence[EndedSource], problems: Sequence[Problem]) -> None:
        """Say that everything was read. Raises `OSError`."""
        lookup = f"before-{self.rows}", f"slots-{self.rows}"
        pieces = zip(lookup, (self._ids.before.tobytes(), self._ids.slots.tobytes()), strict=True)
        self._totals.count_alike(self._all_rows)
        for measure in MEASURES:
            self._totals.recall(measure, partial(tally_of, self._totals, measure))
        self._totals.recall(TRIALS, partial(trials_of, self._totals))
        self._write(
            Finished(
                self._columns.add(pieces),
                lookup,
                packed(self._totals),
                list(ended),
                list(problems),
                self._ids.is_without_repeats,
            )
        )

    def _all_rows(self) -> Rows:
        """What is to be known of all rows to count tasks."""
        tasks, models, agents = (array("I", self._columns.whole(name)) for name in ("tasks", "models", "agents"))
        tasks_, models_, agents_ = (len(self._words[name]) for name in ("tasks", "models", "agents"))
        return Rows(tasks, models, agents, self._columns.whole("states"), (tasks_, models_, agents_))

    def _known(self, table: TablePart, name: str) -> list[int]:
        """The numbers that the words of a column have in the index."""
        code_of = self._words[name]
        return [code_of[None if word is None else bytes_text(word)] for word in table.words[name]]

    def _place_numbers(self, part: Part) -> array[int]:
        known = [self._places.setdefault(name, len(self._places)) for name in part.places.names]
        return array("I", map(known.__getitem__, array("I", part.places.numbers)))

    def _offsets(self, part: Part) -> bytes:
        """Where texts stand: those that were copied, behind what is there."""
        copied = [base for _, _, base in part.places.names]
        if not any(copied):
            return part.places.offsets
        base, numbers = self._sizes["copied"], array("I", part.places.numbers)
        offsets = array("Q", part.places.offsets)
        return array("Q", [each + base * copied[n] for each, n in zip(offsets, numbers, strict=True)]).tobytes()

    def _source_numbers(self, part: Part) -> bytes:
        column, rows = array("I"), part.table.rows
        for begun in part.begun:
            column.extend([self._sources - 1] * (begun.row - len(column)))
            self._sources += 1
        column.extend([self._sources - 1] * (rows - len(column)))
        return column.tobytes()

    def _score_columns(self, table: TablePart) -> Iterator[tuple[str, bytes]]:
        for name in table.scores:
            if name not in self._scores:
                number = self._scores[name] = len(self._scores)
                yield f"score-{number}", (_NO_NUMBERS * self.rows).tobytes()
                yield f"reason-{number}", _ABSENT * self.rows
        for name, number in self._scores.items():
            values, reasons = table.scores.get(name) or ((_NO_NUMBERS * table.rows).tobytes(), _ABSENT * table.rows)
            yield f"score-{number}", values
            yield f"reason-{number}", reasons

    # Runs that look alike

    def _clashes(self, part: Part, codes: dict[str, array[int]], line: int) -> list[Problem]:
        """The runs of a part, which was written, that look like an earlier one: the first by name, the rest counted."""
        columns = [codes["tasks"], array("q", part.table.fixed["epochs"]), codes["models"], codes["agents"]]
        alike = [row for row in self._meet(columns) if self._looks_like(row, self._identities.before[row] - 1)]
        told, rest = alike[: KEPT - self._clashes_told], alike[KEPT - self._clashes_told :]
        self._clashes_told += len(told)
        problems = [self._clash(part, row, line) for row in told]
        if rest:
            file = _file_of(part, rest[0] - self.rows)
            problems.append(Problem(file, f"{len(rest):,} more like these", kind="clash", count=len(rest)))
        return problems

    def _meet(self, columns: Sequence[array[int]]) -> list[int]:
        """Take in identities; gives the rows whose hash was met before."""
        return self._identities.add(map(xxh3_64_intdigest, map(_pack_identity, *columns)))

    def _looks_like(self, row: int, other: int) -> bool:
        """Whether two rows have one identity: a hash may be that of two."""
        return all(self._columns.item(column, row) == self._columns.item(column, other) for column in _IDENTITY)

    def _clash(self, part: Part, row: int, line: int) -> Problem:
        number = row - self.rows
        ends = array("Q", part.table.id_ends)
        run_id = bytes_text(part.table.ids[(ends[number - 1] if number else 0) + 1 : ends[number]])
        same = f"has task, epoch, model and agent of row {self._identities.first(row) + 1}; both rows are kept"
        at = array("Q", part.places.lines)[number]
        return Problem(_file_of(part, number), f"run {run_id!r} {same}", at + line if at else None, kind="clash")


def _file_of(part: Part, number: int) -> str:
    return part.places.names[array("I", part.places.numbers)[number]][0]


def _new_words(codes: Codes, known: int) -> list[bytes | None]:
    return [None if word is None else text_bytes(word) for word in codes.words[known:]]


def _moved(numbers: bytes, by: int) -> bytes:
    return array("Q", [each + by for each in array("Q", numbers)]).tobytes() if by else numbers


def _lines(numbers: bytes, by: int) -> bytes:
    return array("Q", [each + by if each else 0 for each in array("Q", numbers)]).tobytes() if by else numbers


def moved_problem(problem: Problem, by: int) -> Problem:
    """A problem so many lines further on."""
    if problem.line is None or not by:
        return problem
    return Problem(problem.file, problem.reason, problem.line + by, problem.path, problem.kind, problem.count)
