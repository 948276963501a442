"""`agent_tui(...)` runs the command line in this process; `Ran` is what came of it."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from agent_tui.cli import run


@dataclass(frozen=True)
class Ran:
    """Exit status and both outputs."""

    status: int
    out: str
    err: str

    @property
    def document(self) -> dict[str, Any]:
        """Standard output as strict JSON."""
        value: dict[str, Any] = json.loads(self.out, parse_constant=_refuse)
        return value


def _refuse(word: str) -> None:
    raise ValueError(f"{word} is not strict JSON")


Runs = Callable[..., Ran]


@pytest.fixture
def agent_tui(capsys: pytest.CaptureFixture[str]) -> Runs:
    def go(*arguments: str) -> Ran:
        capsys.readouterr()
        status = run(arguments)
        captured = capsys.readouterr()
        return Ran(status, captured.out, captured.err)

    return go
