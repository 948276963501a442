"""Files that only grow: one writer at a time, each line whole, and behind one that was cut off a new one begins."""

from __future__ import annotations

import errno
import os
from pathlib import Path

from agent_tui.places import PRIVATE_FILE


class Taken(BlockingIOError):
    """Another writer has the file; its text says who."""


def take(path: Path) -> int:
    """Become the one writer of a file: a descriptor that holds the lock beside it until it is closed.

    Raises `Taken` where there is a writer already, `OSError` where the lock cannot be had, and `ImportError` on a
    system without such locks. The lock ends with the program that holds it, however that ends.
    """
    import fcntl  # here, since not every system has it

    descriptor = os.open(path.with_suffix(".lock"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, PRIVATE_FILE)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        holder = os.pread(descriptor, 200, 0).decode("utf-8", "replace").strip()
        os.close(descriptor)
        if error.errno in (errno.EAGAIN, errno.EACCES):
            raise Taken(holder or "another program") from error
        raise
    os.truncate(descriptor, 0)
    os.pwrite(descriptor, f"process {os.getpid()} on {os.uname().nodename}\n".encode(), 0)
    return descriptor


def open_to_append(path: Path) -> int:
    """A descriptor to append with; a file that was not there is private, and on the disk under its name."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, PRIVATE_FILE)
    if not os.fstat(descriptor).st_size:
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
    return descriptor


def append(descriptor: int, line: bytes) -> int:
    """Append one line, whole, and give where it begins (bytes). Raises `OSError` where it could not be.

    It is not on the disk yet: that is for the caller to wait for.
    """
    size = os.fstat(descriptor).st_size
    if size and os.pread(descriptor, 1, size - 1) != b"\n":
        size += os.write(descriptor, b"\n")
    text = line + b"\n"
    if os.write(descriptor, text) < len(text):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    return size
