"""The matchers for every reference: argument rules, optional calls, calls that may stand several times.

Agreement need not be transitive here (a tolerance, allowed extra arguments), so pairs are found by maximum matching.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from agent_tui.matchers.comparison import LONG, Comparison
from agent_tui.matchers.figures import Figures, cause_of
from agent_tui.matchers.pairing import heaviest_pairs
from agent_tui.matchers.redundancy import Trajectory, beyond
from agent_tui.matchers.rules import Rules
from agent_tui.matchers.sequences import (
    MOST_CELLS,
    align,
    earliest_in_order,
    is_exact,
    is_exact_in_groups,
    is_part_in_order,
    most_of,
    pair_up,
    required_paired,
)
from agent_tui.matchers.slots import Slot, slots_of
from agent_tui.runs import ExpectedCall

if TYPE_CHECKING:
    from agent_tui.matchers.agreements import Credits


def figures_by_slots(calls: Sequence[ExpectedCall], trajectory: Trajectory, rules: Rules, mode: str) -> Figures:
    """The figures of one reference under any rules, in any argument mode. Raises `BrokenReference`."""
    return general_figures(_comparison(calls, trajectory, rules, mode), trajectory)


def unasked_by_slots(calls: Sequence[ExpectedCall], trajectory: Trajectory, rules: Rules, mode: str) -> int:
    """The repeats that a reference does not ask for: it asks as often as its slots agree with the repeated call."""
    both, made = _comparison(calls, trajectory, rules, mode), len(trajectory.calls)
    if both.is_long:
        asked = both.table.times_asked([most_of(slot, made) for slot in both.slots])
        return beyond(trajectory.redundancy, lambda first: int(asked[first]))
    return beyond(
        trajectory.redundancy,
        lambda first: sum(most_of(slot, made) for i, slot in enumerate(both.slots) if both.fits(i, first)),
    )


def _comparison(calls: Sequence[ExpectedCall], trajectory: Trajectory, rules: Rules, mode: str) -> Comparison:
    return Comparison(slots_of(calls, rules), trajectory.calls, trajectory.names, mode)


def general_figures(comparison: Comparison, trajectory: Trajectory) -> Figures:
    """The figures of one reference against the trajectory that the comparison is of."""
    slots, made, fits = comparison.slots, len(comparison.calls), comparison.fits
    near = comparison.table.near if comparison.is_long else None
    pairing = pair_up(slots, made, fits, near)
    required, matched = sum(slot.least for slot in slots), pairing.size
    paired = required_paired(slots, pairing)
    any_order, subset = paired == required, matched == made
    order_ignored = any_order and subset
    exact = order_ignored and is_exact(slots, made, fits)
    name_only = exact or is_exact(slots, made, comparison.names_fit)
    places = earliest_in_order(slots, made, fits) if any_order else None
    cause = None
    if not exact:
        cause = cause_of(
            no_calls=made == 0 and required > 0,
            order_ignored=order_ignored,
            name_only=name_only,
            in_order=places is not None,
            extras_repeat=places is not None and _extras_repeat(comparison, places, trajectory),
            is_part=subset and is_part_in_order(slots, made, fits),
            only_names_differ=_only_names_differ(comparison),
        )
    return Figures(
        exact,
        exact or (order_ignored and is_exact_in_groups(slots, made, fits, near)),
        name_only,
        order_ignored,
        places is not None,
        any_order,
        subset,
        required,
        required + matched - paired,
        made,
        matched,
        _alignment(comparison),
        cause,
        not exact,
    )


def units(slots: Sequence[Slot], calls: int) -> list[tuple[int, bool]]:
    """Each place a call can take, as (slot, whether it is optional): no slot has more places than there are calls."""
    return [
        (i, count >= slot.least)
        for i, slot in enumerate(slots)
        for count in range(max(min(slot.least, calls), most_of(slot, calls)))
    ]


def alignment_of(comparison: Comparison, for_view: bool = False) -> list[tuple[int, int]]:
    """The best in-order alignment as (slot, call).

    Of equal sums the one with the fewest optional calls. Calls that agree at both starts and both ends are paired
    first: no pair is worth more than 1. For the view, two calls of one tool stand side by side even where no argument
    agrees.
    """
    slots, made = comparison.slots, len(comparison.calls)
    start, end, places = _unlike_middle(comparison)
    pairs = [] if is_too_long(comparison) else _align(comparison, places, range(start, made - end), for_view)
    return [
        *((k, k) for k in range(start)),
        *((places[place][0], start + j) for place, j in pairs),
        *((len(slots) - k, made - k) for k in range(end, 0, -1)),
    ]


def is_too_long(comparison: Comparison) -> bool:
    """Whether there are too many pairs to look for an alignment: then only equal starts and equal ends are paired."""
    if not comparison.is_long:
        return False
    start, end, places = _unlike_middle(comparison)
    return len(places) * (len(comparison.calls) - start - end) > MOST_CELLS


def _unlike_middle(comparison: Comparison) -> tuple[int, int, list[tuple[int, bool]]]:
    """How many calls agree at the start and at the end, and the places between them."""
    slots, made = comparison.slots, len(comparison.calls)
    start, end = _agreeing_ends(comparison) if is_fixed(slots) else (0, 0)
    between = units(slots[start : len(slots) - end], made - start - end)
    return start, end, [(start + i, optional) for i, optional in between]


def _align(
    comparison: Comparison, places: Sequence[tuple[int, bool]], calls: range, for_view: bool
) -> list[tuple[int, int]]:
    """The best alignment of places and calls, by their numbers among these."""
    optional = [is_optional for _, is_optional in places]
    if len(places) * len(calls) <= LONG:
        rows = {i: [_weight(comparison, i, j, for_view) for j in calls] for i, _ in places}
        return align([rows[i] for i, _ in places], optional)
    from agent_tui.matchers.long_alignment import align_rows  # here, since few runs are long

    table, part = comparison.table, slice(calls.start, calls.stop)

    def weights(place: int) -> Credits:
        i = places[place][0]
        shares = table.credits(i)[part]
        return shares + table.names_fit(i)[part] * _SAME_TOOL if for_view else shares

    return align_rows(weights, optional, len(calls))


_SAME_TOOL = 1e-3


def _weight(comparison: Comparison, i: int, j: int, for_view: bool) -> float:
    return comparison.credit(i, j) + (_SAME_TOOL if for_view and comparison.names_fit(i, j) else 0)


def _agreeing_ends(comparison: Comparison) -> tuple[int, int]:
    """How many calls agree one by one from the start, and from the end of what is left."""
    wanted, made, fits = len(comparison.slots), len(comparison.calls), comparison.fits
    shorter, start, end = min(wanted, made), 0, 0
    while start < shorter and fits(start, start):
        start += 1
    while end < shorter - start and fits(wanted - 1 - end, made - 1 - end):
        end += 1
    return start, end


def is_fixed(slots: Sequence[Slot]) -> bool:
    """Whether each call has to stand exactly once."""
    return all(slot.least == slot.most == 1 for slot in slots)


def _alignment(comparison: Comparison) -> float | None:
    """Sum of pair credits / max(E, A); both empty: 1. E counts an optional call only when it is paired.

    None: there are too many pairs to tell.
    """
    if is_too_long(comparison):
        return None
    pairs = alignment_of(comparison)
    times = Counter(i for i, _ in pairs)
    expected = sum(max(slot.least, times[i]) for i, slot in enumerate(comparison.slots))
    longer = max(expected, len(comparison.calls))
    return sum(comparison.credit(i, j) for i, j in pairs) / longer if longer else 1.0


_FEW = 2_000
"""Pairs of calls of one tool from which whole rows of them are compared (a count)."""


def best_pairs(comparison: Comparison) -> list[tuple[int, int]]:
    """The one-to-one pairing as (slot, call): the most equal pairs, then the most credit, then the least crossing.

    Found tool by tool; where a tool has more than `block_pairs.MANY` possible pairs, equal calls only are paired.
    """
    made = len(comparison.calls)
    if is_fixed(comparison.slots) and _agreeing_ends(comparison)[0] == len(comparison.slots) == made:
        return [(k, k) for k in range(made)]
    calls: dict[str, list[int]] = {}
    for j, name in enumerate(comparison.names):
        calls.setdefault(name, []).append(j)
    places: dict[str, list[int]] = {}
    for i, _ in units(comparison.slots, made):
        places.setdefault(comparison.slots[i].name, []).append(i)
    both = [(places[name], calls[name]) for name in places if name in calls]
    return sorted(pair for rows, columns in both for pair in _block_pairs(comparison, rows, columns))


def _block_pairs(comparison: Comparison, rows: Sequence[int], columns: Sequence[int]) -> list[tuple[int, int]]:
    if len(rows) * len(columns) > _FEW:
        from agent_tui.matchers.block_pairs import block_pairs  # here, since few runs are long

        return block_pairs(comparison.table, rows, columns)
    size = max(len(rows), len(columns)) + 1
    weights = [
        [
            (2 * size if comparison.fits(i, j) else comparison.credit(i, j) + _SAME_TOOL) - abs(x - y) * 1e-6 / size
            for y, j in enumerate(columns)
        ]
        for x, i in enumerate(rows)
    ]
    return [(rows[x], columns[y]) for x, y in heaviest_pairs(weights)]


def _extras_repeat(comparison: Comparison, places: Sequence[int], trajectory: Trajectory) -> bool:
    """Whether each call beyond the reference equals an earlier call; optional calls are not beyond it."""
    first_equal = trajectory.redundancy.first_equal
    if first_equal is None:
        return False
    optional = [i for i, slot in enumerate(comparison.slots) if slot.most is None or slot.most > slot.least]
    extras = set(range(len(comparison.calls))) - set(places)
    return all(first_equal[j] != j or any(comparison.fits(i, j) for i in optional) for j in extras)


def _only_names_differ(comparison: Comparison) -> bool:
    """Whether there are as many calls, and where two differ they differ in name."""
    calls = len(comparison.calls)
    if not is_fixed(comparison.slots) or len(comparison.slots) != calls:
        return False
    return all(not comparison.names_fit(k, k) or comparison.fits(k, k) for k in range(calls))
