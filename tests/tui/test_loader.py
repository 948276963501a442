"""Reading in a thread: what is posted, and when the first of it is."""

from __future__ import annotations

import json
from pathlib import Path

from textual.message import Message

from agent_tui.bundles import Bundle
from agent_tui.tui.loader import Grown, Opening, load_in_thread
from agent_tui.workers.loading import LEAST
from agent_tui.workers.tasks import FIRST_RANGE
from tests.tui.opened import call, made_run

RUN_BYTES = 50_000


def test_the_first_range_of_a_large_file_is_shown_before_workers_are_begun_with(tmp_path: Path) -> None:
    path = tmp_path / "runs.jsonl"
    with path.open("w") as file:
        for number in range(LEAST // RUN_BYTES + 1):
            run = made_run(f"r{number}", [call("a", n=1)], [call("a", n=1)]) | {"answer": "long " * (RUN_BYTES // 5)}
            file.write(json.dumps(run) + "\n")
    posted: list[Message] = []

    def shows_some() -> bool:
        return any(isinstance(message, Grown) and message.course.done for message in posted)

    load_in_thread(Opening((str(path),)), Bundle(), posted.append, shows_some)
    first = [message.course.done for message in posted if isinstance(message, Grown)]
    assert first[0] == 0
    assert 0 < first[-1] <= FIRST_RANGE
