"""What paths on the command line name: files, folders, globs, standard input."""

from __future__ import annotations

import errno
import glob
import os
import stat
from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from agent_tui.errors import NotPossible, Problem
from agent_tui.readers.addresses import is_address, name_of, whole
from agent_tui.readers.source import Source
from agent_tui.readers.streams import is_stream, stream_source
from agent_tui.safety import Limits

_OURS = (".labels.jsonl", ".whatif.json", ".ledger.jsonl")


_MISSING = frozenset({errno.ENOENT, errno.ENOTDIR, errno.ENAMETOOLONG})


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
            if is_address(path):
                yield from self._in_store(path)
                continue
            if is_stream(path):
                if self._is_new(path):
                    yield stream_source(path, self.limits)
                continue
            for found in _named(path, self.limits):
                if isinstance(found, Problem) or found.path is None or self._is_new(os.path.realpath(found.path)):
                    yield found

    def _in_store(self, address: str) -> Iterator[Source | Problem]:
        """What a URL names. Raises `NotPossible` where no such are read."""
        from agent_tui.readers.remote import require_driver  # here, since few files lie in a store
        from agent_tui.readers.remote_source import RemoteSource

        other = whole(address.partition("?")[0].partition("#")[0])
        name = name_of(address)
        if name in self.seen and other != address:
            raise NotPossible(f"{name}?… is named twice, with different endings: read one at a time")
        require_driver(name)
        if self._is_new(name):
            try:
                yield RemoteSource(name, self.limits)
            except OSError as error:
                yield Problem(name, f"cannot be read: {error}", kind="unreadable")

    def _is_new(self, key: str) -> bool:
        is_new = key not in self.seen
        self.seen.add(key)
        return is_new


def _named(path: str, limits: Limits) -> Iterator[Source | Problem]:
    try:
        mode = os.stat(path).st_mode
    except ValueError:
        yield Problem(path, "no such file or folder: no path holds such characters", kind="missing_file")
    except OSError as error:
        yield from _not_there(path, limits, error)
    else:
        if stat.S_ISDIR(mode):
            yield from _folder(Path(path), limits)
        elif stat.S_ISREG(mode) or path == os.devnull:
            yield Source.of(Path(path), limits)
        else:
            yield Problem(path, "a device or a socket: not read", kind="unreadable")


def _not_there(path: str, limits: Limits, error: OSError) -> Iterator[Source | Problem]:
    if error.errno not in _MISSING:
        yield Problem(path, f"cannot be read: {error.strerror}", kind="unreadable")
    elif glob.has_magic(path):
        yield from _globbed(path, limits)
    else:
        yield Problem(path, "no such file or folder; agent-tui samples lists what ships", kind="missing_file")


def _globbed(pattern: str, limits: Limits) -> Iterator[Source | Problem]:
    matches = [match for match in sorted(glob.glob(pattern, recursive=True)) if not is_side_file(match)]
    if not matches:
        reason, kind = why_unmatched(pattern)
        yield Problem(pattern, reason, kind=kind)
    for match in matches:
        yield from _folder(Path(match), limits) if os.path.isdir(match) else [_found(Path(match), limits)]


def why_unmatched(pattern: str) -> tuple[str, str]:
    """Why no file matches a pattern, as reason and kind of problem: there is none, or its folder cannot be listed."""
    try:
        os.listdir(os.path.dirname(pattern) or ".")
    except PermissionError as error:
        return f"the folder cannot be listed: {error.strerror}", "unreadable"
    except OSError:
        pass
    return "no file matches", "missing_file"


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
