"""Order and association: mean ranks, Mann-Whitney's test, Pearson's correlation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import comb, erfc, fsum, sqrt

_EXACT_UP_TO = 20
"""Up to this many values without ties every arrangement is counted, beyond it the normal curve stands in."""


def mean_ranks(values: Sequence[float]) -> list[float]:
    """The rank of each value from 1 up, equal values sharing the mean of their ranks."""
    counts = Counter(values)
    ranks: dict[float, float] = {}
    before = 0
    for value in sorted(counts):
        ranks[value] = before + (counts[value] + 1) / 2
        before += counts[value]
    return [ranks[value] for value in values]


def mann_whitney(ours: Sequence[float], others: Sequence[float]) -> tuple[float, float | None]:
    """P(one of ours > one of the others), ties half, and its two-sided p (Mann and Whitney 1947).

    Exact up to 20 values without ties; else the normal curve with corrections for ties and continuity. p is None
    where all values are equal. Neither side may be empty.
    """
    n1, n0 = len(ours), len(others)
    values = [*ours, *others]
    u = sum(mean_ranks(values)[:n1]) - n1 * (n1 + 1) / 2
    farther = max(u, n1 * n0 - u)
    if len(set(values)) == len(values) <= _EXACT_UP_TO:
        return u / (n1 * n0), _exact_p(int(farther), n1, n0)
    return u / (n1 * n0), _normal_p(farther, n1, n0, values)


def _exact_p(u: int, n1: int, n0: int) -> float:
    """Twice the share of arrangements whose U is at least `u`, at most 1."""
    n = n1 + n0
    sums = [Counter({0: 1})] + [Counter[int]() for _ in range(n1)]
    for rank in range(1, n + 1):
        for size in range(min(rank, n1), 0, -1):
            for total, ways in sums[size - 1].items():
                sums[size][total + rank] += ways
    least = n1 * (n1 + 1) // 2
    return min(1.0, 2 * sum(ways for total, ways in sums[n1].items() if total - least >= u) / comb(n, n1))


def _normal_p(u: float, n1: int, n0: int, values: Sequence[float]) -> float | None:
    n = n1 + n0
    ties = sum(count**3 - count for count in Counter(values).values())
    variance = n1 * n0 / 12 * (n + 1 - ties / (n * (n - 1)))
    if len(set(values)) == 1:
        return None
    return min(1.0, erfc((u - n1 * n0 / 2 - 0.5) / sqrt(2 * variance)))


def pearson(xs: Sequence[float], ys: Sequence[float]) -> float | None:
    """Pearson's correlation (-1..1); None where either side does not vary."""
    if len(set(xs)) < 2 or len(set(ys)) < 2:
        return None
    x_mean, y_mean = fsum(xs) / len(xs), fsum(ys) / len(ys)
    product = fsum((x - x_mean) * (y - y_mean) for x, y in zip(xs, ys, strict=True))
    squares = fsum((x - x_mean) ** 2 for x in xs) * fsum((y - y_mean) ** 2 for y in ys)
    return max(-1.0, min(1.0, product / sqrt(squares)))
