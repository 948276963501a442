"""The changes of a what-if in order: those that are shown, and behind them those that were undone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct

from agent_tui.runs.edits import Done
from agent_tui.scoring.noticed import Effect, FigureMoved, Noticed


class Made(Struct, frozen=True):
    """An edit that was made in a run."""

    row: int
    run: str
    done: Done


class Change(Struct, frozen=True):
    """Edits that were made together, what noticed them, and the records of their runs before and after."""

    edits: tuple[Made, ...]
    effect: Effect
    before: Mapping[int, bytes]
    after: Mapping[int, bytes]

    @property
    def runs(self) -> tuple[str, ...]:
        """Names of the runs that were changed."""
        return tuple(dict.fromkeys(made.run for made in self.edits))

    @property
    def noticed(self) -> tuple[Noticed, ...]:
        """An entry a measure."""
        return self.effect.noticed

    @property
    def figures(self) -> tuple[FigureMoved, ...]:
        """The figures of the runs that moved."""
        return self.effect.figures


class Ledger:
    """All changes ever made and not forgotten; `position` says how many of them are shown."""

    def __init__(self) -> None:
        self._changes: list[Change] = []
        self.position = 0

    def __len__(self) -> int:
        return len(self._changes)

    def __iter__(self) -> Iterator[Change]:
        """The changes, oldest first, undone ones included."""
        return iter(self._changes)

    @property
    def shown(self) -> tuple[Change, ...]:
        """The changes that are shown."""
        return tuple(self._changes[: self.position])

    @property
    def undone(self) -> tuple[Change, ...]:
        """The changes that redo would show, the next one first."""
        return tuple(self._changes[self.position :])

    def add(self, change: Change) -> None:
        """Put a change behind those that are shown; those that were undone are forgotten."""
        self._changes[self.position :] = [change]
        self.position += 1

    def forget_all(self) -> None:
        """Forget all changes, whatever of them is shown."""
        self._changes, self.position = [], 0

    def forget(self) -> None:
        """Forget the changes that were undone."""
        del self._changes[self.position :]

    def records_at(self, position: int) -> dict[int, bytes]:
        """The records to show in order to have the first `position` changes, of the runs that differ from now."""
        records: dict[int, bytes] = {}
        for change in self._changes[self.position : position]:
            records.update(change.after)
        for change in reversed(self._changes[position : self.position]):
            records.update(change.before)
        return records
