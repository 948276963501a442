"""What a run is called, and which run a name means."""

from __future__ import annotations

import re
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator, Sequence
from itertools import islice

from xxhash import xxh3_64_intdigest

from agent_tui.bundles.lookup import Lookup
from agent_tui.errors import NotPossible, UnknownName
from agent_tui.safety import sanitise_line
from agent_tui.scoring import ScoreTable
from agent_tui.scoring.columns import SEPARATOR, text_bytes

_KEPT = 1000
"""Repeated ids whose names are kept (a count)."""
_NAMED = 1000
"""Runs of which one may have been meant, where a name means none (a count)."""
_SEVERAL = 13
"""As many rows as tell that a name means several, and one more than are listed."""


def id_hash(run_id: str) -> int:
    """The hash under which an id is looked up."""
    return xxh3_64_intdigest(text_bytes(run_id))


class Names:
    """Names of the runs of a table: the id; where ids repeat `id#epoch`, then `id#epoch@model`, then `…~2`."""

    def __init__(self, table: ScoreTable, lookup: Lookup | None = None, *, are_settled: bool = True) -> None:
        """`lookup` is of the ids, where somebody made it; names that are not settled are ids, whoever shares them."""
        self._table = table
        self._are_settled = are_settled
        self._lookup = Lookup() if lookup is None else lookup
        self._names: OrderedDict[str, dict[int, str]] = OrderedDict()

    def _catch_up(self) -> None:
        known, ids = len(self._lookup), self._table.ids
        if known < len(ids):
            self._names.clear()
            self._lookup.add(id_hash(ids[row]) for row in range(known, len(ids)))

    @property
    def are_ids(self) -> bool:
        """Whether every run is called by its id alone."""
        if not self._are_settled:
            return True
        self._catch_up()
        return self._lookup.is_without_repeats

    def name(self, row: int) -> str:
        """The name of a run."""
        run_id = self._table.ids[row]
        if not self._are_settled:
            return run_id
        self._catch_up()
        if self._lookup.is_alone(row):
            return run_id
        if run_id not in self._names:
            rows = self.rows_of(run_id)
            self._names[run_id] = {row: run_id} if len(rows) == 1 else self.distinct(run_id, rows)
            if len(self._names) > _KEPT:
                self._names.popitem(last=False)
        return self._names[run_id][row]

    def rows_of(self, run_id: str) -> list[int]:
        """The rows that have an id, in order."""
        ids = self._table.ids
        if not self._are_settled:
            return [row for row in ids.rows_with(SEPARATOR + text_bytes(run_id)) if ids[row] == run_id]
        self._catch_up()
        return [row for row in self._lookup.rows(id_hash(run_id)) if ids[row] == run_id]

    def distinct(self, run_id: str, rows: Sequence[int]) -> dict[int, str]:
        """The names of several runs that share an id, by row, as if there were no others of it."""
        table = self._table
        names = {row: f"{run_id}#{table.epochs[row]}" for row in rows}
        names = _spread(names, lambda row: f"{names[row]}@{model}" if (model := table.models[row]) else names[row])
        met: Counter[str] = Counter()
        for row, name in names.items():
            met[name] += 1 if met[name] or not self.rows_of(name) else 2
            if met[name] > 1:
                names[row] = f"{name}~{met[name]}"
        return names

    def named(self, name: str) -> int | None:
        """The row of exactly this name; None where there is none."""
        ids = [name, *(name[:place] for place, sign in enumerate(name) if sign == "#")]
        return next((row for run_id in ids for row in self.rows_of(run_id) if self.name(row) == name), None)

    def find(self, text: str, among: Sequence[int] | None = None) -> int:
        """The row that `text` names: a name, an id of one run, a name as printed, `#N` (from 1), or a unique prefix.

        `among` are the rows of one file: `#N` counts in it. Raises `UnknownName` where none is meant, `NotPossible`
        where several are.
        """
        rows = self.rows_of(text)
        if among is not None:
            rows = [row for row in rows if row in among]
        if len(rows) == 1:
            return rows[0]
        if rows:
            raise NotPossible(f"run {text!r} could be any of {self._listed(rows)}: use one of these names")
        places = range(len(self._table)) if among is None else among
        if re.fullmatch(r"#[0-9]{1,18}", text) and 0 < int(text[1:]) <= len(places):
            return places[int(text[1:]) - 1]
        return self._find_by_name(text, places)

    def _find_by_name(self, text: str, places: Sequence[int]) -> int:
        row = self.named(text)
        if row is not None and row in places:
            return row
        for rows in self._rows_named_like(text, places):
            few = list(islice(rows, _SEVERAL))
            if len(few) == 1:
                return few[0]
            if few and text:
                more = sum(1 for _ in rows)
                raise NotPossible(f"run {text!r} could be any of {self._listed(few, more)}: use one of these names")
        shown = places[:_NAMED]
        raise UnknownName("run", text, (self.name(row) for row in shown), len(places) - len(shown))

    def _rows_named_like(self, text: str, places: Sequence[int]) -> Iterator[Iterator[int]]:
        """The rows whose name begins so; then those whose name as printed is so, or begins so."""
        yield (row for row in self._beginning(text) if row in places and self.name(row).startswith(text))
        yield (row for row in places if sanitise_line(self.name(row)) == text)
        yield (row for row in places if sanitise_line(self.name(row)).startswith(text))

    def _beginning(self, text: str) -> Iterator[int]:
        """The rows whose id begins so, or whose id and the `#` behind it do."""
        for place, sign in enumerate(text):
            if sign == "#":
                yield from self.rows_of(text[:place])
        yield from self._table.ids.rows_with(SEPARATOR + text_bytes(text))

    def _listed(self, rows: list[int], more: int = 0) -> str:
        more += max(0, len(rows) - 12)
        return ", ".join(self.name(row) for row in rows[:12]) + (f", … {more} more" if more else "")


def _spread(names: dict[int, str], longer: Callable[[int], str]) -> dict[int, str]:
    """`names` with the longer name wherever a name stands more than once."""
    counts = Counter(names.values())
    return {row: longer(row) if counts[name] > 1 else name for row, name in names.items()}
