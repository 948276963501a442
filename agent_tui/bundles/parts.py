"""What a task gives: scored runs as columns of bytes, and what was met between them."""

from __future__ import annotations

from array import array
from collections.abc import Iterable

from msgspec import Struct, field
from xxhash import xxh3_64_intdigest

from agent_tui.bundles.bundle import ScoredRun, Source
from agent_tui.bundles.index.frames import BegunSource, EndedSource
from agent_tui.bundles.loading import AllRead, Fact, Loader, SourceDone
from agent_tui.bundles.names import id_hash
from agent_tui.bundles.problem_list import ProblemList
from agent_tui.errors import Problem
from agent_tui.matchers import match_mode
from agent_tui.readers import Record
from agent_tui.scoring import ScoreTable
from agent_tui.scoring.packed_totals import packed
from agent_tui.scoring.table import Row, row_of
from agent_tui.scoring.table_part import TablePart, part_of
from agent_tui.scoring.totals import Totals

_AT_ONCE = 32
"""How many rows are put into the table at once (a count): more save nothing."""


class Places(Struct, frozen=True):
    """Where the texts of the rows lie: the number of a place, the offset, the length and the line (0: none) of each."""

    names: list[tuple[str, str | None, bool]]
    """Of each place: the file, the member, and whether the text stands in `copied` and not in the file."""
    numbers: bytes
    offsets: bytes
    lengths: bytes
    lines: bytes
    hashes: bytes
    """Of the text of each row, so that never another one is shown."""
    copied: bytes


class Before(Struct, frozen=True):
    """What the lines before some lines said: whose runs these are and how they are scored."""

    fields: dict[str, bytes] = {}
    is_ours: bool = False
    is_first: bool = True


class Part(Struct, frozen=True):
    """Some runs in order."""

    table: TablePart
    totals: bytes
    id_hashes: bytes
    places: Places
    begun: list[BegunSource]
    ended: list[EndedSource]
    problems: list[Problem]
    arguments: dict[str, list[str]]
    """Tools and arguments that were met, as far as rules need to know."""
    line_feeds: int = 0
    after: Before = field(default_factory=Before)
    """What the lines after those of a range are to know."""
    absorbed: list[str] = []
    """Files that were read along with another one."""
    reached: int = 0
    """How far in its file, as that lies on disk, the reader is (bytes), where it is read from its start."""
    is_last: bool = True
    """Whether nothing of what its task is about comes after it."""


class PartMaker:
    """Collects what a loader says, until it is taken as a part."""

    def __init__(self, modes: tuple[str, ...], loader: Loader) -> None:
        self._modes = modes
        self._loader = loader
        self.size = 0
        """Bytes of text in what was collected."""
        self._begin()

    def _begin(self) -> None:
        self.size = 0
        self._table = ScoreTable()
        self._table.modes = {mode: bytearray() for mode in self._modes}
        self._rows: list[Row] = []
        """Of runs that are not in the table yet."""
        self._places: dict[tuple[str, str | None, bool], int] = {}
        self._numbers, self._offsets, self._lengths, self._lines = array("I"), array("Q"), array("I"), array("Q")
        self._hashes, self._copied = array("Q"), bytearray()
        self._begun: list[BegunSource] = []
        self._ended: list[EndedSource] = []
        self._problems = ProblemList()

    def add(self, fact: Fact) -> None:
        """Collect one fact."""
        if isinstance(fact, ScoredRun):
            self._add_run(fact)
        elif isinstance(fact, Problem):
            self._problems.add(fact)
        elif isinstance(fact, Source):
            self._begun.append(
                BegunSource(len(self._numbers), fact.file, {k: bytes(v) for k, v in fact.fields.items()})
            )
        elif isinstance(fact, SourceDone):
            self._ended.append(EndedSource(fact.file, fact.format, fact.digest))
        else:
            assert isinstance(fact, AllRead)

    def _add_run(self, scored: ScoredRun) -> None:
        source, run = self._loader.source, scored.run
        header = source.header
        self._rows.append(row_of(run, scored.score, run.model or header.model, run.agent or header.agent))
        if len(self._rows) == _AT_ONCE:
            self._settle()
        for mode, states in self._table.modes.items():
            states.append(match_mode(run, mode, source.plan.rules))
        self._add_place(scored.record)

    def _settle(self) -> None:
        """Put what was collected into the table."""
        if self._rows:
            self._table.extend(self._rows)
            self._rows = []

    def _add_place(self, record: Record) -> None:
        text, offset = record.text, record.offset
        place = record.file, record.member, offset is None
        self._numbers.append(self._places.setdefault(place, len(self._places)))
        self._lengths.append(len(text))
        self._lines.append(record.line or 0)
        self._hashes.append(xxh3_64_intdigest(text))
        self.size += len(text)
        if offset is None:
            self._offsets.append(len(self._copied))
            self._copied += text
        else:
            self._offsets.append(offset)

    def take(
        self,
        line_feeds: int = 0,
        after: Before | None = None,
        absorbed: Iterable[str] = (),
        *,
        reached: int = 0,
        is_last: bool = True,
    ) -> Part:
        """What was collected, and begin anew."""
        self._settle()
        table = self._table
        part = Part(
            table=part_of(table),
            totals=packed(Totals.of(table)),
            id_hashes=array("Q", map(id_hash, table.ids)).tobytes(),
            places=Places(
                list(self._places),
                self._numbers.tobytes(),
                self._offsets.tobytes(),
                self._lengths.tobytes(),
                self._lines.tobytes(),
                self._hashes.tobytes(),
                bytes(self._copied),
            ),
            begun=self._begun,
            ended=self._ended,
            problems=self._problems.all(),
            arguments={tool: sorted(names) for tool, names in self._loader.met.arguments.items()},
            line_feeds=line_feeds,
            after=after or Before(),
            absorbed=list(absorbed),
            reached=reached,
            is_last=is_last,
        )
        self._begin()
        return part
