"""The first rows are read in this process, the rest elsewhere; what comes of it is the same."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from agent_tui.bundles import load
from agent_tui.reports.document import score_document
from agent_tui.workers.building import Building, asked_of, filled
from agent_tui.workers.first_here import FirstHere
from agent_tui.workers.tasks import Given, How, ReadFile, ReadRange, Task
from tests.workers.engines import InOrder
from tests.workers.test_building import run_line

LINES = b"\n".join(map(run_line, range(300)))


class Noting(InOrder):
    """Says what it was given to do."""

    def __init__(self) -> None:
        self.tasks: list[Task] = []

    def map(
        self, how: How, next_task: Callable[[], Task | None], is_cancelled: Callable[[], bool]
    ) -> Iterator[tuple[Task, int, Given | None]]:
        def noted() -> Task | None:
            task = next_task()
            if task is not None:
                self.tasks.append(task)
            return task

        yield from super().map(how, noted, is_cancelled)


def built(path: Path, rest: Noting, cuts: tuple[int, int]) -> dict[str, object]:
    asked = asked_of([str(path)])
    assert asked is not None
    building = Building(asked, How())
    for _ in building.run(FirstHere(rest), cuts=cuts):
        pass
    bundle = filled(building, Noting)
    return score_document(bundle, bundle.scorecard())


def plainly(path: Path) -> dict[str, object]:
    bundle = load([str(path)])
    return score_document(bundle, bundle.scorecard())


@pytest.fixture(autouse=True)
def _cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AGENT_TUI_CACHE_DIR", str(tmp_path / "cache"))


def test_the_first_range_is_read_here_and_the_others_elsewhere(tmp_path: Path) -> None:
    path, rest = tmp_path / "runs.jsonl", Noting()
    path.write_bytes(LINES)
    assert built(path, rest, (5000, 9000)) == plainly(path)
    ranges = [task.low for task in rest.tasks if isinstance(task, ReadRange)]
    assert ranges[0] == 5000
    assert not any(isinstance(task, ReadFile) for task in rest.tasks)


@pytest.mark.parametrize("gap", [b"", b"\n"], ids=["one line", "many lines"])
def test_a_document_is_read_elsewhere_whole(tmp_path: Path, gap: bytes) -> None:
    path, rest = tmp_path / "runs.json", Noting()
    path.write_bytes(b'{"runs":' + gap + b"[" + b",".join(LINES.split(b"\n")) + b"]" + gap + b"}")
    assert built(path, rest, (5000, 9000)) == plainly(path)
    assert isinstance(rest.tasks[0], ReadFile)


def test_lines_of_another_format_are_read_elsewhere(tmp_path: Path) -> None:
    path, rest = tmp_path / "chat.jsonl", Noting()
    chat = {"messages": [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "ho"}]}
    path.write_text("\n".join([json.dumps(chat)] * 3))
    assert built(path, rest, (50, 90)) == plainly(path)
    assert isinstance(rest.tasks[0], ReadFile)


def test_a_long_first_range_is_not_read_here(tmp_path: Path) -> None:
    path, rest = tmp_path / "runs.jsonl", Noting()
    path.write_bytes(b"\n".join([LINES] * 20))
    assert built(path, rest, (2 << 20, 2 << 20)) == plainly(path)
    assert next(task.low for task in rest.tasks if isinstance(task, ReadRange)) == 0
