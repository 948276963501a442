"""Exact bounds of a rate, and how high the false pass rate may still be."""

from __future__ import annotations

from msgspec import Struct

from agent_tui.stats.student_t import incomplete_beta

ONE_SIDED_95 = 0.05
"""The tail beyond a one-sided 95 % bound."""
_TWO_SIDED_95 = 0.025


class FalsePassBound(Struct, frozen=True):
    """How high the rate of `k` false passes in `n` wrong answers may still be (0..1)."""

    k: int
    n: int
    upper95: float | None
    """One-sided 95 % bound: what the gate goes by."""
    low: float | None
    """Two-sided 95 % interval, lower end."""
    high: float | None
    rule_of_three: float | None
    """3 / n, the bound to do in one's head; only where none was seen."""
    why_none: str | None


def false_pass_upper_bound(k: int, n: int) -> FalsePassBound:
    """The exact bounds of a rate after `k` of `n` (Clopper and Pearson 1934); 3 / n: Hanley and Lippman-Hand 1983."""
    if not n:
        return FalsePassBound(k, n, None, None, None, None, "no wrong answer is labelled")
    return FalsePassBound(
        k=k,
        n=n,
        upper95=upper_bound(k, n, ONE_SIDED_95),
        low=lower_bound(k, n, _TWO_SIDED_95),
        high=upper_bound(k, n, _TWO_SIDED_95),
        rule_of_three=min(1.0, 3 / n) if k == 0 else None,
        why_none=None,
    )


def upper_bound(k: int, n: int, tail: float) -> float:
    """The rate at which `k` or fewer of `n` would have a chance of `tail`: Beta(k+1, n-k) at 1 - tail."""
    if not 0 <= k <= n or n < 1:
        raise ValueError(f"{k} of {n}: needs 0 <= k <= n and n >= 1")
    if k == n:
        return 1.0
    return 1 - tail ** (1 / n) if k == 0 else beta_quantile(1 - tail, k + 1, n - k)


def lower_bound(k: int, n: int, tail: float) -> float:
    """The rate at which `k` or more of `n` would have a chance of `tail`: Beta(k, n-k+1) at tail."""
    return 1 - upper_bound(n - k, n, tail)


def beta_quantile(probability: float, a: float, b: float) -> float:
    """The x with I_x(a, b) = `probability`, by halving 0..1 until floats end."""
    low, high = 0.0, 1.0
    while low < (middle := (low + high) / 2) < high:
        low, high = (middle, high) if incomplete_beta(middle, a, b) < probability else (low, middle)
    return high
