"""What all tests of the screen share: the same look on every machine."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

_PICTURES = "TEXTUAL_SNAPSHOT_TEMPDIR"
ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def pictures() -> str | None:
    """Where the plugin that compares pictures keeps them: it says so in the environment, before any test."""
    return os.environ.get(_PICTURES)


@pytest.fixture(autouse=True)
def _same_everywhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, pictures: str | None) -> None:
    """Run from the project's root, so that paths on the screen are the same; remember nothing of the user's."""
    monkeypatch.chdir(ROOT)
    monkeypatch.delenv("SSH_CLIENT", raising=False)
    if pictures is not None:
        monkeypatch.setenv(_PICTURES, pictures)
    monkeypatch.setenv("AGENT_TUI_STATE_DIR", str(tmp_path / "state"))
    monkeypatch.setenv("AGENT_TUI_CONFIG_DIR", str(tmp_path / "config"))
