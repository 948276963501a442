"""How many calls of each run failed, as far as somebody asked: it takes reading the results."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from contextlib import suppress
from threading import Lock

from agent_tui.scoring.columns import Numbers

_NOT_COUNTED = -1


class FailedCalls:
    """A number a row, or that it was not counted yet; a thread may count while another asks."""

    def __init__(self) -> None:
        self._counts = array("i")
        self._counted = 0
        self._lock = Lock()

    def of(self, row: int) -> int | None:
        """The number of a row; None where it was not counted."""
        count = self._counts[row] if row < len(self._counts) else _NOT_COUNTED
        return None if count == _NOT_COUNTED else count

    def put(self, row: int, count: int) -> None:
        """Keep the number of a row."""
        with self._lock:
            more = row + 1 - len(self._counts)
            if more > 0:
                self._counts.extend([_NOT_COUNTED] * more)
            self._counted += self._counts[row] == _NOT_COUNTED
            self._counts[row] = count

    def missing(self, rows: int) -> int:
        """How many of so many rows were not counted (a count)."""
        return rows - self._counted

    def missing_rows(self, rows: int) -> Iterator[int]:
        """Which of so many rows were not counted, in order."""
        row = 0
        with suppress(ValueError):
            while True:
                row = self._counts.index(_NOT_COUNTED, row)
                yield row
                row += 1
        yield from range(len(self._counts), rows)

    def of_all(self, rows: int) -> Numbers | None:
        """The numbers of so many rows, where all were counted."""
        return self._counts if self._counted == len(self._counts) == rows else None
