"""Which rows hold something, by a hash of it: numbers only, so that a million rows cost megabytes and no objects."""

from __future__ import annotations

from array import array
from collections.abc import Iterable

from agent_tui.scoring.columns import Numbers

_LEAST = 64


class Lookup:
    """Rows by a 64-bit hash, an open table of row numbers. Two texts may share a hash: whoever asks compares them.

    It may stand on another one, whose rows come before its own and which is never changed.
    """

    @classmethod
    def on(cls, hashes: Numbers, before: Numbers, slots: Numbers, *, are_alone: bool = False) -> Lookup:
        """A lookup to which rows can be added, on one that lies in files; `are_alone` where none of those repeats."""
        lookup = cls()
        lookup._base = base = cls()
        base.hashes, base.before, base.slots = hashes, before, slots
        if are_alone:
            lookup._known_without = base._known_without = len(hashes), True
        return lookup

    def __init__(self) -> None:
        self._base: Lookup | None = None
        self._known_without = (-1, False)
        """For how many rows it was found out whether every one has a hash of its own, and whether."""
        self.hashes: Numbers = array("Q")
        """Of each row."""
        self.before: Numbers = array("I")
        """Of each row: 1 + the row before it with the same hash; 0 where there is none."""
        self.slots: Numbers = array("I", bytes(4 * _LEAST))
        """1 + the last row of a hash, where it or a neighbour of its place says; 0 where nothing stands."""

    def __len__(self) -> int:
        return self._first + len(self.hashes)

    @property
    def _first(self) -> int:
        """How many rows come before its own (a count)."""
        return 0 if self._base is None else len(self._base)

    def make_room(self, rows: int) -> None:
        """Have places for so many rows at once, before there are any: to find places anew costs as much as to add."""
        while not self.hashes and 2 * rows >= len(self.slots):
            self.slots = array("I", bytes(8 * len(self.slots)))

    def add(self, hashes: Iterable[int]) -> list[int]:
        """Add rows; gives those whose hash an earlier one has."""
        known, before = self.hashes, self.before
        repeated = []
        for each in hashes:
            row = len(known)
            if 2 * row >= len(self.slots):
                self._grow()
            place, last = self._find(each)
            known.append(each)
            before.append(last)
            self.slots[place] = row + 1
            if last:
                repeated.append(row)
        return repeated

    def _find(self, each: int) -> tuple[int, int]:
        """Where a hash stands or may stand, and 1 + its last row, or 0."""
        slots, hashes, mask = self.slots, self.hashes, len(self.slots) - 1
        place = each & mask
        while (last := slots[place]) and hashes[last - 1] != each:
            place = (place + 1) & mask
        return place, last

    def _grow(self) -> None:
        """Twice the places; of rows with one hash the last takes the place."""
        self.slots = array("I", bytes(8 * len(self.slots)))
        for row, each in enumerate(self.hashes, 1):
            place, _ = self._find(each)
            self.slots[place] = row

    def rows(self, each: int) -> list[int]:
        """The rows with a hash, in order."""
        _, last = self._find(each)
        found = []
        while last:
            found.append(self._first + last - 1)
            last = self.before[last - 1]
        return [*([] if self._base is None else self._base.rows(each)), *found[::-1]]

    def first(self, row: int) -> int:
        """The first row with the hash of a row, among its own."""
        while last := self.before[row]:
            row = last - 1
        return row

    def is_alone(self, row: int) -> bool:
        """Whether no other row has the hash of a row."""
        if self._known_without == (len(self), True):
            return True
        base, first = self._base, self._first
        if base is None:
            return not self.before[row] and self._find(self.hashes[row])[1] == row + 1
        if row < first:
            return base.is_alone(row) and not self._find(base.hashes[row])[1]
        each = self.hashes[row - first]
        return not self.before[row - first] and self._find(each)[1] == row - first + 1 and not base._find(each)[1]

    @property
    def is_without_repeats(self) -> bool:
        """Whether every row has a hash of its own."""
        if self._known_without[0] != len(self):
            self._known_without = len(self), self._has_no_repeat()
        return self._known_without[1]

    def _has_no_repeat(self) -> bool:
        base = self._base
        if bytes(self.before).strip(b"\0") or (base is not None and not base.is_without_repeats):
            return False
        return base is None or not any(base._find(each)[1] for each in self.hashes)
