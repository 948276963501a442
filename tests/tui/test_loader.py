"""Reading in a thread: what is posted, and when the first of it is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from textual.message import Message

from agent_tui.bundles import Bundle
from agent_tui.bundles.patch import Patch
from agent_tui.tui.loader import Grown, Opening, load_in_thread
from agent_tui.workers.loading import LEAST
from agent_tui.workers.tasks import FIRST_RANGE
from tests.tui.opened import call, made_run

RUN_BYTES = 50_000


def write_large(path: Path) -> None:
    with path.open("w") as file:
        for number in range(LEAST // RUN_BYTES + 1):
            run = made_run(f"r{number}", [call("a", n=1)], [call("a", n=1)]) | {"answer": "long " * (RUN_BYTES // 5)}
            file.write(json.dumps(run) + "\n")


def test_the_first_range_of_a_large_file_is_shown_before_workers_are_begun_with(tmp_path: Path) -> None:
    path = tmp_path / "runs.jsonl"
    write_large(path)
    posted: list[Message] = []

    def shows_some() -> bool:
        return any(isinstance(message, Grown) and message.course.done for message in posted)

    load_in_thread(Opening((str(path),)), Bundle(), posted.append, shows_some)
    first = [message.course.done for message in posted if isinstance(message, Grown)]
    assert first[0] == 0
    assert 0 < first[-1] <= FIRST_RANGE


def test_the_index_of_a_pipe_goes_away_with_a_reading_that_nobody_wants(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    write_large(tmp_path / "runs.jsonl")
    posted: list[Message] = []
    with (tmp_path / "runs.jsonl").open() as standard_input:
        monkeypatch.setattr("sys.stdin", standard_input)
        load_in_thread(
            Opening(("-",), patch=Patch("", "", ())), Bundle(), posted.append, lambda: len(_shown(posted)) > 1
        )
    assert _shown(posted)
    assert list(temporary.iterdir()) == []


def _shown(posted: list[Message]) -> list[Grown]:
    return [message for message in posted if isinstance(message, Grown)]
