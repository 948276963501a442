"""A finished index says in one frame what it said in many, so that opening it again is a look at each column."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path

from msgspec.structs import replace

from agent_tui.bundles.index.frames import BegunSource, Finished, Frame, Grown, Opened, Piece, read_frames
from agent_tui.bundles.index.held import blocks_of
from agent_tui.bundles.index.place import LOG
from agent_tui.bundles.index.writer import write_log
from agent_tui.bundles.problem_list import ProblemList


def compact(folder: Path) -> None:
    """Put a short log in the place of a finished one; who follows the long one finds all in it.

    Raises `OSError`, and `Damaged` where a column does not hold what was written.
    """
    descriptor = os.open(folder / LOG, os.O_RDONLY | os.O_CLOEXEC)
    try:
        frames: list[Frame] = [frame for frame, _ in read_frames(descriptor)]
    finally:
        os.close(descriptor)
    opened = next(frame for frame in reversed(frames) if isinstance(frame, Opened))
    finished = frames[-1]
    assert isinstance(finished, Finished)
    write_log(folder, [opened, _joined(folder, [each for each in frames if isinstance(each, Grown)]), finished])
    before = {column for frame in frames if isinstance(frame, Finished) for column in frame.lookup}
    for column in ("totals", *(before - set(finished.lookup))):
        (folder / column).unlink(missing_ok=True)


def _joined(folder: Path, frames: list[Grown]) -> Grown:
    """One frame for many."""
    rows, begun = 0, []
    for frame in frames:
        begun += [BegunSource(rows + each.row, each.file, each.fields) for each in frame.begun]
        rows += frame.rows
    arguments: dict[str, set[str]] = {}
    for frame in frames:
        for tool, names in frame.arguments.items():
            arguments.setdefault(tool, set()).update(names)
    return replace(
        frames[-1],
        rows=rows,
        pieces=_pieces(folder, frames),
        totals=0,
        words={name: [word for frame in frames for word in frame.words[name]] for name in frames[-1].words},
        places=[place for frame in frames for place in frame.places],
        scores=[name for frame in frames for name in frame.scores],
        begun=begun,
        ended=[each for frame in frames for each in frame.ended],
        problems=ProblemList(problem for frame in frames for problem in frame.problems).all(),
        arguments={tool: sorted(names) for tool, names in arguments.items()},
        absorbed=[path for frame in frames for path in frame.absorbed],
    )


def _pieces(folder: Path, frames: Iterable[Grown]) -> list[Piece]:
    """Every column in blocks; the texts that were copied are held to their own hashes."""
    pieces: dict[str, list[Piece]] = {}
    for frame in frames:
        for piece in frame.pieces:
            pieces.setdefault(piece.column, []).append(piece)
    return [block for column, each in pieces.items() if column != "totals" for block in _blocks(folder, column, each)]


def _blocks(folder: Path, column: str, pieces: Sequence[Piece]) -> list[Piece]:
    if column == "copied":
        return [Piece(column, sum(piece.length for piece in pieces), 0)]
    with open(folder / column, "rb", buffering=0) as file:
        read = partial(_read, file.fileno())
        return [Piece(column, *block) for block in blocks_of(((each.length, each.hash) for each in pieces), read)]


def _read(descriptor: int, place: int, length: int) -> bytes:
    return os.pread(descriptor, length, place)
