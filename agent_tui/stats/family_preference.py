"""Does a judge pass more wrong answers of its own model family than of others?"""

from __future__ import annotations

from math import comb, sqrt

from msgspec import Struct

from agent_tui.stats.intervals import Interval, wilson
from agent_tui.stats.rates import Rate, rate_of


class FamilyPreference(Struct, frozen=True):
    """False passes of the judge's own family against those of others; None where a side has no wrong answer."""

    same: Rate
    other: Rate
    difference: float | None
    """Same minus other (-1..1)."""
    low: float | None
    high: float | None
    fisher_p: float | None
    why_none: str | None


def same_family_preference(same_fp: int, same_n: int, other_fp: int, other_n: int) -> FamilyPreference:
    """The difference of two false pass rates, its interval (Newcombe 1998) and Fisher's exact p (1935)."""
    same = rate_of(same_fp, same_n, "no wrong answer by the judge's own family")
    other = rate_of(other_fp, other_n, "no wrong answer by another family")
    interval = newcombe(same_fp, same_n, other_fp, other_n)
    if interval is None:
        return FamilyPreference(same, other, None, None, None, None, f"{same.why_none or other.why_none}: not testable")
    difference = same_fp / same_n - other_fp / other_n
    return FamilyPreference(same, other, difference, *interval, fisher_exact(same_fp, same_n, other_fp, other_n), None)


def newcombe(k1: int, n1: int, k2: int, n2: int) -> Interval | None:
    """Newcombe's 95 % interval of `k1` / `n1` - `k2` / `n2` (1998, method 10); None where a side is empty.

    d - √((p1-l1)² + (u2-p2)²) .. d + √((u1-p1)² + (p2-l2)²) from the two Wilson intervals.
    """
    first, second = wilson(k1, n1), wilson(k2, n2)
    if first is None or second is None:
        return None
    p1, p2 = k1 / n1, k2 / n2
    below = sqrt((p1 - first[0]) ** 2 + (second[1] - p2) ** 2)
    above = sqrt((first[1] - p1) ** 2 + (p2 - second[0]) ** 2)
    return p1 - p2 - below, p1 - p2 + above


def fisher_exact(k1: int, n1: int, k2: int, n2: int) -> float:
    """Two-sided p that `k1` of `n1` and `k2` of `n2` share one rate (Fisher 1935).

    The sum over all tables with these margins that are at most as likely as the one seen (with a slack of 1e-7), in
    whole numbers.
    """
    drawn = k1 + k2
    least = max(0, drawn - n2)
    ways = [comb(n1, least) * comb(n2, drawn - least)]
    for k in range(least, min(n1, drawn)):
        ways.append(ways[-1] * (n1 - k) * (drawn - k) // ((k + 1) * (n2 - drawn + k + 1)))
    seen = ways[k1 - least]
    return sum(way for way in ways if way * 10**7 <= seen * (10**7 + 1)) / sum(ways)
