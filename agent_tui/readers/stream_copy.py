"""The copy of what can be read only once: a file without a name, which others can read while more comes."""

from __future__ import annotations

import os
import tempfile
import threading
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import BinaryIO

from agent_tui.errors import Problem
from agent_tui.readers.source import Source
from agent_tui.safety import Limits

_ROOM = "TMPDIR names a folder that has room"
_INDEX = 8
"""An index of runs takes less than one part in so many of their bytes, and lies beside the copy."""


class Copy:
    """What has come of a stream; gone with the program, however that ends."""

    def __init__(self, name: str, limits: Limits, *, leaves_room: bool = False) -> None:
        """`leaves_room`: for an index beside it. Raises `OSError`."""
        self.name = name
        self.size = 0
        """How many bytes have come."""
        self.is_open = True
        """Whether more may come."""
        self.begun: int | None = None
        """Of how many bytes the runs were shown while more came; None where they were not."""
        self.tell: Callable[[Copy], object] = lambda _: None
        """Told now and then by the thread that copies, and at the end."""
        self._left = ""
        """Why nobody waits for more; empty where somebody does."""
        self._why = ""
        """Why not all of it was read."""
        self._kind = "unreadable"
        self._limits, self._leaves_room = limits, leaves_room
        self._file = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115 - lives as long as this
        self._ended = threading.Event()

    @property
    def path(self) -> Path | None:
        """Where other processes of this user can open it; None where this system has no such place."""
        path = Path(f"/proc/{os.getpid()}/fd/{self._file.fileno()}")
        return path if path.exists() else None

    # Filling

    def fill(self, chunks: Iterable[bytes]) -> None:
        """Take what comes until it ends, or nobody waits for it, or there is no room; an empty chunk is nothing yet."""
        try:
            for chunk in chunks:
                if self._left:
                    self._why = self._left
                    return
                if not self._take(chunk):
                    return
                self.tell(self)
        except Unwritten as error:
            self._why, self._kind = str(error.strerror), "empty_file"
        except OSError as error:
            self._why = str(error.strerror or error)
        finally:
            self.is_open = False
            self._ended.set()
            self.tell(self)

    def _take(self, chunk: bytes) -> bool:
        """Keep a chunk; False where not all of it can be kept."""
        left = memoryview(chunk)[: max(0, self._limits.stream - self.size)]
        is_whole = len(left) == len(chunk)
        try:
            while left:
                self._require_room()
                written = os.pwrite(self._file.fileno(), left, self.size)
                left = left[written:]
                self.size += written
        except OSError as error:
            self._why = f"no room: {error.strerror or error}; {_ROOM}"
            return False
        if not is_whole:
            self._why = f"{self._limits.stream:,} bytes are the most that is copied of a pipe"
        return is_whole

    def _require_room(self) -> None:
        """Raise `OSError` where what is free is needed for an index."""
        if self._leaves_room:
            found = os.fstatvfs(self._file.fileno())
            free = found.f_bavail * found.f_frsize
            if free < self.size // _INDEX:
                raise OSError(0, f"the {free:,} bytes that are left are for its index")

    def leave(self, why: str = "nobody waits for the rest of it") -> None:
        """Have the thread that copies stop, for the first reason that is given."""
        self._left = self._left or why

    def wait(self, seconds: float) -> None:
        """Until it has ended, or some time has passed."""
        self._ended.wait(seconds)

    # Reading

    def source(self) -> Source:
        """What has come."""
        source = Source(self.name, self._opened, limits=self._limits)
        source.spool = self.path
        return source

    def first(self, size: int) -> bytes:
        """The first bytes of it."""
        return os.pread(self._file.fileno(), size, 0)

    def _opened(self) -> BinaryIO:
        path = self.path
        if path is not None:
            return open(path, "rb", buffering=0)
        file = os.fdopen(os.dup(self._file.fileno()), "rb", buffering=0)
        file.seek(0)
        return file

    @property
    def refused(self) -> Problem | None:
        """Why it is of no use, for who needs all of it; None where all was read."""
        past = f" past {self.size:,} bytes" if self.size else ""
        return Problem(self.name, f"cannot be read{past}: {self._why}", kind=self._kind) if self._why else None

    @property
    def left_out(self) -> Problem | None:
        """What of it is missing, for who can use the beginning; None where all was read."""
        reason = f"the rest after {self.size:,} bytes is left out: {self._why}"
        return Problem(self.name, reason, kind="unreadable") if self._why and not self.is_open else None


class Unwritten(OSError):
    """Nobody writes to a pipe."""
