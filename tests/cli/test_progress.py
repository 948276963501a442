"""How far reading is stands on standard error while somebody waits at a terminal, and nowhere else."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import suppress

from tests.writing import CYBERTRAVELS

SHOW = """
import time
from agent_tui.cli.progress import progress_of_reading
from agent_tui.workers.course import Course
with progress_of_reading() as show:
    begun = time.monotonic()
    while time.monotonic() - begun < 0.8:
        show(Course(0, 200).at(100))
        time.sleep(0.01)
"""


def on_a_terminal(*command: str) -> tuple[bytes, bytes]:
    """What a program writes on standard output, which is a pipe, and on standard error, which is a terminal."""
    ours, theirs = os.openpty()
    with subprocess.Popen([sys.executable, *command], stdout=subprocess.PIPE, stderr=theirs) as program:
        os.close(theirs)
        assert program.stdout is not None
        written, said = program.stdout.read(), bytearray()
        with suppress(OSError):  # as a terminal ends
            while piece := os.read(ours, 1 << 16):
                said += piece
    os.close(ours)
    return written, bytes(said)


def test_a_person_sees_how_far_reading_is_until_it_ends() -> None:
    written, said = on_a_terminal("-c", SHOW)
    assert written == b""
    lines = said.split(b"\r")
    assert len(lines) > 3
    assert all(line.startswith(b"reading  50 %") for line in lines[1:-1])
    assert lines[-1] == b"\x1b[K"


def test_a_program_sees_nothing_of_it() -> None:
    done = subprocess.run([sys.executable, "-c", SHOW], capture_output=True, check=True)
    assert (done.stdout, done.stderr) == (b"", b"")


def test_what_is_read_at_once_says_nothing() -> None:
    written, said = on_a_terminal("-m", "agent_tui", "score", CYBERTRAVELS)
    assert b"CyberTravels" in written
    assert said == b""
