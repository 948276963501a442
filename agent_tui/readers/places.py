"""What paths on the command line name: files, folders, globs, standard input."""

from __future__ import annotations

import glob
import os
import stat
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import BinaryIO

from msgspec import Struct

from agent_tui.errors import Problem
from agent_tui.readers.source import Source
from agent_tui.safety import Limits

STDIN = "-"
_OURS = (".labels.jsonl", ".whatif.json", ".ledger.jsonl")


def is_side_file(name: str) -> bool:
    """Whether a file is one that we write beside a bundle: labels, what-if patches, the judge's ledger."""
    return name.endswith(_OURS)


class Places(Struct):
    """Paths to read, and what of them was read already."""

    paths: Sequence[str]
    limits: Limits
    seen: set[str]
    absorbed: set[Path]
    """Files that a source read along with itself."""

    def sources(self) -> Iterator[Source | Problem]:
        """The sources that the paths name, each once, in order."""
        for path in self.paths:
            for found in [_stdin(self.limits)] if path == STDIN else _named(path, self.limits):
                key = os.path.realpath(found.path) if isinstance(found, Source) and found.path else ""
                if key and key in self.seen:
                    continue
                self.seen.add(key)
                yield found


def _named(path: str, limits: Limits) -> Iterator[Source | Problem]:
    if "\0" in path:
        yield Problem(path, "no such file or folder: a path holds no NUL", kind="missing_file")
    elif os.path.isdir(path):
        yield from _folder(Path(path), limits)
    elif os.path.exists(path):
        yield Source.of(Path(path), limits)
    elif glob.has_magic(path):
        yield from _globbed(path, limits)
    else:
        yield Problem(path, "no such file or folder; agent-tui samples lists what ships", kind="missing_file")


def _globbed(pattern: str, limits: Limits) -> Iterator[Source | Problem]:
    matches = [match for match in sorted(glob.glob(pattern, recursive=True)) if not is_side_file(match)]
    if not matches:
        yield Problem(pattern, "no file matches", kind="missing_file")
    for match in matches:
        yield from _folder(Path(match), limits) if os.path.isdir(match) else [_found(Path(match), limits)]


def _folder(folder: Path, limits: Limits) -> Iterator[Source | Problem]:
    count = 0
    refused: list[OSError] = []
    for path in files_below(folder, refused):
        count += 1
        if count > limits.files:
            yield Problem(str(folder), f"over {limits.files:,} files: the rest is not read", kind="unreadable")
            return
        yield _found(path, limits, str(folder))
    for error in refused:
        yield Problem(str(error.filename), f"cannot be read: {error.strerror}", kind="unreadable")
    if not count and not refused:
        yield Problem(str(folder), "no files in this folder", kind="empty_file")


def _found(path: Path, limits: Limits, folder: str | None = None) -> Source | Problem:
    """The source of what nobody named by itself, if it is a file: a link may lead to itself, a pipe may never end."""
    try:
        mode = path.stat().st_mode
    except OSError as error:
        return Problem(str(path), f"cannot be read: {error.strerror}", kind="unreadable")
    if not stat.S_ISREG(mode):
        return Problem(str(path), "no regular file but a pipe, a socket or a device: not read", kind="unreadable")
    return Source.of(path, limits, folder)


def files_below(folder: Path, refused: list[OSError]) -> Iterator[Path]:
    """The files of a folder and then of its folders, by name; hidden ones and our own side files left out.

    `refused` gets an error for each folder that cannot be listed.
    """
    for base, folders, files in os.walk(folder, onerror=refused.append):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(files):
            if not name.startswith(".") and not is_side_file(name):
                yield Path(base, name)


def _stdin(limits: Limits) -> Source:
    """Standard input, copied to a file that goes away with it: a source can be read twice."""
    import tempfile

    spool = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as the source
    while chunk := sys.stdin.buffer.read(1 << 20):
        spool.write(chunk)
    spool.flush()

    def reopen() -> BinaryIO:
        file = os.fdopen(os.dup(spool.fileno()), "rb", buffering=0)
        file.seek(0)
        return file

    return Source(STDIN, reopen, limits=limits)
