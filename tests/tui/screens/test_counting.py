"""Many runs are filtered and ordered by their failed calls once a thread has counted them; keys work meanwhile."""

from __future__ import annotations

import json

import pytest

from agent_tui.tui.screens.counting import MANY
from tests.tui.opened import Explorer, opened

RUNS = MANY + 500


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> str:
    file = tmp_path_factory.mktemp("many") / "runs.jsonl"
    calls = [
        [{"name": "find", "args": {}, **({"error": "no"} if number % 1000 == 7 else {})}] for number in range(RUNS)
    ]
    lines = (json.dumps({"id": f"r{n}", "status": "done", "actual": {"calls": each}}) for n, each in enumerate(calls))
    file.write_text("\n".join(lines))
    return str(file)


async def filter_by(explorer: Explorer, text: str) -> None:
    await explorer.press("f", *text, "enter")


async def test_a_filter_waits_until_failed_calls_are_counted(path: str) -> None:
    async with opened(path) as explorer:
        await filter_by(explorer, "errors > 0")
        await explorer.until(lambda: len(explorer.app.main.session) == 11)
        assert explorer.app.bundle.errors_missing == 0
        assert "11 of 10,500" in explorer.text


async def test_an_order_waits_until_failed_calls_are_counted(path: str) -> None:
    async with opened(path) as explorer:
        explorer.app.main.runs.sort_by("errors")
        assert explorer.app.main.session.sort_field == ""
        await explorer.until(lambda: explorer.app.main.session.sort_field == "errors")


async def test_esc_stops_counting_and_leaves_all_runs(path: str) -> None:
    async with opened(path) as explorer:
        main = explorer.app.main
        main.runs.filter_by("errors > 0")
        await explorer.press("escape")
        assert "counting stopped" in explorer.text
        await explorer.until(lambda: not any(worker.group == "counting" for worker in explorer.app.workers))
        assert (len(main.session), main.session.filter_text) == (RUNS, "")


async def test_a_filter_that_does_not_parse_is_refused_before_anything_is_counted(path: str) -> None:
    async with opened(path) as explorer:
        await filter_by(explorer, "errors > many")
        assert "needs a number" in explorer.text
        assert explorer.app.bundle.errors_missing > MANY
