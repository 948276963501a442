"""A worker: takes tasks from standard input, gives what they give on standard output, ends with whoever started it."""

from __future__ import annotations

import os
import pickle
import signal
import struct
from contextlib import suppress
from typing import Any

_LENGTH = struct.Struct("<Q")
COMMAND = (
    "import os, sys; sys.path[:] = sys.argv[1].split(os.pathsep); from agent_tui.workers import process; process.main()"
)
"""What a worker's Python runs: modules come from where those of its parent do, never from the folder it is in."""
NICE = 5
_PIECE = 1 << 20


def send(descriptor: int, message: object) -> None:
    """Write a message. Raises `OSError` where the other side is gone."""
    text = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
    _write(descriptor, _LENGTH.pack(len(text)))
    _write(descriptor, text)


def _write(descriptor: int, text: bytes) -> None:
    rest = memoryview(text)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def receive(descriptor: int) -> Any:
    """The next message. Raises `EOFError` where the other side is gone.

    Both sides are this program: what comes here was never in a file.
    """
    (length,) = _LENGTH.unpack(_read(descriptor, _LENGTH.size))
    return pickle.loads(_read(descriptor, length))


def _read(descriptor: int, length: int) -> bytes:
    text = bytearray()
    while len(text) < length:
        piece = os.read(descriptor, min(length - len(text), _PIECE))
        if not piece:
            raise EOFError
        text += piece
    return bytes(text)


def main() -> None:
    """Do tasks until there are none."""
    from agent_tui.readers.addresses import learn
    from agent_tui.workers.scoring import parts_of

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who started us ends us
    with suppress(OSError):
        os.nice(NICE)
    tasks, given = os.dup(0), os.dup(1)
    os.dup2(2, 1)  # whoever prints does not print into a message
    with suppress(EOFError, BrokenPipeError):
        how, known = receive(tasks)
        learn(known)
        while True:
            for each in parts_of(receive(tasks), how):
                send(given, each)
            send(given, None)
