"""What the matchers say of one run, as a value."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from agent_tui.matchers.figures import Figures
from agent_tui.matchers.names import LADDER
from agent_tui.matchers.redundancy import Redundancy
from agent_tui.runs import State

LADDER_WIDTH = len(LADDER)
TOOLS_NOT_KNOWN = bytes((State.NOT_KNOWN, State.NOT_KNOWN))


NO_EXPECTATION = "no expectation"
"""The note on a run that no calls are expected of."""


class Match(Struct, frozen=True, gc=False):
    """What the matchers say of one run."""

    states: bytes
    """One `State` code for each of MATCHERS."""
    precision: float | None = None
    recall: float | None = None
    f1: float | None = None
    alignment: float | None = None
    cause: str | None = None
    """One of CAUSES; None: exact passes, or nothing was judged."""
    strictest: str | None = None
    """The first of LADDER that passes."""
    redundancy: int = 0
    """Calls equal to an earlier one, less retries and those the reference asks for; `explain` tells them apart."""
    excess: int | None = None
    """A - M: calls made that have no partner; None where there is nothing to compare with."""
    expected: int | None = None
    """E: calls expected, optional ones only where they are paired; step ratio is A / E."""
    reference: int = 0
    """Which of the acceptable references counts."""
    parsed: bool = True
    """Whether the arguments of every call are JSON."""


def scored(
    figures: Figures,
    tools: bytes,
    unasked: int,
    parsed: bool,
) -> Match:
    """The verdicts of one reference; `tools`: those of the tool lists."""
    in_order: int = figures.in_order
    any_order: int = figures.any_order
    if figures.required == 0:
        in_order = any_order = State.VACUOUS
    return Match(
        bytes(
            (
                figures.exact,
                figures.exact_groups,
                figures.name_only,
                figures.order_ignored,
                in_order,
                any_order,
                figures.subset,
            )
        )
        + tools,
        figures.precision,
        figures.recall,
        figures.f1,
        figures.alignment,
        figures.cause,
        strictest_of(figures),
        unasked,
        figures.made - figures.matched,
        figures.expected,
        0,
        parsed,
    )


def scored_best(found: Sequence[Figures], best: int, tools: bytes, unasked: int, parsed: bool) -> Match:
    """Verdicts of the best reference; partial credit is the greatest that any reference gives."""
    match = scored(found[best], tools, unasked, parsed)
    if len(found) == 1:
        return match
    credit = max(found, key=lambda one: one.f1)
    return replace(
        match,
        precision=credit.precision,
        recall=credit.recall,
        f1=credit.f1,
        alignment=_greatest([one.alignment for one in found]),
        reference=best,
    )


def _greatest(alignments: Sequence[float | None]) -> float | None:
    """The greatest alignment; None where one could not be told."""
    known = [each for each in alignments if each is not None]
    return max(known) if len(known) == len(alignments) else None


def unscored(state: State, tools: bytes, repeated: Redundancy, parsed: bool) -> Match:
    """The match of a run whose trajectory cannot be judged; its redundancy needs no reference."""
    return Match(
        bytes([state] * LADDER_WIDTH) + tools,
        cause="run_error" if state is State.ERROR else None,
        redundancy=len(repeated.repeats),
        parsed=parsed,
    )


def strictest_of(figures: Figures) -> str | None:
    """The first rung of the ladder that passes; what is vacuous does not pass."""
    if figures.order_ignored:
        return "exact" if figures.exact else "exact_groups" if figures.exact_groups else "order_ignored"
    if figures.name_only:
        return "name_only"
    if figures.required and figures.any_order:
        return "in_order" if figures.in_order else "any_order"
    return "subset" if figures.subset else None


def best_reference(found: Sequence[Figures]) -> int:
    """The reference that counts: the strictest rung, then the greatest f1, then alignment; the first of equals.

    `subset` says least where it is the only rung (an idle agent passes it), so it decides last.
    """
    return max(range(len(found)), key=lambda k: _rank(found[k])) if len(found) > 1 else 0


def _rank(figures: Figures) -> tuple[int, float, float, bool]:
    rung = strictest_of(figures)
    steps = 0 if rung is None or rung == "subset" else LADDER_WIDTH - LADDER.index(rung)
    return steps, figures.f1, figures.alignment or 0.0, figures.subset
