"""Where there is no room for what is read of an index, a command does without one or ends in one line."""

from __future__ import annotations

import errno
import json
import os
import tempfile
from collections.abc import Callable

import pytest

from agent_tui.workers.loading import LEAST
from tests.cli.conftest import Runs
from tests.writing import call, run_of

RUNS = 40


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("large") / "runs.jsonl"
    answer = "long " * (LEAST // RUNS // 5 + 1)
    runs = (run_of(f"r{number}", [call("a")], [call("a")] * (number % 3), answer=answer) for number in range(RUNS))
    path.write_text("".join(f"{json.dumps(run)}\n" for run in runs))
    return str(path)


@pytest.fixture
def room_for(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], list[str]]:
    """Room for so many columns and no more, on a system that has no files in memory; gives those that were made."""
    make = tempfile.mkstemp
    monkeypatch.delattr(os, "memfd_create", raising=False)

    def limit(most: int) -> list[str]:
        made: list[str] = []

        def mkstemp(prefix: str) -> tuple[int, str]:
            if len(made) >= most:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            descriptor, name = make(prefix=prefix)
            made.append(name)
            return descriptor, name

        monkeypatch.setattr(tempfile, "mkstemp", mkstemp)
        return made

    return limit


def test_room_that_ends_late_is_told_in_a_line(
    large: str, agent_tui: Runs, room_for: Callable[[int], list[str]]
) -> None:
    made = room_for(1000)
    assert agent_tui("score", "--json", large).status == 0
    room_for(len(made) - 1)
    ran = agent_tui("score", "--json", large)
    assert (ran.status, ran.out) == (2, "")
    said = "no room for what is read of the index: No space left on device; TMPDIR names a folder that has room"
    assert ran.err == f"agent-tui: {said}\n"


def test_where_there_is_no_room_from_the_start_everything_is_read_without_an_index(
    large: str, agent_tui: Runs, room_for: Callable[[int], list[str]]
) -> None:
    sound = agent_tui("score", "--json", large).document
    room_for(0)
    ran = agent_tui("score", "--json", large)
    assert (ran.status, ran.document) == (0, sound)
    assert "there is no index: no room for what is read of the index: No space left on device" in ran.err
