"""What all tests of the screen share: the same look on every machine."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def _same_everywhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Run from the project's root, so that paths on the screen are the same; remember nothing of the user's."""
    monkeypatch.chdir(ROOT)
    for name in [name for name in os.environ if name.startswith(("TEXTUAL_", "SSH_"))] + ["NO_COLOR", "AGENT_TUI_LOG"]:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AGENT_TUI_STATE_DIR", str(tmp_path / "state"))
    monkeypatch.setenv("AGENT_TUI_CONFIG_DIR", str(tmp_path / "config"))
