"""Run one process to its end, or to the end of our patience; then it is gone with all that it started."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import tempfile
from asyncio.subprocess import Process
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO

from msgspec import Struct

from agent_tui.safety.limits import MIB

_MOST_OUTPUT = 16 * MIB


class Ended(Struct, frozen=True):
    """How a process ended and what it printed."""

    status: int
    """Below zero: the signal that ended it."""
    output: bytes
    errors: bytes


async def run(
    command: Sequence[str], environment: Mapping[str, str], folder: Path, timeout: float, given: bytes
) -> Ended | None:
    """Run a command in an empty folder, with `given` on its standard input; None where it took too long (seconds).

    It reads from and writes to files without a name: a pipe would be held open by whatever it leaves running, and
    nothing of a prompt stays on disk. Raises `OSError` where it cannot be started.
    """
    with _nameless() as reads, _nameless() as prints, _nameless() as complains:
        reads.write(given)
        reads.seek(0)
        process = await asyncio.create_subprocess_exec(
            *command, stdin=reads, stdout=prints, stderr=complains, cwd=folder, env=environment, start_new_session=True
        )
        try:
            async with asyncio.timeout(timeout):
                status = await process.wait()
        except TimeoutError:
            return None
        finally:
            if process.returncode is None:
                await _kill_group(process)
        return Ended(status, _written(prints), _written(complains))


async def _kill_group(process: Process) -> None:
    """End a process and whatever it started in its session."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    await process.wait()


def _nameless() -> IO[bytes]:
    return tempfile.TemporaryFile(buffering=0)


def _written(file: IO[bytes]) -> bytes:
    file.seek(0)
    return file.read(_MOST_OUTPUT)
