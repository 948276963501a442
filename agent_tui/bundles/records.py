"""The text of every run by row: where it lies, and reading it there. A million runs take numbers, no text."""

from __future__ import annotations

import os
from array import array
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct
from xxhash import xxh3_64_intdigest

from agent_tui.errors import NotPossible
from agent_tui.readers import Record
from agent_tui.readers.addresses import is_address
from agent_tui.readers.ranges import Stamp
from agent_tui.scoring.columns import Numbers

if TYPE_CHECKING:
    from typing import BinaryIO

    from agent_tui.readers.remote_texts import RemoteTexts

IN_MEMORY = 16 << 20
"""Bytes of text that are kept in memory; what is more lies in the opened file, or in a file of our own."""


class Part(Struct, frozen=True):
    """Where runs come from: the file as people know it, the part of it, and whether our own copy has the text."""

    file: str
    member: str | None = None
    is_copied: bool = True


class Changed(NotPossible):
    """A file is not any more what it was when it was opened."""


def _nothing() -> None:
    pass


class Records:
    """Records in the order of the rows. The first are kept as they are; later ones are read again where they lie."""

    def __init__(self, in_memory: int = IN_MEMORY) -> None:
        self._in_memory = in_memory
        self.parts: list[Part] = []
        self.part_of: Numbers = array("I")
        """Of each row: the number of its part."""
        self.offsets: Numbers = array("Q")
        self.lengths: Numbers = array("I")
        self.lines: Numbers = array("Q")
        """Of each row: its line, from 1; 0 where it is on none."""
        self.hashes: Numbers = array("Q")
        """Of the text of each row: a file may be written over while it is open."""
        self.stamps: dict[str, Stamp] = {}
        """Of the opened files that are read again."""
        self.paths: dict[str, str] = {}
        """Where a file lies that people know by another name than its path."""
        self.spoilt: Callable[[], None] = _nothing
        """Called where a text is not that of its row: what said so must not say so again."""
        self.copy = Copy(in_memory)
        self._numbers: dict[Part, int] = {}
        self._open: dict[str, BinaryIO] = {}
        self._far: dict[str, RemoteTexts] = {}

    def __len__(self) -> int:
        return len(self.lengths)

    def append(self, record: Record) -> None:
        """Add a row."""
        is_copied = record.offset is None or self.copy.size + len(record.text) <= self._in_memory
        part = Part(record.file, record.member, is_copied)
        number = self._numbers.get(part)
        if number is None:
            number = self._numbers[part] = len(self.parts)
            self.parts.append(part)
            if not is_copied:
                self.stamps.setdefault(record.file, Stamp.of(record.file))
        self.part_of.append(number)
        self.offsets.append(self.copy.append(record.text) if record.offset is None or is_copied else record.offset)
        self.lengths.append(len(record.text))
        self.lines.append(record.line or 0)
        self.hashes.append(xxh3_64_intdigest(record.text))

    def file(self, row: int) -> str:
        """The file of a row, as people know it."""
        return self.parts[self.part_of[row]].file

    def place(self, row: int) -> tuple[str, int | None, str | None]:
        """The file of a row, its line, and the part of a zip that it came from."""
        part = self.parts[self.part_of[row]]
        return part.file, self.lines[row] or None, part.member

    def text(self, row: int) -> bytes:
        """The text of a row. Raises `Changed` where it does not stand there any more."""
        part, offset, length = self.parts[self.part_of[row]], self.offsets[row], self.lengths[row]
        text = self.copy.read(offset, length) if part.is_copied else self._read(part.file, offset, length)
        self._check(part, [row], text)
        return text

    def block(self, rows: Sequence[int]) -> bytes:
        """All that lies from the first of some rows of one part to the last. Raises `Changed` as `text` does."""
        part, offset = self.parts[self.part_of[rows[0]]], self.offsets[rows[0]]
        length = self.offsets[rows[-1]] + self.lengths[rows[-1]] - offset
        text = self.copy.read(offset, length) if part.is_copied else self._read(part.file, offset, length)
        self._check(part, rows, text)
        return text

    def _check(self, part: Part, rows: Sequence[int], text: bytes) -> None:
        """Raise `Changed` where a text is not any more that of its rows."""
        view, start = memoryview(text), self.offsets[rows[0]]
        places = ((row, self.offsets[row] - start) for row in rows)
        is_same = all(xxh3_64_intdigest(view[at : at + self.lengths[row]]) == self.hashes[row] for row, at in places)
        if not is_same:
            self.spoilt()
            what = "its copy in the cache is damaged" if part.is_copied else "has changed since it was opened"
            raise Changed(f"{part.file}: {what}: open it again")

    def _read(self, file: str, offset: int, length: int) -> bytes:
        try:
            if is_address(file):
                return self._far_text(file, offset, length)
            opened = self._open.get(file)
            if opened is None:
                path = self.paths.get(file, file)
                opened = self._open[file] = open(path, "rb", buffering=0)  # noqa: SIM115 - lives as long as this
            return os.pread(opened.fileno(), length, offset)
        except OSError as error:
            raise Changed(f"{file}: cannot be read any more: {error.strerror or error}; open it again") from error

    def _far_text(self, file: str, offset: int, length: int) -> bytes:
        from agent_tui.readers.remote_texts import RemoteTexts  # here, since few files lie in a store

        texts = self._far.get(file)
        if texts is None:
            texts = self._far[file] = RemoteTexts(file)
        return texts.read(offset, offset + length)


class Copy:
    """Text of our own: in memory, and from a size on in a file without a name; or in one that somebody else wrote."""

    @classmethod
    def of_file(cls, file: BinaryIO, size: int) -> Copy:
        """What stands in a file."""
        copy = cls(0)
        copy._file, copy.size = file, size
        return copy

    def __init__(self, in_memory: int) -> None:
        self._in_memory = in_memory
        self.size = 0
        self._memory = bytearray()
        self._file: BinaryIO | None = None

    def append(self, text: bytes) -> int:
        """Keep a text; gives where it stands. Raises `OSError` where there is no room."""
        place, self.size = self.size, self.size + len(text)
        if self._file is None and self.size <= self._in_memory:
            self._memory += text
            return place
        if self._file is None:
            import tempfile  # here, since few bundles are so large and every command starts with this module

            self._file = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as this
            self._file.write(self._memory)
            self._memory.clear()
        self._file.write(text)
        self._file.flush()  # so that no copy of this process has something of it to write
        return place

    def read(self, place: int, length: int) -> bytes:
        """The text at a place."""
        if self._file is None:
            return bytes(self._memory[place : place + length])
        return os.pread(self._file.fileno(), length, place)
