"""Runs that failed, or got there by a way that the reference does not know, or did work twice."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache

from msgspec import Struct

from agent_tui.runs import State
from agent_tui.scoring.table import ScoreTable

FAILED, OFF_PATH, REDUNDANT = "failed", "off the reference path", "repeated a call"
_FACT = (False, True, None)
"""What the bytes of a column of facts mean."""


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
    matches = _FACT.index(table.fact(row, "matches_reference"))
    return _reasons(table.state(row, "task_success"), matches, (table.redundant(row) or 0) > 0)


def weak_paths(table: ScoreTable, name_of: Callable[[int], str]) -> Iterator[WeakPath]:
    """The weak paths of a table, in row order."""
    matches, surfaced = table.fact_column("matches_reference"), table.fact_column("document_surfaced")
    columns = zip(table.column("task_success"), matches, table.redundancy, strict=True)
    for row, (success, match, redundancy) in enumerate(columns):
        reasons = _reasons(success, match, redundancy > 0)
        if reasons:
            yield WeakPath(row, name_of(row), reasons, table.calls[row], _FACT[match], _FACT[surfaced[row]])


@cache
def _reasons(success: int, matches: int, is_redundant: bool) -> tuple[str, ...]:
    reasons = [FAILED] if success == State.FAIL else []
    if success in (State.PASS, State.NOT_KNOWN) and _FACT[matches] is False:
        reasons.append(OFF_PATH)
    if success != State.PENDING and is_redundant:
        reasons.append(REDUNDANT)
    return tuple(reasons)
