"""An index as a bundle: the columns as far as the log goes, and further while it grows."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import msgspec
from msgspec import Raw

from agent_tui.bundles.bundle import Bundle, Stand
from agent_tui.bundles.index.columns import Damaged, Written
from agent_tui.bundles.index.frames import (
    EndedSource,
    Finished,
    Frame,
    Grown,
    LeftOff,
    Opened,
    read_frames,
    read_totals,
)
from agent_tui.bundles.index.held import BLOCK
from agent_tui.bundles.index.place import LOG
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

_EDITED = ("statuses", "findings")
"""Columns of words in which an edit may put a new one."""


def frames_in(folder: Path) -> list[Frame]:
    """The log of an index, frame by frame. Raises `OSError`."""
    descriptor = _open_log(folder)
    try:
        return [frame for frame, _ in read_frames(descriptor)]
    finally:
        os.close(descriptor)


def _open_log(folder: Path) -> int:
    """The log to be read; what is no file is as good as none. Raises `OSError`."""
    descriptor = os.open(folder / LOG, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    if stat.S_ISREG(os.fstat(descriptor).st_mode):
        return descriptor
    os.close(descriptor)
    raise OSError(errno.ENOENT, "not a file", str(folder / LOG))


class View:
    """Follows the log of an index, and shows in a bundle what it says."""

    def __init__(self, folder: Path, rules: Rules | None, modes: Sequence[str]) -> None:
        self.rows = 0
        self.bytes_done = 0
        self.opened: Opened | None = None
        self.finished: Finished | None = None
        """The end of what was followed, where it is the end of everything."""
        self.left_off: LeftOff | None = None
        """Where reading went on after the last rows."""
        self.good = 0
        """How many bytes of the log are whole."""
        self._log = _open_log(folder)
        self.columns = Written(folder, self._log)
        self._rules, self._modes = rules, modes
        self._words: dict[str, Codes] = {}
        self._scores: list[str] = []
        self._parts: list[Part] = []
        self._met = NamesMet()
        self._news: list[Frame] = []
        self._totals = Totals()
        self._summed = 0
        """Bytes of the column of totals that were added up."""
        self._shown = 0
        """How many rows are in the bundle (a count)."""
        self._told: Finished | None = None
        """The last end that the bundle was told of."""
        self._lookup: Lookup | None = None
        """Which ids repeat, once that matters."""

    def close(self) -> None:
        """Follow no more; what is shown stays."""
        self.columns.owner.log = None
        os.close(self._log)

    def follow(self) -> bool:
        """Read what is new in the log; whether there is anything."""
        was = self.good
        for frame, end in read_frames(self._log, self.good):
            self.good = end
            self._news.append(frame)
            if isinstance(frame, Opened):
                self.opened, self.finished = frame, None
            elif isinstance(frame, Grown):
                self._take(frame)
            else:
                self.finished = frame
                self.columns.add(frame.pieces)
        return self.good > was

    def _take(self, frame: Grown) -> None:
        self.rows += frame.rows
        self.bytes_done, self.left_off = frame.bytes_done, frame.left_off
        self.columns.add(frame.pieces)
        for name, words in frame.words.items():
            codes = self._words.setdefault(name, Codes([]))
            for word in words:
                codes[None if word is None else bytes_text(word)]
        self._scores += map(bytes_text, frame.scores)
        self._parts += [Part(file, member, copied) for file, member, copied in frame.places]
        self._met.take_in(frame.arguments)

    def show(self, bundle: Bundle) -> None:
        """Put what was followed so far into a bundle. Raises `Damaged`, and `BadRules` once everything was read.

        One that is complete stays so while its index grows: whoever follows a file shows it as far as it goes.
        """
        try:
            self._show(bundle)
        except msgspec.DecodeError as error:
            raise Damaged(f"totals cannot be read: {error}") from error
        except LookupError as error:  # frames that are whole, and are not all of them
            raise Damaged(f"the log lacks a part: {error}") from error

    def _show(self, bundle: Bundle) -> None:
        news, self._news = self._news, []
        shown, told = self._shown, self._told
        last = max((number for number, frame in enumerate(news) if isinstance(frame, Finished)), default=-1)
        for number, frame in enumerate(news):
            if isinstance(frame, Grown):
                self._begin_sources(bundle, frame, self._shown)
                self._shown += frame.rows
                self._add_up(frame, is_summed=number < last)
                for problem in frame.problems:
                    bundle.report(problem)
            elif isinstance(frame, Opened):
                bundle.report_at_end(())
            elif number == last:
                self._totals, self._told, self._lookup = unpacked(frame.totals), frame, None
                self.columns.as_written()
                bundle.report_at_end(frame.problems)
        is_news = self.finished is not None and self._told is not told
        if is_news or self._shown > shown:
            bundle.stand_on(self._stand(are_settled=is_news or bundle.is_complete))
        for frame in news:
            if isinstance(frame, Grown | Finished):
                self._end_sources(bundle, frame.ended)
        if is_news:
            self.columns.check(BLOCK)  # what the first screen needs is found out before there is one
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

    def _add_up(self, frame: Grown, *, is_summed: bool) -> None:
        """Add up the totals, unless they stand in an end that comes after them."""
        place, self._summed = self._summed, self._summed + frame.totals
        if not is_summed:
            part = read_totals(self.columns.text("totals", place, frame.totals))
            self._totals.merge(unpacked(part.totals), part.codes, len(self._words["tasks"].words))

    def _stand(self, *, are_settled: bool) -> Stand:
        table = self._table()
        names = Names(table, self._caught_up()) if are_settled else Names(table, are_settled=False)
        return Stand(table, names, self._records(), self.columns.numbers("sources"), self._totals)

    def _table(self) -> ScoreTable:
        columns = self.columns
        ids = Texts.in_file(columns.numbers("ids"), columns.numbers("id_ends"))
        table = ScoreTable.of_columns(ids, _Numbers(columns), self._words | self._own_words())
        for number, name in enumerate(self._scores):
            table.scores[name] = columns.numbers(f"score-{number}")
            table.unusable[name] = Reasons(columns.numbers(f"reason-{number}"))
        table.modes = {mode: columns.numbers(f"mode-{number}") for number, mode in enumerate(self._modes)}
        return table

    def _own_words(self) -> dict[str, Codes]:
        """The words that an edit may add to: the numbers of the index stay as they are."""
        return {name: Codes(list(self._words[name].words)) for name in _EDITED if name in self._words}

    def _caught_up(self) -> Lookup:
        """Which ids repeat: as it stands at the last end, and in memory for the rows behind it."""
        hashes = self.columns.numbers("id_hashes")
        if self._lookup is None:
            self._lookup = Lookup()
            if self._told is not None:
                before, slots = map(self.columns.numbers, self._told.lookup)
                known = self.columns.numbers("id_hashes", len(before))
                self._lookup = Lookup.on(known, before, slots, are_alone=self._told.are_alone)
        self._lookup.add(hashes[len(self._lookup) :])
        return self._lookup

    def _records(self) -> Records:
        records, columns = Records(), self.columns
        records.parts = self._parts
        records.part_of, records.offsets = columns.numbers("places"), columns.numbers("offsets")
        records.lengths, records.lines = columns.numbers("lengths"), columns.numbers("lines")
        assert self.opened is not None
        records.hashes = columns.numbers("hashes")
        records.spoilt = columns.owner.disown
        records.stamps = {each.name: each.stamp for each in self.opened.files}
        records.paths = {each.name: each.file for each in self.opened.files if each.name != each.file}
        if columns.size("copied"):
            records.copy = columns.copy()
        return records


class _Numbers(Mapping[str, object]):
    """Columns by name."""

    def __init__(self, columns: Written) -> None:
        self._columns = columns

    def __getitem__(self, name: str) -> object:
        return self._columns.numbers(name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return sum(1 for _ in self._columns)


__all__ = ["Damaged", "View"]
