"""Runs that failed, or got there by a way that the reference does not know, or did work twice."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec import Struct

from agent_tui.runs import State
from agent_tui.scoring.table import ScoreTable

FAILED, OFF_PATH, REDUNDANT = "failed", "off the reference path", "repeated a call"


class WeakPath(Struct, frozen=True):
    """A run worth a look: its row, why, and the figures beside it."""

    row: int
    run: str
    reasons: tuple[str, ...]
    calls: int
    matches_reference: bool | None
    document_surfaced: bool | None


def weak_reasons(table: ScoreTable, row: int) -> tuple[str, ...]:
    """Why a run is a weak path: failed, succeeded (or success unscoreable) off the reference path, or redundant."""
    success = table.state(row, "task_success")
    reasons = [FAILED] if success is State.FAIL else []
    if success in (State.PASS, State.NOT_KNOWN) and table.fact(row, "matches_reference") is False:
        reasons.append(OFF_PATH)
    if success is not State.PENDING and (table.redundant(row) or 0) > 0:
        reasons.append(REDUNDANT)
    return tuple(reasons)


def weak_paths(table: ScoreTable, name_of: Callable[[int], str]) -> Iterator[WeakPath]:
    """The weak paths of a table, in row order."""
    for row in range(len(table)):
        reasons = weak_reasons(table, row)
        if reasons:
            yield WeakPath(
                row=row,
                run=name_of(row),
                reasons=reasons,
                calls=table.calls[row],
                matches_reference=table.fact(row, "matches_reference"),
                document_surfaced=table.fact(row, "document_surfaced"),
            )
