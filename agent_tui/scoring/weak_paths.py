"""Runs that failed, or got there by a way that the reference does not know, or did work twice."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from functools import cache, cached_property
from itertools import compress
from typing import overload

from msgspec import Struct

from agent_tui.runs import State
from agent_tui.scoring.run_score import MEASURES
from agent_tui.scoring.table import FACT_BYTES, ScoreTable

FAILED, OFF_PATH, REDUNDANT = "failed", "off the reference path", "repeated a call"
_FACT = (False, True, None)
"""What the bytes of a column of facts mean."""
_WIDTH, _SUCCESS = len(MEASURES), MEASURES.index("task_success")
_MATCHES = FACT_BYTES["matches_reference"]


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
    success = table.states[row * _WIDTH + _SUCCESS]
    return reasons_for(success, _MATCHES[table.facts[row]], table.redundancy[row] > 0)


def weak_rows(table: ScoreTable) -> array[int]:
    """The rows that are weak paths, in order."""
    success, matches = table.column("task_success"), table.fact_column("matches_reference")
    reasons = map(reasons_for, success, matches, map((0.0).__lt__, table.redundancy))
    return array("I", compress(range(len(table)), reasons))


class WeakPaths(Sequence[WeakPath]):
    """The weak paths of a table: counted; which they are is looked up when somebody asks, and made one by one."""

    def __init__(self, count: int, table: ScoreTable, name_of: Callable[[int], str]) -> None:
        self._count, self._table, self._name_of = count, table, name_of

    @cached_property
    def rows(self) -> array[int]:
        """Their rows, in order."""
        return weak_rows(self._table)

    def __len__(self) -> int:
        return self._count

    def __eq__(self, other: object) -> bool:
        return isinstance(other, WeakPaths) and list(self) == list(other)

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
        table = self._table
        matches, surfaced = table.fact(row, "matches_reference"), table.fact(row, "document_surfaced")
        return WeakPath(row, self._name_of(row), weak_reasons(table, row), table.calls[row], matches, surfaced)


@cache
def reasons_for(success: int, matches: int, is_redundant: int) -> tuple[str, ...]:
    """The reasons by the state of task success, the byte of `matches_reference`, and whether a call is repeated."""
    reasons = [FAILED] if success == State.FAIL else []
    if success in (State.PASS, State.NOT_KNOWN) and _FACT[matches] is False:
        reasons.append(OFF_PATH)
    if success != State.PENDING and is_redundant:
        reasons.append(REDUNDANT)
    return tuple(reasons)
