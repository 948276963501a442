"""Did verdicts move when the same items were judged in another way?"""

from __future__ import annotations

from msgspec import Struct

from agent_tui.stats.student_t import incomplete_beta


class PairedShift(Struct, frozen=True):
    """Items judged twice (span kept and removed, two rubrics, two orders); p is None where nothing moved."""

    n: int
    discordant: int
    """Items whose verdict changed."""
    net_shift: float | None
    """Passes gained less passes lost, over all items (-1..1)."""
    p_value: float | None
    """Two-sided."""
    p_pass_to_fail: float | None
    """One-sided: that so many turned to fail by chance."""
    why_none: str | None


def paired_shift(changed_to_fail: int, changed_to_pass: int, unchanged: int) -> PairedShift:
    """McNemar's test (1947) in its exact form: the changes as throws of a fair coin."""
    if min(changed_to_fail, changed_to_pass, unchanged) < 0:
        raise ValueError("a count is below 0")
    changed = changed_to_fail + changed_to_pass
    n = changed + unchanged
    if not n:
        return PairedShift(0, 0, None, None, None, "no item was judged twice")
    if not changed:
        return PairedShift(n, 0, 0.0, None, None, "no verdict moved")
    to_fail, to_pass = _at_least(changed_to_fail, changed), _at_least(changed_to_pass, changed)
    net = (changed_to_pass - changed_to_fail) / n
    return PairedShift(n, changed, net, min(1.0, 2 * min(to_fail, to_pass)), to_fail, None)


def _at_least(k: int, n: int) -> float:
    """P(at least `k` heads in `n` throws of a fair coin) = I_1/2(k, n-k+1)."""
    return incomplete_beta(0.5, k, n - k + 1) if k else 1.0
