"""The scores that came with the runs, averaged without inventing any."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property

from msgspec import Struct

from agent_tui.scoring.table import ScoreTable
from agent_tui.scoring.totals import Totals, is_usable

NOT_USABLE = "not usable"
_WORDS = frozenset({"null", "absent", "not a number"})


class ScoreSummary(Struct, frozen=True):
    """One recorded score over all runs: its mean over the `n` with a number in 0..1, and why the others have none."""

    name: str
    mean: float | None
    n: int
    total: int
    unscored: Mapping[str, str]
    """Run name to the reason: null, absent, not a number, not usable."""


def reason_word(reason: str) -> str:
    """The reason in fixed words: NaN, the infinities and what lies outside 0..1 are `not usable`."""
    return reason if reason in _WORDS else NOT_USABLE


def reasons_of(table: ScoreTable, name: str) -> dict[int, str]:
    """Why rows have no usable number for a recorded score; of a number outside 0..1 that number."""
    column, reasons = table.scores[name], table.unusable[name]
    outside = {row: f"{value:g}" for row, value in enumerate(column) if not (is_usable(value) or math.isnan(value))}
    none = {row: reasons.WORDS[reasons.codes[row]] for row in reasons.rows()}
    return dict(sorted((none | outside).items()))


class Unscored(Mapping[str, str]):
    """Which runs have no usable number, and why: counted; looked up when somebody asks."""

    def __init__(self, count: int, table: ScoreTable, name: str, name_of: Callable[[int], str]) -> None:
        self._count, self._table, self._name, self._name_of = count, table, name, name_of

    @cached_property
    def _reasons(self) -> dict[str, str]:
        if not self._count:
            return {}
        reasons = reasons_of(self._table, self._name)
        return {self._name_of(row): reason_word(reason) for row, reason in reasons.items()}

    def __getitem__(self, run: str) -> str:
        return self._reasons[run]

    def __iter__(self) -> Iterator[str]:
        return iter(self._reasons)

    def __len__(self) -> int:
        return self._count


def summarise_scores(table: ScoreTable, totals: Totals, name_of: Callable[[int], str]) -> dict[str, ScoreSummary]:
    """Every recorded score of a table, by name."""
    return {name: _summary(table, totals, name, name_of) for name in table.scores}


def _summary(table: ScoreTable, totals: Totals, name: str, name_of: Callable[[int], str]) -> ScoreSummary:
    sums = totals.scores[name]
    left = len(table) - sums.count
    return ScoreSummary(name, sums.mean, sums.count, len(table), Unscored(left, table, name, name_of))
