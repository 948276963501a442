"""Input that can be read only once, standard input and pipes: copied to a file, so that it can be read again."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, BinaryIO

from agent_tui.errors import Problem
from agent_tui.readers.source import CHUNK, Source
from agent_tui.safety import Limits

STDIN = "-"
WAIT_SECONDS = 1.0
"""How long a pipe is waited for that nobody writes to."""


_read: dict[object, Source | Problem] = {}
"""What was read of each stream, which is there once: for whoever asks again."""


def is_stream(path: str) -> bool:
    """Whether a path is standard input or a pipe."""
    try:
        return path == STDIN or stat.S_ISFIFO(os.stat(path).st_mode)
    except (OSError, ValueError):
        return False


def stream_source(path: str, limits: Limits) -> Source | Problem:
    """Standard input, or a pipe that somebody writes to or will in a moment; whoever asks again gets what was read."""
    key = _key(path)
    if key not in _read:
        _read[key] = _spooled(path, _chunks_of_stdin if path == STDIN else lambda: _chunks_of_pipe(path), limits)
    return _read[key]


def _key(path: str) -> object:
    """What tells one stream from another that has the same path later."""
    if path == STDIN:
        return sys.stdin
    found = os.stat(path)
    return path, found.st_dev, found.st_ino


def spooled_size(path: str) -> int:
    """How many bytes a stream holds; it is read for that."""
    source = stream_source(path, Limits())
    return source.spool.stat().st_size if isinstance(source, Source) and source.spool is not None else 0


def stop_waiting() -> None:
    """Whoever waits for more of a stream in another thread waits no longer: what it reads cannot be read."""
    _waiting.clear()


_waiting: set[object] = set()
"""A token for each thread that reads a stream; without its token it stops."""
_LOOK = 200
"""Milliseconds after which a thread that waits looks whether it shall stop."""


def _chunks_of_stdin() -> Iterator[bytes]:
    return _chunks_of(sys.stdin.buffer)


def _chunks_of(file: BinaryIO) -> Iterator[bytes]:
    """What comes until the end, as long as somebody waits for it. Raises `OSError`."""
    import select

    token = object()
    try:
        ready = select.poll()
        ready.register(file, select.POLLIN)
    except (AttributeError, OSError):  # no file that a system waits for, or a system that cannot
        yield from iter(lambda: file.read(CHUNK), b"")
        return
    _waiting.add(token)
    while token in _waiting:
        if ready.poll(_LOOK):
            chunk = os.read(file.fileno(), CHUNK)
            if not chunk:
                _waiting.discard(token)
                return
            yield chunk
    raise OSError(0, "nobody waits for the rest of it")


class _Unwritten(OSError):
    """Nobody writes to a pipe."""


def _chunks_of_pipe(path: str) -> Iterator[bytes]:
    import select

    with os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK), "rb", buffering=0) as pipe:
        waiting = select.poll()
        waiting.register(pipe, select.POLLIN)
        waiting.poll(WAIT_SECONDS * 1000)
        chunk: bytes | None = pipe.read(CHUNK)  # None: a writer is there and has written nothing yet
        if chunk == b"":
            raise _Unwritten(0, "nothing is in the pipe and nobody writes to it")
        yield chunk or b""
        os.set_blocking(pipe.fileno(), True)
        yield from _chunks_of(pipe)


def _spooled(name: str, chunks: Callable[[], Iterator[bytes]], limits: Limits) -> Source | Problem:
    """A source of what is read once; its copy goes away with it."""
    import tempfile  # here, as `select` above, since few commands read a stream and every one starts with this module

    spool = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as the source
    try:
        for chunk in chunks():
            spool.write(chunk)
        spool.flush()
    except OSError as error:
        spool.close()
        kind = "empty_file" if isinstance(error, _Unwritten) else "unreadable"
        return Problem(name, f"cannot be read: {error.strerror or error}", kind=kind)

    def reopen() -> BinaryIO:
        file = os.fdopen(os.dup(spool.fileno()), "rb", buffering=0)
        file.seek(0)
        return file

    source = Source(name, reopen, limits=limits)
    source.spool = _seen_by_others(spool)
    return source


def _seen_by_others(file: IO[bytes]) -> Path | None:
    """Where other processes of this user can open a file without a name; None where this system has no such place."""
    path = Path(f"/proc/{os.getpid()}/fd/{file.fileno()}")
    return path if path.exists() else None
