"""The columns of an index: their names and kinds, and each as a file that only grows."""

from __future__ import annotations

import os
from array import array
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, BinaryIO

from xxhash import xxh3_64_intdigest

from agent_tui.bundles.index.frames import Piece
from agent_tui.bundles.index.held import Column, Damaged, Held
from agent_tui.bundles.index.place import disown
from agent_tui.bundles.records import Copy
from agent_tui.places import PRIVATE_FILE
from agent_tui.scoring.table import FIXED, WIDTHS

__all__ = ["KINDS", "Damaged", "Growing", "Written", "kind_known", "kind_of", "width_of"]

KINDS = {
    **FIXED,
    "ids": "B",
    "id_ends": "Q",
    "id_hashes": "Q",
    "sources": "I",
    "places": "I",
    "offsets": "Q",
    "lengths": "I",
    "lines": "Q",
    "hashes": "Q",
    "copied": "B",
    "totals": "B",
}
"""Every column but those of which there may be several, in the codes of `array`."""
_ROOM = 1 << 18
"""Bytes that are read at a time."""
_STARTS = {"score": "d", "reason": "B", "mode": "B", "before": "I", "slots": "I"}
"""Columns of which there are several, by the start of their names."""


def kind_of(column: str) -> str:
    """The kind of numbers of a column."""
    return KINDS.get(column) or _STARTS[column.partition("-")[0]]


def kind_known(name: str) -> bool:
    """Whether a file of this name is a column."""
    return name in KINDS or name.partition("-")[0] in _STARTS


def _copy(whole: BinaryIO, file: BinaryIO, length: int) -> None:
    while length and (piece := whole.read(min(length, 1 << 20))):
        file.write(piece)
        length -= len(piece)


def width_of(column: str) -> int:
    """How many bytes a row has in a column that has a fixed number."""
    return array(kind_of(column)).itemsize * WIDTHS.get(column, 1)


class Growing:
    """The columns while they are written."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._open: dict[str, int] = {}

    def add(self, pieces: Iterable[tuple[str, bytes]]) -> list[Piece]:
        """Put bytes behind what the columns hold. Raises `OSError` where there is no room."""
        return [self._add(column, text) for column, text in pieces if text]

    def _add(self, column: str, text: bytes) -> Piece:
        rest = memoryview(text)
        while rest:
            rest = rest[os.write(self._descriptor(column), rest) :]
        return Piece(column, len(text), xxh3_64_intdigest(text))

    def _descriptor(self, column: str) -> int:
        if column not in self._open:
            flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC | getattr(os, "O_NOFOLLOW", 0)
            self._open[column] = os.open(self._folder / column, flags, PRIVATE_FILE)
        return self._open[column]

    def item(self, column: str, row: int) -> bytes:
        """What a row has in a column."""
        width = width_of(column)
        return os.pread(self._descriptor(column), width, row * width)

    def whole(self, column: str) -> bytes:
        """All of a column."""
        descriptor, found = self._descriptor(column), bytearray()
        while piece := os.pread(descriptor, _ROOM, len(found)):
            found += piece
        return bytes(found)

    def cut(self, kept: Written) -> None:
        """Take away what stands in no piece; whoever has it open keeps it, since a shorter file takes its place."""
        for path in self._folder.iterdir():
            if kind_known(path.name) and path.stat().st_size != kept.size(path.name):
                shorter = path.with_suffix(".new")
                flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC
                with path.open("rb") as whole, open(os.open(shorter, flags, PRIVATE_FILE), "wb") as file:
                    _copy(whole, file, kept.size(path.name))
                shorter.replace(path)

    def close(self) -> None:
        """No more is written."""
        for descriptor in self._open.values():
            os.close(descriptor)
        self._open.clear()


class Owner:
    """The index that columns belong to."""

    def __init__(self, folder: Path, log: int | None) -> None:
        self._folder, self.log = folder, log

    def spoilt(self, reason: str) -> Damaged:
        """What is to be raised where a column is damaged."""
        self.disown()
        return Damaged(reason)

    def disown(self) -> None:
        """Let whoever opens the index the next time make it again."""
        if self.log is not None:
            disown(self._folder, self.log)


class Written:
    """The columns as far as the log goes; what is changed here is changed for this program only."""

    def __init__(self, folder: Path, log: int | None = None) -> None:
        """`log` is the open log of the index, which is taken away where a column turns out to be damaged."""
        self.owner = Owner(folder, log)
        self._folder = folder
        self._held: dict[str, Held] = {}
        self._shown: dict[str, Column] = {}

    def add(self, pieces: Iterable[Piece]) -> None:
        """Take more pieces for written."""
        for piece in pieces:
            if piece.column not in self._held:
                self._held[piece.column] = Held(self._folder / piece.column, self.owner.spoilt)
            self._held[piece.column].add(piece.length, piece.hash)

    def __iter__(self) -> Iterator[str]:
        return iter(self._held)

    def size(self, column: str) -> int:
        """How many bytes a column has."""
        return self._held[column].size if column in self._held else 0

    def numbers(self, column: str, rows: int | None = None) -> Any:
        """A column as numbers, or the first of them. Raises `Damaged`, now or when they are looked at."""
        kind = kind_of(column)
        if not self.size(column):
            return bytearray() if kind == "B" else array(kind)
        held = self._held[column]
        size = held.size if rows is None else min(held.size, rows * width_of(column))
        known = self._shown.get(column)
        if known is None or known.size != size:
            held.see()
            held.settle()
            known = self._shown[column] = Column(held, kind, size)
        return known

    def check(self, most: int | None = None) -> None:
        """Hold what is shown to its hashes, or some bytes of each, looked at or not. Raises `Damaged`."""
        for column in self._shown.values():
            column.check(most)

    def check_all(self) -> None:
        """Hold everything to its hashes, shown or not. Raises `Damaged`."""
        for column, held in self._held.items():
            held.see()
            if column != "copied":  # of which each text is held to its own hash when it is read
                held.check()

    def text(self, column: str, place: int, length: int) -> bytes:
        """Some bytes of a column. Raises `Damaged`."""
        return self._held[column].read(place, place + length) if length else b""

    def as_written(self) -> None:
        """Let every column be as it was written, whatever was changed in it for this program."""
        self._shown.clear()

    def copy(self) -> Copy:
        """The texts that the opened files do not hold as they are. Raises `Damaged`."""
        try:
            file = open(self._folder / "copied", "rb", buffering=0)  # noqa: SIM115 - lives as long as what is shown
        except OSError as error:
            raise self.owner.spoilt(f"copied: {error}") from error
        if os.fstat(file.fileno()).st_size < self.size("copied"):
            raise self.owner.spoilt("copied is cut off")
        return Copy.of_file(file, self.size("copied"))
