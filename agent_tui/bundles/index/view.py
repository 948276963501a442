"""An index as a bundle: the columns are mapped as far as the log goes, and further while it grows."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from msgspec import Raw

from agent_tui.bundles.bundle import Bundle, Stand
from agent_tui.bundles.index.columns import Damaged, Mapped
from agent_tui.bundles.index.frames import EndedSource, Finished, Frame, Grown, Opened, read_frames, read_totals
from agent_tui.bundles.index.writer import LOG
from agent_tui.bundles.loading import Loader
from agent_tui.bundles.lookup import Lookup
from agent_tui.bundles.names import Names
from agent_tui.bundles.records import Part, Records
from agent_tui.bundles.rule_names import NamesMet
from agent_tui.matchers import Rules
from agent_tui.scoring import ScoreTable
from agent_tui.scoring.columns import Codes, Reasons, Texts, bytes_text
from agent_tui.scoring.packed_totals import unpacked
from agent_tui.scoring.totals import Totals


def frames_in(folder: Path) -> list[Grown]:
    """What was put into an index, frame by frame. Raises `OSError`."""
    descriptor = os.open(folder / LOG, os.O_RDONLY | os.O_CLOEXEC)
    try:
        return [frame for frame, _ in read_frames(descriptor) if isinstance(frame, Grown)]
    finally:
        os.close(descriptor)


class View:
    """Follows the log of an index, and shows in a bundle what it says."""

    def __init__(self, folder: Path, rules: Rules | None, modes: Sequence[str]) -> None:
        self.rows = 0
        self.bytes_done = 0
        self.opened: Opened | None = None
        self.finished: Finished | None = None
        self.columns = Mapped(folder)
        self.good = 0
        """How many bytes of the log are whole."""
        self._log = os.open(folder / LOG, os.O_RDONLY | os.O_CLOEXEC)
        self._rules, self._modes = rules, modes
        self._words: dict[str, Codes] = {}
        self._scores: list[str] = []
        self._parts: list[Part] = []
        self._met = NamesMet()
        self._news: list[Frame] = []
        self._totals = Totals()
        self._summed = 0
        """Bytes of the column of totals that were added up."""

    def close(self) -> None:
        """Follow no more; what is mapped stays."""
        os.close(self._log)

    def follow(self) -> bool:
        """Read what is new in the log; whether there is anything."""
        was = self.good
        for frame, end in read_frames(self._log, self.good):
            self.good = end
            self._news.append(frame)
            if isinstance(frame, Opened):
                self.opened = frame
            elif isinstance(frame, Grown):
                self._take(frame)
            else:
                self.finished = frame
                self.columns.add(frame.pieces)
        return self.good > was

    def _take(self, frame: Grown) -> None:
        self.rows += frame.rows
        self.bytes_done = frame.bytes_done
        self.columns.add(frame.pieces)
        for name, words in frame.words.items():
            codes = self._words.setdefault(name, Codes([]))
            for word in words:
                codes[None if word is None else bytes_text(word)]
        self._scores += map(bytes_text, frame.scores)
        self._parts += [Part(file, member, copied) for file, member, copied in frame.places]
        self._met.take_in(frame.arguments)

    def show(self, bundle: Bundle) -> None:
        """Put what was followed so far into a bundle. Raises `Damaged`, and `BadRules` once everything was read."""
        news, self._news = self._news, []
        row = len(bundle)
        for frame in news:
            if isinstance(frame, Grown):
                self._begin_sources(bundle, frame, row)
                row += frame.rows
                self._add_up(frame)
            if isinstance(frame, Grown | Finished):
                for problem in frame.problems:
                    bundle.report(problem)
        is_news = self.finished is not None and not bundle.is_complete
        if self.finished is not None and is_news:
            self._totals = unpacked(self.finished.totals)
        if is_news or self.rows > len(bundle):
            bundle.stand_on(self._stand())
        for frame in news:
            if isinstance(frame, Grown | Finished):
                self._end_sources(bundle, frame.ended)
        if is_news:
            for source in bundle.sources:
                self._met.check(source)
            bundle.complete()

    def _begin_sources(self, bundle: Bundle, frame: Grown, row: int) -> None:
        last = row
        for begun in frame.begun:
            if bundle.sources:
                bundle.sources[-1].runs += row + begun.row - last
            last = row + begun.row
            loader = Loader(self._rules)
            loader.go_on(begun.file, {key: Raw(value) for key, value in begun.fields.items()})
            bundle.sources.append(loader.source)
        if bundle.sources:
            bundle.sources[-1].runs += row + frame.rows - last

    def _end_sources(self, bundle: Bundle, ended: Sequence[EndedSource]) -> None:
        for each in ended:
            bundle.close_source(each.file, each.format, each.digest)

    def _add_up(self, frame: Grown) -> None:
        """Add up the totals, unless they stand at the end of the log."""
        place, self._summed = self._summed, self._summed + frame.totals
        if self.finished is None:
            part = read_totals(self.columns.text("totals", place, frame.totals))
            self._totals.merge(unpacked(part.totals), part.codes, len(self._words["tasks"].words))

    def _stand(self) -> Stand:
        table = self._table()
        return Stand(table, self._names(table), self._records(), self.columns.numbers("sources"), self._totals)

    def _table(self) -> ScoreTable:
        columns = self.columns
        ids = Texts.mapped(columns.file("ids"), columns.numbers("id_ends"))
        table = ScoreTable.of_columns(ids, _Numbers(columns), self._words)
        for number, name in enumerate(self._scores):
            table.scores[name] = columns.numbers(f"score-{number}")
            table.unusable[name] = Reasons(columns.numbers(f"reason-{number}"))
        table.modes = {mode: columns.numbers(f"mode-{number}") for number, mode in enumerate(self._modes)}
        return table

    def _names(self, table: ScoreTable) -> Names:
        """The names of a table; while it grows, a run is called by its id."""
        if self.finished is None:
            return Names(table, are_settled=False)
        lookup = Lookup()
        lookup.hashes, lookup.before, lookup.slots = (
            self.columns.numbers(column) for column in ("id_hashes", *self.finished.lookup)
        )
        return Names(table, lookup)

    def _records(self) -> Records:
        records, columns = Records(), self.columns
        records.parts = self._parts
        records.part_of, records.offsets = columns.numbers("places"), columns.numbers("offsets")
        records.lengths, records.lines = columns.numbers("lengths"), columns.numbers("lines")
        assert self.opened is not None
        records.hashes = columns.numbers("hashes")
        records.stamps = {each.file: each.stamp for each in self.opened.files}
        if columns.size("copied"):
            records.copy = columns.copy()
        return records


class _Numbers(Mapping[str, object]):
    """Columns by name, each mapped when it is asked for."""

    def __init__(self, columns: Mapped) -> None:
        self._columns = columns

    def __getitem__(self, name: str) -> object:
        return self._columns.numbers(name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return sum(1 for _ in self._columns)


__all__ = ["Damaged", "View"]
