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


def test_a_scripted_judge_loads_no_model_services_library() -> None:
    judge = ("judge", SAMPLE, "--judge-provider", "scripted:honest")
    assert loaded_by(*judge).isdisjoint({"anthropic", "httpx2", "textual", "numpy"})
