"""One line of a file as it stands on disk, whatever is in it."""

from __future__ import annotations

from pathlib import Path

from agent_tui.errors import NothingReadable
from agent_tui.readers.source import Source, Unreadable
from agent_tui.safety import Limits


def raw_line(file: str, number: int, limits: Limits | None = None) -> bytes:
    """The line of a file with a number, counted from 1. Raises `NothingReadable` where it cannot be had."""
    path = Path(file)
    if not path.is_file():
        raise NothingReadable(f"{file}: it is not there any more, or is no file of its own")
    try:
        for line in Source.of(path, limits).lines():
            if line.number > number:
                return b""  # a line without a word may be passed over
            if line.number == number and line.text is None:
                raise NothingReadable(f"{file}:{number}: the line is longer than is read")
            if line.number == number:
                return line.text or b""
    except (OSError, Unreadable) as error:
        raise NothingReadable(f"{file}: {error}") from error
    raise NothingReadable(f"{file}: it has no line {number} any more")
