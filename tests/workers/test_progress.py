"""How far reading is, of files that are read from their start: it rises from the first part on to all there is."""

from __future__ import annotations

import gzip
import json
import os
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest

from agent_tui.bundles import Bundle, load
from agent_tui.readers.ranges import CHANGED
from agent_tui.workers.building import Building, asked_of
from agent_tui.workers.engine import Engine, Pool
from agent_tui.workers.tasks import Given, How, Task
from tests.workers.engines import Done, Doubled, InOrder, Muddled, done
from tests.workers.test_building import HEADER, equal, run_line
from tests.writing import write_bundle

PIECES = (500, 9000)
LINES = [HEADER, *map(run_line, range(1, 900))]


def chat_line(number: int) -> str:
    words = Random(number).randbytes(4000).hex()
    asked, answered = {"role": "user", "content": words}, {"role": "assistant", "content": "ho"}
    return json.dumps({"id": f"c{number}", "messages": [asked, answered]})


def sample(number: int) -> str:
    return json.dumps({**json.loads(chat_line(number)), "epoch": 1})


def as_zip(path: Path) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for number, line in enumerate(LINES[1:], 1):
            archive.writestr(f"{number:04d}.json", line)


def as_log(path: Path) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("header.json", json.dumps({"version": 2, "eval": {"task": "t", "model": "m"}}))
        for number in range(400):
            archive.writestr(f"samples/{number}_epoch_1.json", sample(number))


def as_json_log(path: Path) -> None:
    log = {"version": 2, "eval": {"task": "t", "model": "m"}, "samples": list(map(json.loads, map(sample, range(400))))}
    path.write_text(json.dumps(log))


FILES: dict[str, Callable[[Path], object]] = {
    "document.json": lambda path: write_bundle(path, *map(json.loads, LINES[1:])),
    "list.json": lambda path: path.write_bytes(b"\n[" + b",\n".join(LINES[1:]) + b"]\n"),
    "document.json.gz": lambda path: path.write_bytes(gzip.compress(b'{"runs": [' + b",".join(LINES[1:]) + b"]}")),
    "chat.jsonl.gz": lambda path: path.write_bytes(gzip.compress("\n".join(map(chat_line, range(400))).encode())),
    "runs.zip": as_zip,
    "log.eval": as_log,
    "log.json": as_json_log,
    "chat.jsonl": lambda path: path.write_text("\n".join(map(chat_line, range(400)))),
    "chat.json": lambda path: path.write_text("[" + ", ".join(map(chat_line, range(400))) + "]"),
}
"""Each with how it is written."""


def course_of(path: Path, engine: Engine) -> tuple[list[int], Bundle, Building]:
    """What is said to be done, one after the other, and what comes of it."""
    asked = asked_of([str(path)])
    assert asked is not None
    building, bundle = Building(asked, How()), Bundle()
    course = list(building.run(engine, cuts=PIECES))
    building.view.follow()
    building.view.show(bundle)
    return course, bundle, building


@pytest.fixture(autouse=True)
def _cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AGENT_TUI_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize(
    "engine", [InOrder(), Muddled(Random(1)), Doubled(Random(2))], ids=["in order", "muddled", "doubled"]
)
def test_it_rises_to_the_size_of_the_file(tmp_path: Path, name: str, engine: Engine) -> None:
    FILES[name](tmp_path / name)
    course, bundle, building = course_of(tmp_path / name, engine)
    assert course == sorted(course)
    assert course[-1] == building.total == (tmp_path / name).stat().st_size
    assert len(set(course) - {0, building.total}) > 2
    equal(bundle, load([str(tmp_path / name)]))


@pytest.mark.parametrize("name", [name for name in FILES if "jsonl" not in name])
def test_the_first_rows_come_with_a_small_part_of_the_file(tmp_path: Path, name: str) -> None:
    FILES[name](tmp_path / name)
    course, _, building = course_of(tmp_path / name, InOrder())
    assert 0 < next(filter(None, course)) < building.total // 4


def test_files_of_a_folder_add_up(tmp_path: Path) -> None:
    for name, write in FILES.items():
        write(tmp_path / name)
    course, bundle, building = course_of(tmp_path, Doubled(Random(3)))
    assert course == sorted(course)
    assert course[-1] == building.total
    assert len(bundle) == len(load([str(tmp_path)]))


def test_a_file_that_was_read_along_with_another_counts(tmp_path: Path) -> None:
    simulation = {"task_id": "1", "reward_info": {"reward": 1.0}, "termination_reason": "user_stop"}
    messages = [{"role": "user", "content": "hi"}]
    results = {"tasks": [{"id": "1"}], "info": {"environment_info": {}}, "simulation_index": [{"id": "a"}]}
    (tmp_path / "results.json").write_text(json.dumps(results))
    (tmp_path / "simulations").mkdir()
    (tmp_path / "simulations" / "a.json").write_text(json.dumps(simulation | {"messages": messages}))
    course, bundle, building = course_of(tmp_path, InOrder())
    assert course[-1] == building.total
    assert len(bundle) == 1


class Forgetful(InOrder):
    """Does a task again from its start after something that it gave, as if who did it had died."""

    def map(self, how: How, next_task: Callable[[], Task | None], is_cancelled: Callable[[], bool]) -> Iterator[Done]:
        while (task := next_task()) is not None:
            given: list[tuple[Task, int, Given | None]] = list(done(task, how))
            for end in range(len(given)):
                yield from given[:end]
            yield from given


class Shortened(InOrder):
    """Ends a task before it has given all, as when it is done again where the file has become shorter."""

    def map(self, how: How, next_task: Callable[[], Task | None], is_cancelled: Callable[[], bool]) -> Iterator[Done]:
        while (task := next_task()) is not None:
            yield from list(done(task, how))[:2]
            yield task, 2, None


def test_a_file_of_which_the_end_never_comes_has_changed(tmp_path: Path) -> None:
    FILES["runs.zip"](tmp_path / "runs.zip")
    course, bundle, building = course_of(tmp_path / "runs.zip", Shortened())
    assert course[-1] == building.total
    assert bundle.is_complete
    assert CHANGED in [problem.reason for problem in bundle.problems]


def test_a_document_that_is_cut_short_while_it_is_read_has_changed(tmp_path: Path) -> None:
    path = tmp_path / "document.json"
    write_bundle(path, *(json.loads(line) for line in LINES[1:] * 8))
    asked = asked_of([str(path)])
    assert asked is not None
    building, bundle = Building(asked, How()), Bundle()
    reading = building.run(Pool(1), cuts=(500, 500))
    next(reading)
    os.truncate(path, 5000)  # far from where the worker is, which waits until what it gave is taken
    course = list(reading)
    building.view.follow()
    building.view.show(bundle)
    assert course[-1] == building.total
    assert bundle.is_complete
    assert CHANGED in [problem.reason for problem in bundle.problems]


def test_a_task_that_is_done_again_counts_once(tmp_path: Path) -> None:
    FILES["runs.zip"](tmp_path / "runs.zip")
    course, bundle, building = course_of(tmp_path / "runs.zip", Forgetful())
    assert course == sorted(course)
    assert course[-1] == building.total
    equal(bundle, load([str(tmp_path / "runs.zip")]))
