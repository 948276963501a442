"""The log of an index: what was put into its columns, frame by frame, each with its length and its hash."""

from __future__ import annotations

import os
import struct
from collections.abc import Iterator, Mapping
from typing import TypeAlias

import msgspec
from msgspec import Struct
from msgspec.structs import replace
from xxhash import xxh3_64_intdigest

from agent_tui.errors import Problem
from agent_tui.readers.ranges import Stamp

_HEAD = struct.Struct("<QQ")


class OfFile(Struct, frozen=True, array_like=True):
    """A file as it was when it was read, and the hash of its first and last bytes."""

    file: str
    stamp: Stamp
    edges: bytes
    known_as: str = ""
    """How people know it, where that is not its path."""

    @property
    def name(self) -> str:
        """How people know it."""
        return self.known_as or self.file


class Opened(Struct, frozen=True, tag=True):
    """What an index is of: the first frame, and once more where the last file has grown."""

    version: str
    files: list[OfFile]


class Piece(Struct, frozen=True, array_like=True):
    """Bytes that were added to a column, by the hash of them."""

    column: str
    length: int
    hash: int


class BegunSource(Struct, frozen=True, array_like=True):
    """A source begins at a row."""

    row: int
    file: str
    fields: dict[str, bytes]


class PartTotals(Struct, frozen=True, array_like=True):
    """The totals of some rows, with the numbers that their words have in the index. Nobody needs them at the end."""

    totals: bytes
    codes: dict[str, list[int]]


class EndedSource(Struct, frozen=True, array_like=True):
    """A source was read to its end."""

    file: str
    format: str
    digest: str


class LeftOff(Struct, frozen=True, array_like=True):
    """Where reading goes on: in which file, at which byte and line, and what its lines before said."""

    file: int
    low: int = 0
    line: int = 0
    fields: dict[str, bytes] = {}
    is_ours: bool = False
    is_first: bool = True
    is_torn: bool = False
    """Whether that is behind a last line that had no end."""
    cut: list[int] = []
    """Files before it that were read in ranges, by their numbers: their digests are made at the end."""


class Grown(Struct, frozen=True, tag=True):
    """Some rows were added."""

    rows: int
    pieces: list[Piece]
    totals: int
    """How many bytes the column of totals has for them."""
    words: dict[str, list[bytes | None]]
    """New words by column."""
    places: list[tuple[str, str | None, bool]]
    scores: list[bytes]
    """Names of recorded scores that were not met before."""
    begun: list[BegunSource]
    ended: list[EndedSource]
    problems: list[Problem]
    arguments: dict[str, list[str]]
    absorbed: list[str]
    bytes_done: int
    left_off: LeftOff | None
    """None in the middle of a file that can be read only from its start."""


class Finished(Struct, frozen=True, tag=True):
    """Everything was read, as long as no file grows."""

    pieces: list[Piece]
    lookup: tuple[str, str]
    """The columns that tell which ids repeat."""
    totals: bytes
    """Of everything, so that nobody has to add up."""
    ended: list[EndedSource]
    problems: list[Problem]
    """What is odd as long as nothing more comes, as a line without an end."""
    are_alone: bool = False
    """Whether it is known that no two runs share an id: then nobody has to look."""


Frame: TypeAlias = Opened | Grown | Finished


def renamed(frame: Frame, names: Mapping[str, str]) -> Frame:
    """A frame that knows some files by other names."""
    if isinstance(frame, Opened):
        return replace(frame, files=[replace(each, file=names.get(each.file, each.file)) for each in frame.files])
    ended = [replace(each, file=names.get(each.file, each.file)) for each in frame.ended]
    problems = [replace(each, file=names.get(each.file, each.file)) for each in frame.problems]
    if isinstance(frame, Finished):
        return replace(frame, ended=ended, problems=problems)
    begun = [replace(each, file=names.get(each.file, each.file)) for each in frame.begun]
    places = [(names.get(file, file), member, is_copied) for file, member, is_copied in frame.places]
    return replace(frame, begun=begun, ended=ended, problems=problems, places=places)


_decode_totals = msgspec.msgpack.Decoder(PartTotals).decode
_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(Frame).decode


def frame_bytes(frame: Frame) -> bytes:
    """A frame as it is written."""
    text = _encode(frame)
    return _HEAD.pack(len(text), xxh3_64_intdigest(text)) + text


def read_frames(descriptor: int, place: int = 0) -> Iterator[tuple[Frame, int]]:
    """The whole frames from a place on, each with where it ends; one that is not whole, or broken, ends them."""
    while len(head := os.pread(descriptor, _HEAD.size, place)) == _HEAD.size:
        length, digest = _HEAD.unpack(head)
        if length > os.fstat(descriptor).st_size:
            return
        text = os.pread(descriptor, length, place + _HEAD.size)
        if len(text) < length or xxh3_64_intdigest(text) != digest:
            return
        place += _HEAD.size + length
        try:
            yield _decode(text), place
        except msgspec.DecodeError:
            return


def totals_bytes(totals: PartTotals) -> bytes:
    """Totals as they stand in their column."""
    return _encode(totals)


def read_totals(text: bytes) -> PartTotals:
    """Totals from their column. Raises `msgspec.DecodeError`."""
    return _decode_totals(text)
