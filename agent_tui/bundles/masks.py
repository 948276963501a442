"""Sets of rows as masks, a byte a row, 0 or 1: put together and looked through without a step of Python a row.

numpy makes the work on numbers ten times faster. It takes a tenth of a second to import, so that only a screen does so,
in a thread and once it is painted; until then, and for everybody else, the same is done without.
"""

from __future__ import annotations

import math
import operator
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import compress, repeat
from typing import Any

from agent_tui.scoring import task_pairs
from agent_tui.scoring.columns import SEPARATOR, Numbers
from agent_tui.scoring.task_pairs import Pairs

_NOT = bytes([1]) + bytes(255)
OPERATORS: dict[str, Callable[[Any, float], Any]] = {
    "=": operator.eq,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_SPARSE = 8
"""Where a text stands fewer times than once in so many rows, each place is looked for, else each row looked at."""
_numpy: Any = None


def load_numpy() -> None:
    """Import numpy, where it is installed."""
    global _numpy
    try:
        import numpy
    except ImportError:
        return
    _numpy = numpy


def numpy_if_loaded() -> Any:
    """numpy; None where it was not loaded."""
    return _numpy


def forget_numpy() -> None:
    """Go on without numpy."""
    global _numpy
    _numpy = None


def both(left: bytes, right: bytes) -> bytes:
    """The rows of both."""
    return _whole(int.from_bytes(left, "little") & int.from_bytes(right, "little"), len(left))


def either(left: bytes, right: bytes) -> bytes:
    """The rows of either."""
    return _whole(int.from_bytes(left, "little") | int.from_bytes(right, "little"), len(left))


def differing(left: bytes, right: bytes) -> bytes:
    """The rows at which two columns of bytes differ."""
    if _numpy is not None:
        return bytes(_numpy.frombuffer(left, "u1") != _numpy.frombuffer(right, "u1"))
    apart = _whole(int.from_bytes(left, "little") ^ int.from_bytes(right, "little"), len(left))
    return apart.translate(bytes([0]) + bytes([1]) * 255)


def _whole(number: int, length: int) -> bytes:
    return number.to_bytes(length, "little")


def none_of(mask: bytes) -> bytes:
    """The other rows."""
    return mask.translate(_NOT)


def rows_of(mask: bytes) -> array[int]:
    """The rows of a mask, in order."""
    if _numpy is None:
        return array("I", compress(range(len(mask)), mask))
    found = _numpy.flatnonzero(_numpy.frombuffer(mask, "?")).astype("u4")
    return array("I", found.tobytes())


def by_byte(column: bytes, holds: Sequence[bool]) -> bytes:
    """The rows whose byte is one that holds."""
    return column.translate(bytes(holds).ljust(256, b"\0"))


def by_code(column: Numbers, holds: Sequence[bool]) -> bytes:
    """The rows whose number is one that holds."""
    if _numpy is None:
        return bytes(map(bytes(holds).__getitem__, column))
    return bytes(_numpy.frombuffer(bytes(holds), "u1")[_numpy.asarray(column)])


def by_number(column: Any, op: str, bound: float) -> bytes:
    """The rows whose number stands to a bound as `op` says; NaN to none."""
    if _numpy is not None:
        return bytes(OPERATORS[op](_numpy.asarray(column), bound).astype("u1"))
    compare = OPERATORS[op]
    return bytes([compare(each, bound) for each in column])


def unknown(column: Any) -> bytes:
    """The rows whose number is NaN."""
    if _numpy is not None:
        return bytes(_numpy.isnan(_numpy.asarray(column)).astype("u1"))
    return bytes(map(math.isnan, column))


def holding(block: bytes, rows: int, kept: bytes) -> bytes:
    """Which of some rows hold a text; `block` has a separator before each (`Texts.lowered`)."""
    is_sparse = block.count(kept) * _SPARSE < rows
    if _numpy is None:
        return _held(block, rows, kept) if is_sparse else _held_by_many(block, kept)
    letters = _numpy.frombuffer(block, "u1")
    begins = _numpy.flatnonzero(letters == SEPARATOR[0])
    if is_sparse:
        found = _numpy.zeros(rows, "u1")
        found[_numpy.searchsorted(begins, list(_places(block, kept))) - 1] = 1
        return bytes(found)
    held = _numpy.zeros(len(block), "?")
    here = held[: len(block) - len(kept) + 1]
    here[:] = True
    for place, letter in enumerate(kept):
        here &= letters[place : place + len(here)] == letter
    return bytes(_numpy.logical_or.reduceat(held, begins).astype("u1"))


def _places(block: bytes, kept: bytes) -> Iterator[int]:
    place = block.find(kept)
    while place >= 0:
        yield place
        place = block.find(kept, place + len(kept))


def _held_by_many(block: bytes, kept: bytes) -> bytes:
    return bytes(map(bytes.__contains__, block.split(SEPARATOR)[1:], repeat(kept)))


def _held(block: bytes, rows: int, kept: bytes) -> bytes:
    found, row, before = bytearray(rows), -1, 0
    for place in _places(block, kept):
        row += block.count(SEPARATOR, before, place)
        found[row], before = 1, place
    return bytes(found)


def by_row(rows: Iterable[int], holds: Callable[[int], bool]) -> bytes:
    """The rows of which something holds that only the row itself tells."""
    return bytes(map(holds, rows))


def taken(values: Sequence[float], codes: Any) -> Any:
    """For each row the value that its number means."""
    if _numpy is None:
        return array("d", map(values.__getitem__, codes))
    numbers = _numpy.frombuffer(codes, "u1") if isinstance(codes, bytes) else _numpy.asarray(codes)
    return _numpy.asarray(values, "f8")[numbers]


def pairs_of(tasks: Numbers, column: bytes, size: int) -> Pairs:
    """How many of `size` tasks have so many scored runs and so many passing ones, from task and state of each row."""
    if _numpy is None:
        return task_pairs.pairs_of(tasks, column, size)
    codes = _numpy.asarray(tasks)
    scored, passed = (
        _numpy.bincount(codes[_numpy.frombuffer(column.translate(kept), "?")], minlength=size).astype("u8")
        for kept in (task_pairs.SCORED, task_pairs.PASSED)
    )
    alike, counts = _numpy.unique(scored << _HALF | passed, return_counts=True)
    found = zip(alike.tolist(), counts.tolist(), strict=True)
    return Counter({(pair >> _HALF, pair & (1 << _HALF) - 1): count for pair, count in found if pair})


_HALF = 32
"""Bits of a number that half of a pair takes."""


def in_order(keys: Any, rows: Sequence[int], *, descending: bool) -> array[int]:
    """`rows` by the numbers that a column has at them; equal ones as they stand, NaN last in both directions."""
    if _numpy is None:
        known = [row for row in rows if keys[row] == keys[row]]  # NaN is not
        ordered = array("I", sorted(known, key=keys.__getitem__, reverse=descending))
        return (
            ordered
            if len(known) == len(rows)
            else ordered + array("I", (row for row in rows if keys[row] != keys[row]))
        )
    places = _numpy.arange(len(rows), dtype="u4") if isinstance(rows, range) else _numpy.asarray(rows, "u4")
    at = _numpy.asarray(keys)[places].astype("f8")
    order = _numpy.argsort(-at if descending else at, kind="stable")
    return array("I", places[order].tobytes())


class RowSet:
    """Some rows."""

    def __init__(self, mask: bytes) -> None:
        self._mask = mask
        self._is_empty = 1 not in mask

    def __contains__(self, row: int) -> bool:
        return row < len(self._mask) and self._mask[row] == 1

    def __bool__(self) -> bool:
        return not self._is_empty


NO_ROWS = RowSet(b"")
