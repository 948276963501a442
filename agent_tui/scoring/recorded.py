"""The scores that came with the runs, averaged without inventing any."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

from msgspec import Struct

from agent_tui.scoring.table import NOT_FINITE, ScoreTable


class ScoreSummary(Struct, frozen=True):
    """One recorded score over all runs: its mean over the `n` that have a number, and why the others have none."""

    name: str
    mean: float | None
    n: int
    total: int
    unscored: Mapping[str, str]
    """Run name to the reason: null, absent, not a number, not usable."""


def reason_word(reason: str) -> str:
    """The reason in fixed words: NaN and the infinities are `not usable`."""
    return "not usable" if reason in NOT_FINITE else reason


def summarise_scores(table: ScoreTable, name_of: Callable[[int], str]) -> dict[str, ScoreSummary]:
    """Every recorded score of a table, by name."""
    return {name: _summary(table, name, name_of) for name in table.scores}


def _summary(table: ScoreTable, name: str, name_of: Callable[[int], str]) -> ScoreSummary:
    values = [value for value in table.scores[name] if not math.isnan(value)]
    reasons = sorted(table.unusable[name].items())
    return ScoreSummary(
        name=name,
        mean=math.fsum(values) / len(values) if values else None,
        n=len(values),
        total=len(table),
        unscored={name_of(row): reason_word(reason) for row, reason in reasons},
    )
