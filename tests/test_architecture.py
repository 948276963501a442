"""The walls of the house: imports point down, and `score` starts without the screen's libraries."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SAMPLE = "sample_runs/cybertravels.json"
UNWANTED = ("textual", "rich", "pydantic", "anthropic", "httpx2", "numpy")
LOADED = """
import json, sys
from agent_tui.cli import main
try:
    status = main()
except SystemExit as end:
    status = end.code
print(json.dumps([status or 0, sorted({name.split(".")[0] for name in sys.modules})]), file=sys.stderr)
"""

STARTED = """
import asyncio, json, sys
from agent_tui.tui.app import AgentTui
from agent_tui.tui.loader import Opening

async def start():
    app = AgentTui(Opening((sys.argv[1],)))
    async with app.run_test(size=(120, 40)) as pilot:
        await asyncio.wait_for(app.is_loaded.wait(), 30)
        await pilot.pause()

asyncio.run(start())
print(json.dumps([0, sorted({name.split(".")[0] for name in sys.modules})]), file=sys.stderr)
"""

OPENED = """
import json, sys
import agent_tui.cli.open
import agent_tui.tui.starting
print(json.dumps([0, sorted(sys.modules)]), file=sys.stderr)
"""
"""Not started: after its first frame the screen loads what looks after the files."""
LATER = {
    *(f"agent_tui.tui.screens.{name}" for name in ("asking", "choosing", "finding", "judge", "ledger", "problems")),
    *(f"agent_tui.tui.screens.{name}" for name in ("palette", "reading", "sweep")),
    *(f"agent_tui.tui.{name}" for name in ("growing", "reloading", "rereading", "seeking", "watching")),
    *(f"agent_tui.tui.present.{name}" for name in ("help", "ledger", "moved", "noticed", "provenance", "sweep")),
    *("agent_tui.bundles.write", "agent_tui.scoring.sweep", "agent_tui.workers.building", "agent_tui.workers.engine"),
    *("hashlib", "multiprocessing", "secrets", "tomllib", "watchfiles"),
}


def loaded_by(*arguments: str) -> set[str]:
    """Top-level names of the modules that a command loads."""
    return modules_of(LOADED, *arguments)


def modules_of(code: str, *arguments: str) -> set[str]:
    """Top-level names of the modules that a program loads, as it tells at its end."""
    run = subprocess.run([sys.executable, "-c", code, *arguments], cwd=ROOT, capture_output=True, text=True, check=True)
    status, modules = json.loads(run.stderr.splitlines()[-1])
    assert status == 0, run.stderr
    return set(modules)


def test_imports_point_down() -> None:
    command = Path(sys.executable).parent / "lint-imports"
    run = subprocess.run([command, "--no-cache"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout


@pytest.mark.parametrize("arguments", [("--version",), ("score", SAMPLE), ("score", SAMPLE, "--json")])
def test_a_command_without_a_screen_loads_no_screen(arguments: tuple[str, ...]) -> None:
    assert loaded_by(*arguments).isdisjoint(UNWANTED)


def test_score_of_a_plain_bundle_loads_what_only_some_inputs_need_for_none() -> None:
    assert loaded_by("score", SAMPLE).isdisjoint(
        {"regex", "zipfile", "backports", "fsspec", "aiohttp", "distributed", "dask", "asyncio"}
    )


def test_the_screen_starts_without_a_model_services_libraries() -> None:
    assert modules_of(STARTED, SAMPLE).isdisjoint({"anthropic", "httpx2", "numpy"})


def test_what_only_a_later_key_asks_for_comes_after_the_first_frame() -> None:
    assert modules_of(OPENED).isdisjoint(LATER)


def test_a_scripted_judge_loads_no_model_services_library() -> None:
    judge = ("judge", SAMPLE, "--judge-provider", "scripted:honest")
    assert loaded_by(*judge).isdisjoint({"anthropic", "httpx2", "textual", "numpy"})
