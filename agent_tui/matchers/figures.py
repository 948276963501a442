"""What one reference and one trajectory have in common, before it becomes a verdict."""

from __future__ import annotations

from msgspec import Struct


class Figures(Struct, frozen=True, gc=False):
    """The matchers of one reference: what passes, how many calls pair up, and why it is not exact."""

    exact: bool
    exact_groups: bool
    name_only: bool
    order_ignored: bool
    in_order: bool
    any_order: bool
    subset: bool
    required: int
    """How many calls must stand: each call as often as its minimum."""
    expected: int
    """E: the required calls and those optional ones that are paired."""
    made: int
    """A: the calls of the trajectory that count."""
    matched: int
    """M: the size of a maximum one-to-one pairing of equal calls."""
    alignment: float | None
    """None: there are too many pairs of calls to tell."""
    cause: str | None
    may_repeat: bool
    """Whether a call that the reference does not ask for may repeat another one; that none does is proved."""

    @property
    def precision(self) -> float | None:
        """M / A; both empty: 1; nothing made: not known."""
        if self.made:
            return self.matched / self.made
        return None if self.expected else 1.0

    @property
    def recall(self) -> float | None:
        """M / E; both empty: 1; nothing expected: not known."""
        if self.expected:
            return self.matched / self.expected
        return None if self.made else 1.0

    @property
    def f1(self) -> float:
        """2M / (A + E), the harmonic mean of precision and recall; both empty: 1."""
        total = self.made + self.expected
        return 2 * self.matched / total if total else 1.0


CAUSES = ("no_calls", "order", "wrong_args", "repeated", "extra", "missing", "wrong_tool", "mixed", "run_error")
"""Why a run is not exact: the first that explains the whole difference; `run_error`: the row is an error."""


def cause_of(
    *,
    no_calls: bool,
    order_ignored: bool,
    name_only: bool,
    in_order: bool,
    extras_repeat: bool,
    is_part: bool,
    only_names_differ: bool,
) -> str:
    """The cause of a difference between a reference and a trajectory that is not exact.

    `extras_repeat`: every call beyond the reference, read in order, equals an earlier one. `is_part`: the trajectory is
    a subsequence of the reference. `only_names_differ`: as many calls, and where two differ they differ in name.
    """
    if no_calls:
        return "no_calls"
    if order_ignored:
        return "order"
    if name_only:
        return "wrong_args"
    if in_order:
        return "repeated" if extras_repeat else "extra"
    if is_part:
        return "missing"
    return "wrong_tool" if only_names_differ else "mixed"
