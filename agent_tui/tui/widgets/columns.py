"""Which columns of a table fit a width, and how wide each becomes."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct

from agent_tui.tui.widgets.paint import Align, Line

GAP = 2
"""Blank cells between two columns."""


class Column(Struct, frozen=True):
    """One column: at least `width` cells, up to `most` where there is room, then `share` parts of what is left over.

    Where room is short the highest rank goes first; the first column always stays.
    """

    title: Line
    width: int
    share: int = 0
    most: int = 0
    align: Align = "left"
    rank: int = 0
    shorten: Callable[[int, int], Line] | None = None
    """The cell of a row in at most so many cells, where it is not to be cut at its end."""


class Fit(Struct, frozen=True):
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
    if not skipped:
        chosen = _put_back(columns, chosen, width)
    dropped = len(columns) - skipped - len(chosen)
    return Fit(tuple(zip(chosen, _widths(columns, chosen, width), strict=True)), skipped, dropped)


def _put_back(columns: Sequence[Column], chosen: list[int], width: int) -> list[int]:
    """With the narrow columns that fit where a wide one had to go, by rank."""
    gone = sorted(set(range(len(columns))) - set(chosen), key=lambda index: (columns[index].rank, index))
    for index in gone:
        if _least(columns, [*chosen, index]) <= width:
            chosen = sorted([*chosen, index])
    return chosen


def _least(columns: Sequence[Column], chosen: Sequence[int]) -> int:
    return sum(columns[index].width for index in chosen) + GAP * (len(chosen) - 1)


def _widths(columns: Sequence[Column], chosen: Sequence[int], width: int) -> list[int]:
    spare = max(0, width - _least(columns, chosen))
    widths = {index: columns[index].width for index in chosen}
    for index in sorted(chosen, key=lambda index: (columns[index].rank, index)):
        extra = max(0, min(spare, columns[index].most - columns[index].width))
        widths[index], spare = widths[index] + extra, spare - extra
    shares = sum(columns[index].share for index in chosen)
    for index in chosen:
        share = columns[index].share
        extra = spare * share // shares if share else 0
        widths[index], spare, shares = widths[index] + extra, spare - extra, shares - share
    return [widths[index] for index in chosen]
