"""`agent_tui(...)` runs the command line in this process; `Ran` is what came of it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from agent_tui.cli import run
from agent_tui.providers import choose
from tests.providers.loopback import Loopback
from tests.providers.serving import serving
from tests.providers.verdicts import Asked

KEY = "canary-key-8c1f5e"
RIGHT = {"I have cancelled BK-8812 and refunded 240.00 EUR."}


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


@pytest.fixture
def unconfigured(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No judge on this machine."""
    for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_PROFILE", "OPENAI_BASE_URL", "OPENAI_API_KEY",
                 choose.PROVIDER, choose.MODEL):  # fmt: skip
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("ANTHROPIC_CONFIG_DIR", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))


def right_alone(asked: Asked) -> str:
    """Passes right answers of the packaged runs, and no other."""
    return "pass" if asked.material["answer"] in RIGHT or "500" in asked.material["answer"] else "fail"


@pytest.fixture
def service(unconfigured: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[Loopback]:
    """A vendor's interface on this machine that passes right answers alone, and a key for it."""
    with serving(Loopback(right_alone)) as server:
        monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        yield server
