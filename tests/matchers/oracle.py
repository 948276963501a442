"""The definitions of the matchers written out by brute force, for small inputs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, permutations, product
from typing import Any

Fits = Callable[[Any, Any], bool]


def expansions(slots: Sequence[Any], calls: int) -> Iterator[list[Any]]:
    """Every way to write each slot between its least and its most times."""
    choices = [range(s.least, max(s.least, calls if s.most is None else min(s.most, calls)) + 1) for s in slots]
    for counts in product(*choices):
        yield [slot for slot, count in zip(slots, counts, strict=True) for _ in range(count)]


def maximum_matching(left: Sequence[Any], right: Sequence[Any], fits: Fits) -> int:
    """The size of the largest one-to-one pairing, by trying all injections."""
    if len(left) > len(right):
        return maximum_matching(right, left, lambda one, other: fits(other, one))
    return max(
        (
            sum(fits(one, other) for one, other in zip(left, chosen, strict=True))
            for chosen in permutations(right, len(left))
        ),
        default=0,
    )


def heaviest(weights: Sequence[Sequence[float]]) -> float:
    """The greatest sum of weights of a pairing, by trying all injections."""
    rows, columns = len(weights), len(weights[0]) if weights else 0
    if rows > columns:
        return heaviest([[weights[i][j] for i in range(rows)] for j in range(columns)])
    return max(
        (sum(weights[i][j] for i, j in enumerate(chosen)) for chosen in permutations(range(columns), rows)), default=0.0
    )


def is_equal_list(left: Sequence[Any], right: Sequence[Any], fits: Fits) -> bool:
    return len(left) == len(right) and all(fits(one, other) for one, other in zip(left, right, strict=True))


def is_subsequence(part: Sequence[Any], whole: Sequence[Any], fits: Fits) -> bool:
    return any(
        is_equal_list(part, [whole[i] for i in places], fits) for places in combinations(range(len(whole)), len(part))
    )


def in_groups(part: Sequence[Any], whole: Sequence[Any], fits: Fits) -> bool:
    """Whether some order of the expected calls inside their groups is the trajectory."""
    if len(part) != len(whole):
        return False
    orders = (order for order in permutations(part) if [s.group for s in order] == [s.group for s in part])
    return any(is_equal_list(order, whole, fits) for order in orders)


def alignment(slots: Sequence[Any], calls: Sequence[Any], credit: Callable[[Any, Any], float]) -> float:
    """Greatest credit of an in-order pairing of an expansion, over the longer side; the shortest such expansion."""
    best: tuple[float, int] = (-1.0, 0)
    for chosen in expansions(slots, len(calls)):
        best = max(best, (round(_aligned(chosen, calls, credit), 9), -len(chosen)))
    longer = max(-best[1], len(calls))
    return best[0] / longer if longer else 1.0


def _aligned(left: Sequence[Any], right: Sequence[Any], credit: Callable[[Any, Any], float]) -> float:
    sizes = range(min(len(left), len(right)) + 1)
    return max(
        sum(credit(left[i], right[j]) for i, j in zip(rows, columns, strict=True))
        for size in sizes
        for rows in combinations(range(len(left)), size)
        for columns in combinations(range(len(right)), size)
    )
