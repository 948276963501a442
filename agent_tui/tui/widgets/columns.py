"""Which columns of a table fit a width, and how wide each becomes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from agent_tui.tui.widgets.paint import Align, Line

GAP = 2
"""Blank cells between two columns."""


@dataclass(frozen=True, slots=True)
class Column:
    """One column: `width` cells, or `share` parts of what is left over but never less than `width`.

    Where room is short the highest rank goes first; the first column always stays.
    """

    title: Line
    width: int
    share: int = 0
    align: Align = "left"
    rank: int = 0


@dataclass(frozen=True, slots=True)
class Fit:
    """The columns shown, as (index, width), and how many are off to the left and to the right or dropped."""

    shown: tuple[tuple[int, int], ...]
    before: int
    dropped: int


def fit(columns: Sequence[Column], width: int, skipped: int = 0) -> Fit:
    """The columns that fit `width` cells once the first stays and `skipped` after it are scrolled away.

    Who scrolls sideways wants the next columns, whatever their rank: then the rightmost go.
    """
    skipped = max(0, min(skipped, len(columns) - 2))
    chosen = [0, *range(1 + skipped, len(columns))] if columns else []
    while len(chosen) > 1 and _least(columns, chosen) > width:
        worst = max(chosen[1:], key=lambda index: (0 if skipped else columns[index].rank, index))
        chosen.remove(worst)
    dropped = len(columns) - skipped - len(chosen)
    return Fit(tuple(zip(chosen, _widths(columns, chosen, width), strict=True)), skipped, dropped)


def _least(columns: Sequence[Column], chosen: Sequence[int]) -> int:
    return sum(columns[index].width for index in chosen) + GAP * (len(chosen) - 1)


def _widths(columns: Sequence[Column], chosen: Sequence[int], width: int) -> list[int]:
    spare = max(0, width - _least(columns, chosen))
    shares = sum(columns[index].share for index in chosen)
    widths = []
    for index in chosen:
        share = columns[index].share
        extra = spare * share // shares if share else 0
        spare, shares = spare - extra, shares - share
        widths.append(columns[index].width + extra)
    return widths
