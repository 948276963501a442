"""Of more tasks than are counted each, an index gives the figures that reading the file plainly gives."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from agent_tui.bundles import Bundle, load
from agent_tui.reports.document import score_members
from agent_tui.reports.run_rows import run_row
from agent_tui.scoring.totals import MOST_GROUPS
from agent_tui.stats import clustered
from agent_tui.workers.building import Building, asked_of, filled
from agent_tui.workers.tasks import How
from tests.workers.engines import InOrder

TASKS = MOST_GROUPS + 100
"""Every third one has a second run."""


def line(number: int) -> bytes:
    made = [{"name": "find", "args": {"q": number % 5}}]
    wanted = [{"name": "find", "args": {"q": number % 7}}]
    run = {"id": f"r{number}", "task": f"t{number % TASKS}", "epoch": number // TASKS + 1, "model": f"m{number % 2}"}
    return json.dumps({**run, "actual": {"calls": made}, "expected": {"calls": wanted}}).encode()


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("many") / "runs.jsonl"
    numbers = [*range(TASKS), *range(TASKS, 2 * TASKS, 3)]
    file.write_bytes(b"\n".join(map(line, numbers)))
    return file


@pytest.fixture
def bundle(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Bundle:
    monkeypatch.setenv("AGENT_TUI_CACHE_DIR", str(tmp_path))
    asked = asked_of([str(path)])
    assert asked is not None
    return filled(Building(asked, How()), InOrder)


def test_an_index_of_many_tasks_says_what_reading_plainly_says(bundle: Bundle, path: Path) -> None:
    plain = load([str(path)])
    assert not plain.totals.has_groups
    assert said_of(bundle) == said_of(plain)


def said_of(bundle: Bundle) -> dict[str, Any]:
    """What `score --json` says, of every 97th run."""
    members = score_members(bundle, bundle.scorecard()) | {
        "runs": [run_row(bundle, row) for row in range(0, len(bundle), 97)]
    }
    return {key: list(value) if isinstance(value, Iterator) else value for key, value in members.items()}


def test_the_interval_of_many_tasks_is_that_of_their_runs(bundle: Bundle) -> None:
    groups: dict[str, list[bool]] = {}
    for number in [*range(TASKS), *range(TASKS, 2 * TASKS, 3)]:
        groups.setdefault(f"t{number % TASKS}", []).append(number % 5 == number % 7)
    rate, tally = clustered(groups), bundle.scorecard().tallies["exact"]
    assert rate is not None
    assert tally.interval is not None
    assert (tally.passed, tally.scored) == (sum(map(sum, groups.values())), rate.runs)
    assert (tally.interval.low, tally.interval.high) == rate.wilson
