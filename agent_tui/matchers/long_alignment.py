"""The alignment of long trajectories, a row at a time in whole arrays; bounded, so that none takes seconds.

A cell depends on the one before it in its row through a maximum only, since gaps cost nothing: so a row is a running
maximum. Numbers are added in the order in which `sequences.align` and `plain` add them, so that the sums are the same.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from agent_tui.matchers.agreements import Agreements, Credits, Flags, RowOf, Wanted
from agent_tui.matchers.sequences import MOST_CELLS
from agent_tui.runs import ExpectedCall, ToolCall


def greatest_credit(left: Sequence[ExpectedCall | ToolCall], right: Sequence[ExpectedCall | ToolCall]) -> float | None:
    """The greatest sum of pair credits in order, arguments compared as JSON; None: there are too many pairs.

    A call whose tool the other side never calls has no credit: it changes no maximum and is left out.
    """
    common = {call.name for call in left} & {call.name for call in right}
    wanted = [Wanted(call.name, bytes(call.args)) for call in left if call.name in common]
    made = [(call.name, call.args) for call in right if call.name in common]
    if len(wanted) * len(made) > MOST_CELLS:
        return None
    table = Agreements(wanted, made)
    best: Credits = np.zeros(len(made) + 1)
    for i in range(len(wanted)):
        best = _next_row(best, table.credits(i))
    return float(best[-1])


def _next_row(before: Credits, shares: Credits) -> Credits:
    best = np.empty_like(before)
    best[0] = 0.0
    np.maximum(before[1:], before[:-1] + shares, out=best[1:])
    np.maximum.accumulate(best, out=best)
    return best


def align_rows(row_of: RowOf, optional: Sequence[bool], columns: int) -> list[tuple[int, int]]:
    """`sequences.align` of the rows that `row_of` gives."""
    ways = _Ways(columns)
    if any(optional):
        _fill_with_counts(ways, row_of, optional, columns)
    else:
        _fill(ways, row_of, len(optional), columns)
    return ways.walk()


class _Ways:
    """Which way the best alignment goes from each cell, two bits a cell; rows are added from the last one up."""

    def __init__(self, columns: int) -> None:
        self._columns = columns
        self._pairs: list[bytes] = []
        self._downs: list[bytes] = []

    def add(self, pairs: Flags, downs: Flags) -> None:
        """Whether the cells of a row pair up, and whether they are worth no more than those below."""
        self._pairs.append(np.packbits(pairs).tobytes())
        self._downs.append(np.packbits(downs).tobytes())

    def walk(self) -> list[tuple[int, int]]:
        """The pairs of the best alignment, first ones first."""
        found: list[tuple[int, int]] = []
        pairs, downs = self._pairs[::-1], self._downs[::-1]
        i = j = 0
        while i < len(pairs) and j < self._columns:
            place, bit = j >> 3, 128 >> (j & 7)
            if pairs[i][place] & bit:
                found.append((i, j))
                i, j = i + 1, j + 1
            elif downs[i][place] & bit:
                i += 1
            else:
                j += 1
        return found


def _fill(ways: _Ways, row_of: RowOf, rows: int, columns: int) -> None:
    below: Credits = np.zeros(columns + 1)  # never rises from cell to cell: a pair without credit is worth no more
    for i in range(rows - 1, -1, -1):
        shares = row_of(i)
        paired = below[1:] + shares
        best = np.empty_like(below)
        best[-1] = 0.0
        np.maximum(below[:-1], paired, out=best[:-1])
        np.maximum.accumulate(best[::-1], out=best[::-1])
        ways.add((shares > 0) & (best[:-1] == paired), best[:-1] == below[:-1])
        below = best


def _fill_with_counts(ways: _Ways, row_of: RowOf, optional: Sequence[bool], columns: int) -> None:
    """`_fill` where of equal sums the one with the fewest optional rows is best: complex numbers compare like pairs."""
    below = np.zeros(columns + 1, np.complex128)
    for i in range(len(optional) - 1, -1, -1):
        shares = row_of(i)
        paired = below[1:] + (shares - (1j if optional[i] else 0))
        best = np.empty_like(below)
        best[-1] = 0
        np.maximum(below[:-1], paired, out=best[:-1])
        np.maximum.accumulate(best[::-1], out=best[::-1])
        ways.add((shares > 0) & (best[:-1] == paired), best[:-1] == below[:-1])
        below = best
