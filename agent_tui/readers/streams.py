"""Input that can be read only once, standard input and pipes: copied to a file, so that it can be read again."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, BinaryIO

from agent_tui.errors import Problem
from agent_tui.readers.source import CHUNK, Source
from agent_tui.safety import Limits

if TYPE_CHECKING:
    from agent_tui.readers.stream_copy import Copy

# Functions load what copies a stream: few commands read one and every one starts with this module.

STDIN = "-"
WAIT_SECONDS = 1.0
"""How long a pipe is waited for that nobody writes to."""


_read: dict[object, Source | Problem] = {}
"""What was read of each stream, which is there once: for whoever asks again."""
_copies: dict[object, Copy] = {}
"""The copies that were begun in threads."""


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
        _read[key] = _whole(path, limits)
    return _read[key]


def _whole(path: str, limits: Limits) -> Source | Problem:
    """A source of what is read once, to its end."""
    from agent_tui.readers.stream_copy import Copy

    try:
        copy = Copy(path, limits)
    except OSError as error:
        return Problem(path, f"cannot be read: {error.strerror or error}", kind="unreadable")
    token = object()
    _waiting.add(token)
    copy.fill(_chunks(path, lambda: token in _waiting))
    _waiting.discard(token)
    return copy.refused or copy.source()


def begin_copy(path: str, limits: Limits) -> Copy | None:
    """The copy that a thread of its own makes of a stream; whoever begins again gets the same one.

    None where the stream was read already, or where there is no place for a copy, which whoever reads it says.
    """
    import threading

    from agent_tui.readers.stream_copy import Copy

    key = _key(path)
    if key in _copies or key in _read:
        return _copies.get(key)
    try:
        copy = _copies[key] = Copy(path, limits, leaves_room=True)
    except OSError:
        return None
    threading.Thread(target=lambda: copy.fill(_chunks(path, lambda: True)), daemon=True).start()
    return copy


def copy_of(path: str) -> Copy | None:
    """The copy that was begun of a stream."""
    return _copies.get(_key(path)) if is_stream(path) else None


def leave_copies(but: Iterable[str]) -> None:
    """Copy no stream any further but those at some paths."""
    kept = {_key(path) for path in but if is_stream(path)}
    for key, copy in _copies.items():
        if key not in kept:
            copy.leave()


def read_copy(path: str, copy: Copy) -> None:
    """Let everybody who asks for the stream have what its copy holds, or why that is of no use."""
    trouble = copy.refused if copy.begun is None else None
    _read[_key(path)] = trouble or copy.source()


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


def _chunks(path: str, is_wanted: Callable[[], bool]) -> Iterator[bytes]:
    return _chunks_of(sys.stdin.buffer, is_wanted) if path == STDIN else _chunks_of_pipe(path, is_wanted)


def _chunks_of(file: BinaryIO, is_wanted: Callable[[], bool]) -> Iterator[bytes]:
    """What comes until the end, as long as somebody waits for it; nothing now and then. Raises `OSError`."""
    import select

    try:
        ready = select.poll()
        ready.register(file, select.POLLIN)
    except (AttributeError, OSError):  # no file that a system waits for, or a system that cannot
        yield from iter(lambda: file.read(CHUNK), b"")
        return
    while is_wanted():
        if ready.poll(_LOOK):
            chunk = os.read(file.fileno(), CHUNK)
            if not chunk:
                return
            yield chunk
        else:
            yield b""
    raise OSError(0, "nobody waits for the rest of it")


def _chunks_of_pipe(path: str, is_wanted: Callable[[], bool]) -> Iterator[bytes]:
    import select

    from agent_tui.readers.stream_copy import Unwritten

    with os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK), "rb", buffering=0) as pipe:
        waiting = select.poll()
        waiting.register(pipe, select.POLLIN)
        waiting.poll(WAIT_SECONDS * 1000)
        chunk: bytes | None = pipe.read(CHUNK)  # None: a writer is there and has written nothing yet
        if chunk == b"":
            raise Unwritten(0, "nothing is in the pipe and nobody writes to it")
        yield chunk or b""
        os.set_blocking(pipe.fileno(), True)
        yield from _chunks_of(pipe, is_wanted)
