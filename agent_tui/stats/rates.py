"""A rate that carries its counts and interval, and the bounds that undetermined verdicts leave."""

from __future__ import annotations

from msgspec import Struct

from agent_tui.stats.intervals import wilson


class Rate(Struct, frozen=True):
    """`k` of `n` with Wilson's 95 % interval; over nothing the figures are None and `why_none` says why."""

    k: int
    n: int
    rate: float | None
    low: float | None
    high: float | None
    why_none: str | None


def rate_of(k: int, n: int, why_none: str = "nothing to count") -> Rate:
    """The rate of `k` in `n` (0..1) with Wilson's score interval (Wilson 1927); `why_none` is kept where n is 0."""
    if not 0 <= k <= n:
        raise ValueError(f"{k} of {n}: needs 0 <= k <= n")
    interval = wilson(k, n)
    if interval is None:
        return Rate(k, n, None, None, None, why_none)
    return Rate(k, n, k / n, *interval, None)


class Figure(Struct, frozen=True):
    """One number, or None and the reason in words."""

    value: float | None
    why_none: str | None = None


class PassBounds(Struct, frozen=True):
    """Between which rates the passes lie, whatever the undetermined would have been (0..1)."""

    n: int
    low: float | None
    """As if every undetermined failed."""
    high: float | None
    """As if every undetermined passed."""
    decided: Rate
    """Passes among decided: says nothing of the undetermined, so never shown alone."""
    why_none: str | None


def undetermined_bounds(passed: int, failed: int, undetermined: int) -> PassBounds:
    """[passed / n, (passed + undetermined) / n]: the pass rate without a guess about what is missing (Manski 1989)."""
    decided = rate_of(passed, passed + failed, "nothing decided")
    n = passed + failed + undetermined
    if not n:
        return PassBounds(0, None, None, decided, "no verdicts")
    return PassBounds(n, passed / n, (passed + undetermined) / n, decided, None)
