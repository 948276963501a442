"""The pairs of one tool's calls where there are many: the most equal, the most credit, the least crossing."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from agent_tui.matchers.agreements import Agreements, Credits
from agent_tui.matchers.long_pairing import LongMatching, heaviest_of

MANY = 40_000
"""Pairs of calls from which equal ones only are paired (a count)."""
SAME_TOOL = 1e-3
"""What two calls of one tool are worth to each other where no argument agrees."""
CROSSING = 1e-6
"""What it costs, over the number of calls, that a pair stands a place further apart."""


def block_pairs(table: Agreements, rows: Sequence[int], columns: Sequence[int]) -> list[tuple[int, int]]:
    """The pairs of some expected calls (`rows`, one as often as it may stand) and some made ones."""
    if len(rows) * len(columns) > MANY:
        return _equal_pairs(table, rows, columns)
    size, made, steps = max(len(rows), len(columns)) + 1, np.array(columns, np.intp), np.arange(len(columns))
    weights: Credits = np.empty((len(rows), len(columns)))
    for x, i in enumerate(rows):
        worth = np.where(table.fits(i)[made], 2.0 * size, table.credits(i)[made] + SAME_TOOL)
        weights[x] = worth - np.abs(x - steps) * CROSSING / size
    return [(rows[x], columns[y]) for x, y in heaviest_of(weights)]


def _equal_pairs(table: Agreements, rows: Sequence[int], columns: Sequence[int]) -> list[tuple[int, int]]:
    places = np.array(columns, np.intp)

    def near(place: int) -> int:
        fits = np.packbits(table.fits(rows[place])[places], bitorder="little")
        return int.from_bytes(fits.tobytes(), "little")

    pairing = LongMatching(len(rows), len(columns), near)
    for place in range(len(rows)):
        pairing.augment(place)
    return [(rows[owner], columns[j]) for j, owner in enumerate(pairing.owner) if owner >= 0]
