"""Runs that failed, or got there by a way that the reference does not know, or did work twice."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from functools import cache
from itertools import compress
from typing import overload

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


class WeakColumns(Struct, frozen=True):
    """What weak paths are made of, as it stood in a table."""

    success: bytes
    matches: bytes
    redundant: bytes
    surfaced: bytes
    calls: bytes


def weak_columns(table: ScoreTable) -> WeakColumns:
    """The columns that say which runs are weak paths."""
    return WeakColumns(
        table.column("task_success"),
        table.fact_column("matches_reference"),
        bytes(map((0.0).__lt__, table.redundancy)),
        table.fact_column("document_surfaced"),
        table.calls.tobytes(),
    )


class WeakPaths(Sequence[WeakPath]):
    """The weak paths of a table as it stood, in row order; each is made where it is asked for, as most are counted."""

    def __init__(self, columns: WeakColumns, name_of: Callable[[int], str]) -> None:
        self._columns = columns
        self._calls = memoryview(columns.calls).cast("I")
        self._name_of = name_of
        reasons = list(map(_reasons, columns.success, columns.matches, columns.redundant))
        self.rows = array("I", compress(range(len(reasons)), reasons))

    def __len__(self) -> int:
        return len(self.rows)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, WeakPaths) and self._columns == other._columns

    __hash__ = None  # type: ignore[assignment]

    @overload
    def __getitem__(self, place: int) -> WeakPath: ...
    @overload
    def __getitem__(self, place: slice) -> list[WeakPath]: ...
    def __getitem__(self, place: int | slice) -> WeakPath | list[WeakPath]:
        if isinstance(place, slice):
            return [self._path(row) for row in self.rows[place]]
        return self._path(self.rows[place])

    def _path(self, row: int) -> WeakPath:
        own = self._columns
        return WeakPath(
            row,
            self._name_of(row),
            _reasons(own.success[row], own.matches[row], own.redundant[row]),
            self._calls[row],
            _FACT[own.matches[row]],
            _FACT[own.surfaced[row]],
        )


@cache
def _reasons(success: int, matches: int, is_redundant: int) -> tuple[str, ...]:
    reasons = [FAILED] if success == State.FAIL else []
    if success in (State.PASS, State.NOT_KNOWN) and _FACT[matches] is False:
        reasons.append(OFF_PATH)
    if success != State.PENDING and is_redundant:
        reasons.append(REDUNDANT)
    return tuple(reasons)
