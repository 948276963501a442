"""A file that has grown since it was indexed: only what is new is read, and the runs are those of the whole file."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agent_tui.bundles import Bundle, load
from agent_tui.bundles.index.compacting import compact
from agent_tui.bundles.index.place import Input
from agent_tui.bundles.index.view import frames_in
from agent_tui.readers.ranges import Stamp
from agent_tui.workers.building import Building, asked_of
from agent_tui.workers.tasks import How, ReadRange, Task
from tests.workers.engines import Done, InOrder
from tests.workers.test_building import HEADER, LINES, OTHER_HEADER, equal, run_line

OLD = b"\n".join([HEADER, *map(run_line, range(100))])
NEW = b"\n".join(map(run_line, range(100, 140))) + b"\n"


class Watched(InOrder):
    """Remembers which ranges it was given."""

    def __init__(self) -> None:
        self.ranges: list[tuple[int, int]] = []

    def map(self, how: How, next_task: Callable[[], Task | None], is_cancelled: Callable[[], bool]) -> Iterator[Done]:
        def told() -> Task | None:
            task = next_task()
            if isinstance(task, ReadRange):
                self.ranges.append((task.low, task.high))
            return task

        return super().map(how, told, is_cancelled)


def indexed(*paths: Path, cuts: tuple[int, int] = (1 << 20, 1 << 20)) -> tuple[Bundle, list[tuple[int, int]]]:
    """The bundle of an index that is made now or gone on with, and the ranges that were read for it."""
    asked = asked_of([str(path) for path in paths])
    assert asked is not None
    engine, building, bundle = Watched(), Building(asked, How()), Bundle()
    for _ in building.run(engine, cuts=cuts):
        pass
    building.view.follow()
    building.view.show(bundle)
    building.place.close()
    return bundle, engine.ranges


def grown(path: Path, old: bytes, change: Callable[[Path], object]) -> list[tuple[int, int]]:
    """Index a file, change it, index it again; the ranges that were read the second time."""
    path.write_bytes(old)
    indexed(path)
    change(path)
    bundle, ranges = indexed(path)
    equal(bundle, load([str(path)]))
    again, nothing = indexed(path)
    equal(again, bundle)
    assert nothing == []
    return ranges


def appended(text: bytes) -> Callable[[Path], object]:
    def append(path: Path) -> None:
        with path.open("ab") as file:
            file.write(text)

    return append


@pytest.mark.parametrize(
    ("old", "new", "begin"),
    [
        (OLD + b"\n", NEW, len(OLD) + 1),
        (OLD + b"\n", NEW + run_line(7)[:50], len(OLD) + 1),
        (OLD + b"\n", run_line(7), len(OLD) + 1),
        (OLD + b"\n" + run_line(7)[:50], run_line(7)[50:] + b"\n" + NEW, len(OLD) + 1),
        (OLD + b"\n" + run_line(7)[:50], run_line(7)[50:60], len(OLD) + 1),
        (OLD, b"\r\n" + NEW, len(OLD) + 2),
        (OLD, b" ", len(OLD)),
        (OLD, b"\n", None),
        (OLD + b"\n", OTHER_HEADER + b"\n" + NEW, len(OLD) + 1),
    ],
    ids=["lines", "and a torn one", "no end", "rest of a torn one", "part of it", "its end", "blank", "end", "header"],
)
def test_only_new_bytes_are_read(tmp_path: Path, old: bytes, new: bytes, begin: int | None) -> None:
    ranges = grown(tmp_path / "runs.jsonl", old, appended(new))
    assert ([low for low, _ in ranges] or [None])[0] == begin


def replaced(path: Path) -> None:
    draft = path.with_suffix(".draft")
    draft.write_bytes(path.read_bytes() + NEW)
    draft.replace(path)


def written_over(place: int, more: bytes = b"") -> Callable[[Path], object]:
    """Another byte in what is there, and more behind it; the time of the change is another one in any case."""

    def write(path: Path) -> None:
        with path.open("r+b") as file:
            file.seek(place, 0 if place >= 0 else os.SEEK_END)
            file.write(b"?")
            file.seek(0, os.SEEK_END)
            file.write(more)
        found = path.stat()
        os.utime(path, ns=(found.st_atime_ns, found.st_mtime_ns + 1))

    return write


@pytest.mark.parametrize(
    "change",
    [
        lambda path: os.truncate(path, len(OLD) // 2),
        lambda path: path.write_bytes(NEW),
        replaced,
        written_over(len(OLD) // 2),
        written_over(300, NEW),
        written_over(-300, NEW),
        appended(b" x\n"),
    ],
    ids=["truncated", "written anew", "replaced", "middle", "head, and more", "tail, and more", "torn one is another"],
)
def test_anything_else_is_indexed_anew(tmp_path: Path, change: Callable[[Path], object]) -> None:
    old = OLD if getattr(change, "__name__", "") == "append" else OLD + b"\n"
    ranges = grown(tmp_path / "runs.jsonl", old, change)
    assert ranges[0][0] == 0


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    lines=st.lists(LINES, min_size=3, max_size=40),
    grown_to=st.lists(st.integers(0, 20_000), min_size=1, max_size=6),
    cuts=st.tuples(st.integers(100, 3000), st.integers(100, 3000)),
)
def test_however_a_file_grew_the_runs_are_those_of_the_whole(
    tmp_path: Path, lines: list[bytes], grown_to: list[int], cuts: tuple[int, int]
) -> None:
    path = tmp_path / "runs.jsonl"
    path.unlink(missing_ok=True)
    whole = b"\n".join([HEADER, run_line(1), *lines, run_line(2)]) + b"\n"
    least = len(HEADER) + len(run_line(1)) + 2
    path.touch()
    for size in sorted({least + size for size in grown_to if least + size < len(whole)} | {least, len(whole)}):
        with path.open("ab") as file:
            file.write(whole[file.tell() : size])
        equal(indexed(path, cuts=cuts)[0], load([str(path)]))


def test_of_several_files_the_last_one_may_grow(tmp_path: Path) -> None:
    first, last = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    first.write_bytes(OLD + b"\n{torn")
    last.write_bytes(OLD + b"\n")
    indexed(first, last)
    appended(NEW)(last)
    bundle, ranges = indexed(first, last)
    equal(bundle, load([str(first), str(last)]))
    assert [low for low, _ in ranges] == [len(OLD) + 1]
    appended(NEW)(first)
    bundle, ranges = indexed(first, last)
    equal(bundle, load([str(first), str(last)]))
    assert ranges[0][0] == 0


@pytest.mark.parametrize("count", [1, 3, 6])
def test_what_was_left_in_the_middle_is_gone_on_with_when_the_file_has_grown(tmp_path: Path, count: int) -> None:
    path = tmp_path / "runs.jsonl"
    path.write_bytes(OLD + b"\n" + run_line(3)[:40])
    asked = asked_of([str(path)])
    assert asked is not None
    building = Building(asked, How())
    running = building.run(InOrder(), cuts=(500, 4000))
    for _ in range(count):
        next(running)
    running.close()
    appended(run_line(3)[40:] + b"\n" + NEW)(path)
    equal(indexed(path, cuts=(500, 4000))[0], load([str(path)]))


def test_a_file_that_grows_while_it_is_read_is_read_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "runs.jsonl"
    path.write_bytes(OLD + b"\n")
    plain, asked = load([str(path)]), asked_of([str(path)])
    assert asked is not None
    building, bundle = Building(asked, How()), Bundle()
    for _ in building.run(InOrder(), cuts=(500, 4000)):
        appended(run_line(3)[:40])(path)
    building.view.follow()
    building.view.show(bundle)
    equal(bundle, plain)


def test_the_log_stays_short_and_nothing_is_left_behind(tmp_path: Path) -> None:
    path = tmp_path / "runs.jsonl"
    path.write_bytes(OLD + b"\n")
    for _ in range(3):
        appended(NEW)(path)
        indexed(path)
    asked = asked_of([str(path)])
    assert asked is not None
    building = Building(asked, How())
    assert len(frames_in(building.place.folder)) == 3
    assert sum(each.name.startswith("slots") for each in building.place.folder.iterdir()) == 1
    compact(building.place.folder)
    equal(indexed(path)[0], load([str(path)]))


@pytest.mark.parametrize("size", [1, 1000, 131_073, 140_000, 500_000])
def test_what_is_behind_a_size_does_not_count_to_what_tells_a_file_by_that_size(tmp_path: Path, size: int) -> None:
    path = tmp_path / "a"
    path.write_bytes(os.urandom(size))
    before = Input(str(path), None, Stamp.of(path)).edges(size)
    with path.open("ab") as file:
        file.write(os.urandom(70_000))
    assert Input(str(path), None, Stamp.of(path)).edges(size) == before
