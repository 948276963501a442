"""Order: does a reference stand in a trajectory, from start to end or with other calls between?

`fits(i, j)` says whether slot i and actual call j agree. An expansion of a reference writes each slot from `least` to
`most` times; a matcher passes when it passes for some expansion.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import groupby

from agent_tui.matchers.pairing import Matching
from agent_tui.matchers.slots import Slot

Fits = Callable[[int, int], bool]
Near = Callable[[int], int]
"""`near(i)`: the actual calls that agree with slot i, as the bits of a number; given where there are many."""

MOST_CELLS = 40_000_000
"""Pairs of calls up to which an alignment is looked for (a count): less than a second."""


def most_of(slot: Slot, calls: int) -> int:
    """The most times a slot can stand in that many calls."""
    return calls if slot.most is None else min(slot.most, calls)


def is_exact(slots: Sequence[Slot], calls: int, fits: Fits) -> bool:
    """Whether some expansion is the trajectory, call by call."""
    ends = {0}
    for i, slot in enumerate(slots):
        ends = {end for start in ends for end in _runs(i, slot, start, calls, fits)}
        if not ends:
            return False
    return calls in ends


def _runs(i: int, slot: Slot, start: int, calls: int, fits: Fits) -> Iterator[int]:
    """Where slot i can end if it begins at `start`."""
    end = start
    for count in range(most_of(slot, calls - start) + 1):
        if count:
            if not fits(i, end):
                return
            end += 1
        if count >= slot.least:
            yield end


def is_exact_in_groups(slots: Sequence[Slot], calls: int, fits: Fits, near: Near | None = None) -> bool:
    """Whether the trajectory can be cut into consecutive pieces, one a group, each the group in some order."""
    ends = {0}
    for _, members in groupby(enumerate(slots), key=lambda item: item[1].group):
        group = list(members)
        ends = {end for start in ends for end in _pieces(group, start, calls, fits, near)}
        if not ends:
            return False
    return calls in ends


def _pieces(group: list[tuple[int, Slot]], start: int, calls: int, fits: Fits, near: Near | None) -> Iterator[int]:
    """Where a group can end if it begins at `start`."""
    if len(group) == 1:
        yield from _runs(*group[0], start, calls, fits)
        return
    room = calls - start
    members = [slot for _, slot in group]
    least = sum(slot.least for slot in members)
    most = sum(most_of(slot, room) for slot in members)
    for size in range(least, min(most, room) + 1):
        part = None if near is None else partial(_part_near, near, group, start, (1 << size) - 1)
        pairing = pair_up(members, size, lambda place, j: fits(group[place][0], start + j), part)
        if pairing.size == size and required_paired(members, pairing) == least:
            yield start + size


def pair_up(slots: Sequence[Slot], calls: int, fits: Fits, near: Near | None = None) -> Matching:
    """A maximum one-to-one pairing that also pairs as many required calls as any pairing can.

    Places paired first stay paired, so filling the required ones first costs the maximum nothing: the sets that can be
    paired are the independent sets of a matroid (Edmonds and Fulkerson 1965), and by Mendelsohn and Dulmage (1958) one
    pairing covers both all required and all actual calls whenever two do so apart.
    """
    pairing = Matching(len(slots), calls, fits) if near is None else _long_matching(len(slots), calls, near)
    for place, slot in enumerate(slots):
        pairing.fill(place, min(slot.least, calls))
    for place, slot in enumerate(slots):
        pairing.fill(place, most_of(slot, calls))
    return pairing


def _part_near(near: Near, group: list[tuple[int, Slot]], start: int, piece: int, place: int) -> int:
    return near(group[place][0]) >> start & piece


def _long_matching(left: int, right: int, near: Near) -> Matching:
    from agent_tui.matchers.long_pairing import LongMatching  # here, since few runs are long

    return LongMatching(left, right, near)


def required_paired(slots: Sequence[Slot], pairing: Matching) -> int:
    """How many required calls have a partner."""
    return sum(min(slot.least, count) for slot, count in zip(slots, pairing.counts, strict=True))


def earliest_in_order(slots: Sequence[Slot], calls: int, fits: Fits) -> list[int] | None:
    """The places of the required calls as a subsequence of the trajectory, each as early as can be; None: it is none.

    Earliest is enough: whoever finds a later place could take the earlier one.
    """
    places: list[int] = []
    place = 0
    for i, slot in enumerate(slots):
        if slot.least > calls:
            return None
        for _ in range(slot.least):
            while place < calls and not fits(i, place):
                place += 1
            if place == calls:
                return None
            places.append(place)
            place += 1
    return places


def is_part_in_order(slots: Sequence[Slot], calls: int, fits: Fits) -> bool:
    """Whether the trajectory is a subsequence of some expansion."""
    i = used = 0
    for j in range(calls):
        while i < len(slots) and (used >= most_of(slots[i], calls) or not fits(i, j)):
            i, used = i + 1, 0
        if i == len(slots):
            return False
        used += 1
    return True


def align(shares: Sequence[Sequence[float]], optional: Sequence[bool]) -> list[tuple[int, int]]:
    """The in-order pairs (row, column) with the greatest sum of shares and, of those, the fewest optional rows.

    Needleman and Wunsch (1970) without a price for gaps: O(rows x columns). Pairs without credit are left out.
    """
    rows, columns = len(shares), len(shares[0]) if shares else 0
    best = [[(0.0, 0)] * (columns + 1) for _ in range(rows + 1)]
    for i in range(rows - 1, -1, -1):
        row, below, price = best[i], best[i + 1], -1 if optional[i] else 0
        for j in range(columns - 1, -1, -1):
            choice = max(below[j], row[j + 1])
            credit = shares[i][j]
            if credit > 0:
                sum_, count = below[j + 1]
                choice = max(choice, (sum_ + credit, count + price))
            row[j] = choice
    return list(_walk(best, shares, optional))


def _walk(
    best: list[list[tuple[float, int]]], shares: Sequence[Sequence[float]], optional: Sequence[bool]
) -> Iterator[tuple[int, int]]:
    """The pairs of the best alignment, first ones first."""
    i = j = 0
    while i < len(best) - 1 and j < len(best[0]) - 1:
        credit = shares[i][j]
        sum_, count = best[i + 1][j + 1]
        if credit > 0 and best[i][j] == (sum_ + credit, count - optional[i]):
            yield i, j
            i, j = i + 1, j + 1
        elif best[i][j] == best[i + 1][j]:
            i += 1
        else:
            j += 1
