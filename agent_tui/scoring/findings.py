"""Where numbers that came with the bundle and numbers of ours differ."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping

from msgspec import Struct

from agent_tui.scoring.rounding import in_places
from agent_tui.scoring.table import ScoreTable
from agent_tui.scoring.tally import Tally

_CLOSE = 0.0005
"""Stored figures are often rounded to three places."""


class Finding(Struct, frozen=True):
    """One thing that a reader of the scorecard should know, and the rows it is about."""

    text: str
    rows: tuple[int, ...] = ()


class Stored(Struct, frozen=True):
    """A figure that came with the bundle beside ours; `ours` is None where nothing of ours compares."""

    name: str
    theirs: float
    ours: float | None
    how: str
    """Over which runs ours is: `4/10`, `mean over 10 of 12`."""

    @property
    def agrees(self) -> bool | None:
        """Whether both are the same figure; None where they do not compare."""
        return None if self.ours is None else abs(self.ours - self.theirs) <= _CLOSE

    @property
    def text(self) -> str:
        """Both figures in a sentence."""
        if self.ours is None:
            return f"{self.name}: the bundle says {in_places(self.theirs):.3f}, nothing of ours compares"
        word = "agrees" if self.agrees else "differs"
        ours = f"ours is {in_places(self.ours):.3f} ({self.how})"
        return f"{self.name}: the bundle says {in_places(self.theirs):.3f}, {ours}: {word}"


def findings(table: ScoreTable, name_of: Callable[[int], str]) -> Iterator[Finding]:
    """Findings of a table, row by row."""
    for row in table.findings:
        yield Finding(f"{name_of(row)}: {table.findings[row]}", (row,))


def differing(stored: Iterable[Stored]) -> Iterator[Finding]:
    """The stored figures that differ from ours."""
    return (Finding(each.text) for each in stored if each.agrees is False)


def beside_ours(table: ScoreTable, tallies: Mapping[str, Tally], stored: Mapping[str, float]) -> Iterator[Stored]:
    """Each stored figure beside the rate of the measure of its name, or the mean of the score of its name."""
    for name, value in stored.items():
        tally = tallies.get(name)
        values = [value for value in table.scores.get(name, ()) if not math.isnan(value)]
        if tally is not None and tally.rate is not None:
            yield Stored(name, value, tally.rate, f"{tally.passed}/{tally.scored}")
        elif values:
            yield Stored(name, value, math.fsum(values) / len(values), f"mean over {len(values)} of {len(table)}")
        else:
            yield Stored(name, value, None, "")
