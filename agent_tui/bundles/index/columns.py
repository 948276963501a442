"""The columns of an index: their names and kinds, and each as a file that only grows."""

from __future__ import annotations

import os
from array import array
from collections.abc import Iterable, Iterator
from mmap import ACCESS_COPY, mmap
from pathlib import Path
from typing import Any, BinaryIO

from xxhash import xxh3_64_intdigest

from agent_tui.bundles.index.frames import Piece
from agent_tui.bundles.records import Copy
from agent_tui.places import PRIVATE_FILE
from agent_tui.scoring.columns import mapped
from agent_tui.scoring.table import FIXED, WIDTHS

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


class Damaged(Exception):
    """An index does not hold what its log says: it has to be made again."""


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

    def cut(self, kept: Mapped) -> None:
        """Take away what stands in no piece; whoever has mapped it keeps it, since a shorter file takes its place."""
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


class Mapped:
    """The columns as far as the log goes, mapped: what is changed here is changed for this program only."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._pieces: dict[str, list[Piece]] = {}
        self._sizes: dict[str, int] = {}
        self._maps: dict[str, tuple[int, mmap]] = {}
        self._checked: dict[str, int] = {}
        """How many bytes of each column were held to their hashes."""

    def add(self, pieces: Iterable[Piece]) -> None:
        """Take more pieces for written."""
        for piece in pieces:
            self._pieces.setdefault(piece.column, []).append(piece)
            self._sizes[piece.column] = self._sizes.get(piece.column, 0) + piece.length

    def __iter__(self) -> Iterator[str]:
        return iter(self._sizes)

    def size(self, column: str) -> int:
        """How many bytes a column has."""
        return self._sizes.get(column, 0)

    def numbers(self, column: str) -> Any:
        """A column as numbers. Raises `Damaged`."""
        kind = kind_of(column)
        if not self.size(column):
            return bytearray() if kind == "B" else array(kind)
        return mapped(memoryview(self.file(column))[: self.size(column)], kind)

    def text(self, column: str, place: int, length: int) -> bytes:
        """Some bytes of a column. Raises `Damaged`."""
        return self.file(column)[place : place + length]

    def file(self, column: str) -> mmap:
        """A column as a mapped file, which is at least as long as it is good. Raises `Damaged`."""
        size = self.size(column)
        known = self._maps.get(column)
        if known is not None and known[0] == size:
            return known[1]
        if not size:
            return mmap(-1, 1)  # nothing was written, and nothing cannot be mapped
        try:
            # A pipe in its place is not waited for: it is too short.
            descriptor = os.open(self._folder / column, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
            try:
                if os.fstat(descriptor).st_size < size:
                    raise Damaged(f"{column} is cut off")
                file = mmap(descriptor, size, access=ACCESS_COPY)
                self._check(column, file)
            finally:
                os.close(descriptor)
        except (OSError, ValueError) as error:
            raise Damaged(f"{column}: {error}") from error
        self._maps[column] = size, file
        return file

    def map_anew(self) -> None:
        """Let every column be as it was written, whatever was changed in it for this program."""
        self._maps.clear()

    def copy(self) -> Copy:
        """The texts that the opened files do not hold as they are. Raises `Damaged`."""
        try:
            file = open(self._folder / "copied", "rb", buffering=0)  # noqa: SIM115 - lives as long as what is shown
        except OSError as error:
            raise Damaged(f"copied: {error}") from error
        if os.fstat(file.fileno()).st_size < self.size("copied"):
            raise Damaged("copied is cut off")
        return Copy.of_file(file, self.size("copied"))

    def _check(self, column: str, file: mmap) -> None:
        """Hold the pieces that were not looked at yet to their hashes."""
        place, view = self._checked.get(column, 0), memoryview(file)
        for piece in self._pieces[column]:
            end = place + piece.length
            if xxh3_64_intdigest(view[place:end]) != piece.hash:
                raise Damaged(f"{column} holds something else before byte {end}")
            place = end
        self._checked[column] = place
        self._pieces[column].clear()
