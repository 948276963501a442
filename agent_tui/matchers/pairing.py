"""One-to-one pairing of expected and actual calls: as many pairs as can be, or as much credit as can be.

Never greedy: a pair made early is broken again where a later one needs it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from math import inf


class Matching:
    """A one-to-one pairing of left places with right ones that grows to a maximum by augmenting paths (Berge 1957).

    A left place may hold several partners (an expected call that may stand several times): it gets one more with each
    `augment`. No place ever loses a partner without getting another, so what is paired first stays paired.
    """

    def __init__(self, left: int, right: int, fits: Callable[[int, int], bool]) -> None:
        self._right = range(right)
        self._fits = fits
        self.owner = [-1] * right
        """The left place of each right one; -1: none."""
        self.counts = [0] * left
        """How many partners each left place has."""

    @property
    def size(self) -> int:
        """How many pairs there are."""
        return sum(self.counts)

    def fill(self, place: int, most: int) -> None:
        """Give a place partners until it has `most` or no more can be found."""
        while self.counts[place] < most and self.augment(place):
            pass

    def augment(self, root: int) -> bool:
        """Give `root` one more partner, moving others' partners if need be; False: there is no way to."""
        owner, fits = self.owner, self._fits
        wanted_by: dict[int, int] = {}  # right place -> the left place that reached it first
        gives = {root: -1}  # left place on a path -> the partner it would give up
        queue = deque((root,))
        while queue:
            place = queue.popleft()
            for partner in self._right:
                if partner in wanted_by or not fits(place, partner):
                    continue
                wanted_by[partner] = place
                holder = owner[partner]
                if holder == -1:
                    self._turn(partner, wanted_by, gives)
                    self.counts[root] += 1
                    return True
                if holder not in gives:
                    gives[holder] = partner
                    queue.append(holder)
        return False

    def _turn(self, partner: int, wanted_by: dict[int, int], gives: dict[int, int]) -> None:
        """Hand over every partner on the path that ends at a free one."""
        while partner != -1:
            place = wanted_by[partner]
            self.owner[partner] = place
            partner = gives[place]


def heaviest_pairs(weights: Sequence[Sequence[float]]) -> list[tuple[int, int]]:
    """The pairs (row, column) of a pairing with the greatest sum of weights (Kuhn 1955, Munkres 1957); none weigh 0.

    Hungarian method with potentials, O(rows² x columns).
    """
    rows, columns = len(weights), len(weights[0]) if weights else 0
    if rows > columns:
        turned = [[weights[i][j] for i in range(rows)] for j in range(columns)]
        return sorted((i, j) for j, i in heaviest_pairs(turned))
    row_price, column_price = [0.0] * (rows + 1), [0.0] * (columns + 1)
    holder = [0] * (columns + 1)  # row (from 1) of each column (from 1); column 0 holds the row being placed
    for row in range(1, rows + 1):
        holder[0] = row
        came_from = _cheapest_path(weights, holder, row_price, column_price)
        column = next(iter(came_from))
        while column:
            before = came_from[column]
            holder[column] = holder[before]
            column = before
    return sorted(
        (holder[j] - 1, j - 1) for j in range(1, columns + 1) if holder[j] and weights[holder[j] - 1][j - 1] > 0
    )


def _cheapest_path(
    weights: Sequence[Sequence[float]],
    holder: list[int],
    row_price: list[float],
    column_price: list[float],
) -> dict[int, int]:
    """The cheapest way from the row in column 0 to a free column: column -> column before it, the free one first."""
    columns = len(holder) - 1
    distance, before = [inf] * (columns + 1), [0] * (columns + 1)
    done = [False] * (columns + 1)
    at = 0
    while holder[at]:
        done[at] = True
        row, step, nearest = holder[at], inf, 0
        for j in range(1, columns + 1):
            if done[j]:
                continue
            cost = -weights[row - 1][j - 1] - row_price[row] - column_price[j]
            if cost < distance[j]:
                distance[j], before[j] = cost, at
            if distance[j] < step:
                step, nearest = distance[j], j
        for j in range(columns + 1):
            if done[j]:
                row_price[holder[j]] += step
                column_price[j] -= step
            else:
                distance[j] -= step
        at = nearest
    path = {at: before[at]}
    while before[at]:
        at = before[at]
        path[at] = before[at]
    return path
