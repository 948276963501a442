"""The folder of an index: its key says all that it depends on, and its lock who may write."""

from __future__ import annotations

import atexit
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

import xxhash
from msgspec import Struct

from agent_tui import __version__
from agent_tui.append_only import Taken, take
from agent_tui.places import cache_folder, make_private
from agent_tui.readers.addresses import is_address
from agent_tui.readers.ranges import Stamp

LAYOUT = 3
"""The layout of an index."""
LOG = "log"
"""The file that says what stands in the others."""
_ROOMS = ("answers", "bundles", "matchers", "readers", "runs", "scoring")
EDGE = 64 << 10
"""Bytes at each end of a file by whose hash it is known."""
_SAMPLES, _SAMPLE = 64, 4 << 10
"""Places between, and bytes at each: a file that was written over and grew is seldom taken for one that only grew."""
_KEPT = 8
"""Indexes that are kept (a count); the one that was longest not opened goes first."""
_ROOM = 8 << 30
"""Bytes that all kept indexes may take: those of packed files hold the unpacked texts."""


def version() -> str:
    """All of the program that an index depends on: whoever works on it changes its files, and not its version."""
    package = Path(__file__).parent.parent.parent
    files = [found.stat() for room in _ROOMS for found in _modules(str(package / room))]
    code = len(files), sum(file.st_size for file in files), max(file.st_mtime_ns for file in files)
    return f"{LAYOUT} {__version__} {sys.byteorder} {code}"


def _modules(folder: str) -> Iterator[os.DirEntry[str]]:
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.endswith(".py"):
                yield entry
            elif entry.is_dir(follow_symlinks=False):
                yield from _modules(entry.path)


class Input(Struct, frozen=True):
    """A file to be read: its path, the folder it was found in, and what tells that it is still the same."""

    file: str
    folder: str | None
    stamp: Stamp
    known_as: str = ""
    """How people know it, where that is not its path: the copy of a stream, which is there once."""

    @property
    def name(self) -> str:
        """How people know it."""
        return self.known_as or self.file

    def edges(self, size: int) -> bytes:
        """The hash of the first and last of its first `size` bytes, and of some between. Raises `OSError`.

        Of a file in a store its stamp says enough.
        """
        if is_address(self.file):
            return xxhash.xxh3_128_digest(repr(self.stamp).encode())
        with open(self.file, "rb", buffering=0) as file:
            digest = xxhash.xxh3_128(file.read(min(EDGE, size)))
            digest.update(os.pread(file.fileno(), min(EDGE, size), max(0, size - EDGE)))
            if size > 2 * EDGE:
                for number in range(1, _SAMPLES + 1):
                    place = size * number // (_SAMPLES + 1)
                    digest.update(os.pread(file.fileno(), min(_SAMPLE, size - place), place))
            return digest.digest()


def key_of(inputs: Sequence[Input], how: str) -> str:
    """The name of an index: of the real paths and inodes of its files, and of how they are scored.

    What was found in a folder is known by how that was named, too.
    """
    digest = xxhash.xxh3_128(f"{how}\0".encode())
    for each in inputs:
        real = each.file if is_address(each.file) else os.path.realpath(each.file)
        named = f"{real}\0{each.file if each.folder is not None else ''}\0{each.stamp.inode}\0"
        digest.update(named.encode("utf-8", "surrogateescape"))
    return digest.hexdigest()


class Place(Struct):
    """A folder for an index, and whether this program may write it."""

    folder: Path
    lock: int | None = None
    """The descriptor of the lock while this program holds it."""
    why_temporary: str = ""
    """Why it is not in the cache, and goes away with the program; empty where it is in it."""
    why_read_only: str = ""
    """Why nobody can write it here, which makes it worth something only where it is whole; empty elsewhere."""

    @property
    def is_ours(self) -> bool:
        """Whether this program may write it."""
        return self.lock is not None or bool(self.why_temporary)

    def take(self) -> bool:
        """Become the one that writes it, where nobody does; whether this program is. Raises `OSError`."""
        if self.why_read_only:
            return False
        if not self.is_ours:
            try:
                self.lock = take(self.folder / "writer")
            except Taken:
                return False
        return True

    def leave(self) -> None:
        """Let others write it."""
        if self.lock is not None:
            os.close(self.lock)
            self.lock = None

    def close(self) -> None:
        """Leave it; take a temporary one away."""
        self.leave()
        if self.why_temporary:
            shutil.rmtree(self.folder, ignore_errors=True)


def empty(folder: Path) -> None:
    """Take away what is in a folder, but no lock. Raises `OSError`."""
    for path in folder.iterdir():
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        elif path.suffix != ".lock":
            path.unlink()


def disown(folder: Path, log: int) -> None:
    """Take away the log of a damaged index, so that whoever opens it makes it again.

    Not where a program is writing it, or another one has put a log in the place of the opened one.
    """
    with suppress(OSError, ImportError):
        lock = take(folder / "writer")
        try:
            if os.path.samestat(os.stat(folder / LOG), os.fstat(log)):
                (folder / LOG).unlink()
        finally:
            os.close(lock)


def place_of(key: str) -> Place:
    """The place of an index, written by one program at a time. Raises `OSError` where there is room nowhere.

    Where the cache cannot be written but has one, that one, to be read.
    """
    try:
        return _in_cache(key)
    except OSError as error:
        reason = f"{error.strerror or error}: {error.filename or cache_folder()}"
        folder = cache_folder() / "index" / key
        return Place(folder, why_read_only=reason) if _is_trusted(folder) else temporary(reason)


def _is_trusted(folder: Path) -> bool:
    """Whether there is an index that we made, or those who run this machine."""
    try:
        return all(path.lstat().st_uid in (os.getuid(), 0) for path in (folder, folder / LOG))
    except (OSError, AttributeError):
        return False


def temporary(reason: str) -> Place:
    """A place that goes away with the program. Raises `OSError`."""
    folder = Path(tempfile.gettempdir(), f"agent-tui-index-{os.urandom(8).hex()}")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)  # before it is there: a signal may come in between
    folder.mkdir(mode=0o700)
    return Place(folder, why_temporary=reason)


def _in_cache(key: str) -> Place:
    cache = cache_folder()
    make_private(cache)
    make_private(cache / "index")
    folder = cache / "index" / key
    make_private(folder)
    os.utime(folder)
    forget_old(folder)
    place = Place(folder)
    try:
        place.take()
    except ImportError:
        return temporary("this system has no locks")
    return place


def forget_old(kept: Path, most: int = _KEPT, room: int = _ROOM) -> None:
    """Take away the indexes beside one that were longest not opened, where there are more, or more bytes of them.

    Those that somebody has open stay readable to them.
    """
    others = sorted((each for each in kept.parent.iterdir() if each != kept), key=_last_opened, reverse=True)
    size = _size(kept)
    for number, each in enumerate(others, 2):
        size += _size(each)
        if number > most or size > room:
            shutil.rmtree(each, ignore_errors=True)


def _size(folder: Path) -> int:
    """Bytes that an index takes on disk; what is taken away meanwhile takes none."""
    with suppress(OSError), os.scandir(folder) as entries:
        return sum(entry.stat().st_blocks * 512 for entry in entries)
    return 0


def _last_opened(folder: Path) -> float:
    try:
        return folder.stat().st_mtime
    except OSError:
        return 0.0
