"""Input that can be read only once, standard input and pipes: copied to a file, so that it can be read again."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from typing import BinaryIO

from agent_tui.errors import Problem
from agent_tui.readers.source import CHUNK, Source
from agent_tui.safety import Limits

STDIN = "-"
WAIT_SECONDS = 1.0
"""How long a pipe is waited for that nobody writes to."""


def stdin_source(limits: Limits) -> Source | Problem:
    """Standard input."""
    return _spooled(STDIN, lambda: iter(lambda: sys.stdin.buffer.read(CHUNK), b""), limits)


def pipe_source(path: str, limits: Limits) -> Source | Problem:
    """A pipe that somebody writes to, or will in a moment."""
    return _spooled(path, lambda: _chunks_of_pipe(path), limits)


class _Unwritten(OSError):
    """Nobody writes to a pipe."""


def _chunks_of_pipe(path: str) -> Iterator[bytes]:
    import select

    with open(os.open(path, os.O_RDONLY | os.O_NONBLOCK), "rb", buffering=0) as pipe:
        waiting = select.poll()
        waiting.register(pipe, select.POLLIN)
        waiting.poll(WAIT_SECONDS * 1000)
        chunk: bytes | None = pipe.read(CHUNK)  # None: a writer is there and has written nothing yet
        if chunk == b"":
            raise _Unwritten(0, "nothing is in the pipe and nobody writes to it")
        os.set_blocking(pipe.fileno(), True)
        while chunk is None or chunk:
            yield chunk or b""
            chunk = pipe.read(CHUNK)


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

    return Source(name, reopen, limits=limits)
