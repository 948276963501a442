"""What has to be the same here and where tasks are done, so that the same bytes give the same runs."""

from __future__ import annotations

import sys

import msgspec
from msgspec import Struct

from agent_tui import __version__


class Versions(Struct, frozen=True):
    """The versions of this program, of Python (its minor) and of what decodes runs; empty where there is none."""

    program: str
    python: str
    msgspec: str

    def __str__(self) -> str:
        program = f"agent-tui {self.program}" if self.program else "no agent-tui"
        decoder = f"msgspec {self.msgspec}" if self.msgspec else "no msgspec"
        return f"{program}, Python {self.python}, {decoder}"


def versions_here() -> Versions:
    """The versions of this process."""
    return Versions(__version__, f"{sys.version_info[0]}.{sys.version_info[1]}", msgspec.__version__)
