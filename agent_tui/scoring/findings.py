"""Where numbers that came with the bundle and numbers of ours differ."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping

from msgspec import Struct

from agent_tui.scoring.table import ScoreTable
from agent_tui.scoring.tally import Tally

_CLOSE = 0.0005
"""Stored figures are often rounded to three places."""


class Finding(Struct, frozen=True):
    """One thing that a reader of the scorecard should know, and the rows it is about."""

    text: str
    rows: tuple[int, ...] = ()


def findings(
    table: ScoreTable, name_of: Callable[[int], str], tallies: Mapping[str, Tally], stored: Mapping[str, float]
) -> Iterator[Finding]:
    """Findings of a table: row by row, then the bundle's own figures against ours."""
    for row in sorted(table.findings):
        yield Finding(f"{name_of(row)}: {table.findings[row]}", (row,))
    for name, value in stored.items():
        yield Finding(_stored(name, value, _recomputed(table, name, tallies)))


def _recomputed(table: ScoreTable, name: str, tallies: Mapping[str, Tally]) -> tuple[float, str] | None:
    """Our figure for a stored one: the rate of the measure of that name, or the mean of the score of that name."""
    if name in tallies and tallies[name].rate is not None:
        return tallies[name].rate or 0.0, f"{tallies[name].passed}/{tallies[name].scored}"
    values = [value for value in table.scores.get(name, ()) if not math.isnan(value)]
    return (math.fsum(values) / len(values), f"mean over {len(values)} of {len(table)}") if values else None


def _stored(name: str, value: float, ours: tuple[float, str] | None) -> str:
    if ours is None:
        return f"{name}: the bundle says {value:.3f}, nothing of ours compares"
    figure, how = ours
    word = "agrees" if abs(figure - value) <= _CLOSE else "differs"
    return f"{name}: the bundle says {value:.3f}, ours is {figure:.3f} ({how}): {word}"
