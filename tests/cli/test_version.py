"""`--version`: the version in the first line, what scores in the second."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from agent_tui import __version__
from agent_tui.native import core, why_none
from tests.cli.conftest import Runs

ROOT = Path(__file__).parents[2]


def test_it_says_which_version_and_whether_there_is_a_core(agent_tui: Runs) -> None:
    ran = agent_tui("--version")
    first, second = ran.out.splitlines()
    assert (ran.status, ran.err, first) == (0, "", f"agent-tui, version {__version__}")
    assert second == "scoring: with the compiled core" if core else second.endswith(why_none)


def test_without_the_core_it_says_why() -> None:
    environment = {**os.environ, "AGENT_TUI_PURE": "1"}
    command = [sys.executable, "-m", "agent_tui", "--version"]
    out = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert out.splitlines()[1:] == ["scoring: in Python, without the compiled core: AGENT_TUI_PURE is set"]
