"""The scores that came with the runs, averaged without inventing any."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

from msgspec import Struct

from agent_tui.scoring.table import ScoreTable

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


def is_usable(value: float) -> bool:
    """Whether a recorded number can stand in a mean: it lies in 0..1, which NaN does not."""
    return 0 <= value <= 1


def reasons_of(table: ScoreTable, name: str) -> dict[int, str]:
    """Why rows have no usable number for a recorded score; of a number outside 0..1 that number."""
    column, reasons = table.scores[name], table.unusable[name]
    outside = {row: f"{value:g}" for row, value in enumerate(column) if not (is_usable(value) or math.isnan(value))}
    none = {row: reasons.WORDS[reasons.codes[row]] for row in reasons.rows()}
    return dict(sorted((none | outside).items()))


def summarise_scores(table: ScoreTable, name_of: Callable[[int], str]) -> dict[str, ScoreSummary]:
    """Every recorded score of a table, by name."""
    return {name: _summary(table, name, name_of) for name in table.scores}


def _summary(table: ScoreTable, name: str, name_of: Callable[[int], str]) -> ScoreSummary:
    values = list(filter(is_usable, table.scores[name]))
    return ScoreSummary(
        name=name,
        mean=math.fsum(values) / len(values) if values else None,
        n=len(values),
        total=len(table),
        unscored={name_of(row): reason_word(reason) for row, reason in reasons_of(table, name).items()},
    )
