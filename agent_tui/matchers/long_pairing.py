"""One-to-one pairing of many calls: the pairs of `pairing`, by bits and whole arrays instead of one by one.

A search takes the same ways in the same order as there, so that of several best pairings it ends with the same one.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from agent_tui.matchers.agreements import Credits
from agent_tui.matchers.pairing import Matching


class LongMatching(Matching):
    """A `Matching` where `near` gives the right places that a left one fits, as the bits of a number."""

    def __init__(self, left: int, right: int, near: Callable[[int], int]) -> None:
        super().__init__(left, right, lambda place, partner: bool(near(place) >> partner & 1))
        self._near = near
        self._free = (1 << right) - 1
        self._open = self._free
        """Right places that may still lead to a free one: none that a search in vain has reached ever will (Berge)."""

    def augment(self, root: int) -> bool:
        """Give `root` one more partner, moving others' partners if need be; False: there is no way to."""
        wanted_by: dict[int, int] = {}
        gives = {root: -1}
        queue = deque((root,))
        unseen = self._open
        while queue:
            place = queue.popleft()
            reached = self._near(place) & unseen
            free = reached & self._free
            if free:
                partner = next(_bits(free))
                wanted_by[partner] = place
                self._free ^= 1 << partner
                self._turn(partner, wanted_by, gives)
                self.counts[root] += 1
                return True
            unseen ^= reached
            for partner in _bits(reached):
                wanted_by[partner] = place
                holder = self.owner[partner]
                if holder not in gives:
                    gives[holder] = partner
                    queue.append(holder)
        self._open = unseen
        return False


def _bits(number: int) -> Iterator[int]:
    """The places of the bits that are set, lowest first."""
    while number:
        lowest = number & -number
        yield lowest.bit_length() - 1
        number ^= lowest


def heaviest_of(weights: Credits) -> list[tuple[int, int]]:
    """`pairing.heaviest_pairs` of an array."""
    rows, columns = weights.shape
    if rows > columns:
        return sorted((i, j) for j, i in heaviest_of(weights.T))
    prices: tuple[Credits, Credits] = np.zeros(rows + 1), np.zeros(columns + 1)
    holder = np.zeros(columns + 1, np.intp)
    for row in range(1, rows + 1):
        holder[0] = row
        column, before = _cheapest_path(weights, holder, *prices)
        while column:
            holder[column] = holder[before[column]]
            column = int(before[column])
    held = [(int(row) - 1, j) for j, row in enumerate(holder[1:]) if row]
    return sorted((i, j) for i, j in held if weights[i, j] > 0)


def _cheapest_path(
    weights: Credits, holder: NDArray[np.intp], row_price: Credits, column_price: Credits
) -> tuple[int, NDArray[np.intp]]:
    """The free column at the end of the cheapest way from the row in column 0, and the column before each column."""
    distance = np.full(len(holder), np.inf)
    before = np.zeros(len(holder), np.intp)
    done = np.zeros(len(holder), np.bool_)
    at = 0
    while holder[at]:
        done[at] = True
        row = holder[at]
        cost = -weights[row - 1] - row_price[row] - column_price[1:]
        nearer = (cost < distance[1:]) & ~done[1:]
        distance[1:][nearer], before[1:][nearer] = cost[nearer], at
        left = np.where(done, np.inf, distance)
        nearest = int(left.argmin())
        step = left[nearest]
        row_price[holder[done]] += step
        column_price[done] -= step
        distance[~done] -= step
        at = nearest
    return at, before
