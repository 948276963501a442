"""A file that is being written: its index goes on with it, and what else becomes of it is told."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from msgspec.structs import replace

from agent_tui.bundles import Bundle, load
from agent_tui.bundles.index.place import Input
from agent_tui.readers.ranges import Stamp, last_line_end
from agent_tui.workers.building import asked_of
from agent_tui.workers.engine import Engine, Pool
from agent_tui.workers.following import Elsewhere, Following, Lost, Step, Tail
from agent_tui.workers.tasks import How, ReadRange, Task
from agent_tui.workers.tasks import Lost as NotRead
from tests.workers.engines import Done, InOrder, done
from tests.workers.test_appending import NEW, OLD, indexed
from tests.workers.test_building import equal, run_line, said

ROOT = Path(__file__).parents[2]
_LIMIT = 30.0


class Followed:
    """A file that is followed in a thread, and the bundle that shows it."""

    def __init__(self, path: Path, engine: Engine | None = None) -> None:
        asked = asked_of([str(path)])
        assert asked is not None
        last = asked[-1]
        assert isinstance(last, Input)
        whole = last_line_end(path, last.stamp.size)
        self.path, self.bundle, self.steps = path, Bundle(), list[Step]()
        self.following = Following([replace(last, stamp=replace(last.stamp, size=whole))], How())
        self.error: Exception | None = None
        self.is_over = threading.Event()
        self._thread = threading.Thread(target=self._run, args=[engine or InOrder()])
        self._thread.start()

    def _run(self, engine: Engine) -> None:
        try:
            self.following.run(engine, self.steps.append, self.is_over.is_set)
        except Exception as error:
            self.error = error

    def until(self, holds: Callable[[], bool]) -> None:
        """Show what is told until something holds."""
        end = time.monotonic() + _LIMIT
        while not holds():
            assert time.monotonic() < end, (self.error, self.steps[-1:], len(self.bundle))
            assert self._thread.is_alive() or self.error is not None
            if self.steps:
                self.steps[-1].show(self.bundle)
            time.sleep(0.005)

    def shows_the_file(self) -> bool:
        plain = load([str(self.path)])
        return len(self.bundle) == len(plain) and records(self.bundle) == records(plain)

    def append(self, text: bytes) -> None:
        with self.path.open("ab") as file:
            file.write(text)

    def end(self) -> None:
        self.is_over.set()
        self._thread.join()
        self.following.building.place.close()


def records(bundle: Bundle) -> list[bytes]:
    return [bundle.record(row) for row in range(len(bundle))]


@contextmanager
def followed(path: Path, engine: Engine | None = None) -> Iterator[Followed]:
    found = Followed(path, engine)
    try:
        yield found
    finally:
        found.end()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "runs.jsonl"
    path.write_bytes(OLD + b"\n")
    return path


def test_lines_are_there_when_they_are_whole(path: Path) -> None:
    with followed(path) as it:
        it.until(it.shows_the_file)
        it.append(run_line(7) + b"\n" + run_line(8)[:40])
        it.until(lambda: len(it.bundle) == 101)
        assert it.bundle.problems == load([str(path)]).problems[:-1]
        it.append(run_line(8)[40:] + b"\n")
        it.until(it.shows_the_file)
        assert len(it.bundle) == 102


def test_a_line_that_stays_without_an_end_is_said_until_it_goes_on(path: Path) -> None:
    with followed(path) as it:
        it.append(NEW + run_line(8)[:40])
        it.until(lambda: any("incomplete" in str(problem) for problem in it.bundle.problems))
        assert said_without_digest(it.bundle) == said_without_digest(load([str(path)]))
        it.append(run_line(8)[40:])
        it.until(it.shows_the_file)
        assert not any("incomplete" in str(problem) for problem in it.bundle.problems)
        it.append(b"\n" + run_line(9) + b"\n")
        it.until(it.shows_the_file)
        assert said_without_digest(it.bundle) == said_without_digest(load([str(path)]))


def said_without_digest(bundle: Bundle) -> dict[str, object]:
    document = said(bundle)
    document["bundle"] = {**document["bundle"], "digest": ""}
    return document


def test_the_digest_is_of_all_bytes_once_they_are_at_rest(path: Path) -> None:
    with followed(path) as it:
        it.append(NEW + run_line(8)[:40])
        it.until(lambda: any(step.digest and step.at_end for step in it.steps))
        assert it.steps[-1].digest == load([str(path)]).digest
        it.append(run_line(8)[40:] + b"\n")
        it.until(lambda: len(it.bundle) == 141)
        it.until(lambda: it.steps[-1].digest == load([str(path)]).digest)


def cut(path: Path) -> None:
    os.truncate(path, len(OLD) // 2)


def put_another_in_its_place(path: Path) -> None:
    draft = path.with_suffix(".draft")
    draft.write_bytes(path.read_bytes() + NEW)
    draft.replace(path)


def write_over(path: Path) -> None:
    path.write_bytes(NEW * 4)


@pytest.mark.parametrize(
    ("change", "reason"),
    [(cut, "was cut"), (put_another_in_its_place, "was replaced by another file"), (write_over, "was written over")],
)
def test_what_is_no_growth_ends_it_with_the_reason(path: Path, change: Callable[[Path], None], reason: str) -> None:
    with followed(path) as it:
        it.until(it.shows_the_file)
        change(path)
        it.until(lambda: it.error is not None)
        assert isinstance(it.error, Lost)
        assert str(it.error) == reason


def test_a_whole_last_line_that_becomes_another_one_ends_it(path: Path) -> None:
    with followed(path) as it:
        it.append(run_line(8))
        it.until(lambda: len(it.bundle) == 101)
        it.append(b" and more\n")
        it.until(lambda: it.error is not None)
        assert isinstance(it.error, Lost)


def test_a_file_that_is_gone_is_told_and_gone_on_with_when_it_is_back(path: Path) -> None:
    with followed(path) as it:
        it.until(it.shows_the_file)
        path.rename(path.with_suffix(".away"))
        it.until(lambda: it.steps[-1].is_gone)
        path.with_suffix(".away").rename(path)
        it.until(lambda: not it.steps[-1].is_gone)
        it.append(NEW)
        it.until(it.shows_the_file)


def test_the_next_to_open_goes_on_where_it_was_left(path: Path) -> None:
    with followed(path) as it:
        it.append(NEW)
        it.until(it.shows_the_file)
    with path.open("ab") as file:
        file.write(NEW)
    bundle, ranges = indexed(path)
    equal(bundle, load([str(path)]))
    assert [low for low, _ in ranges] == [len(OLD) + 1 + len(NEW)]


def test_what_another_program_indexed_meanwhile_is_taken_from_there(path: Path) -> None:
    with followed(path) as it:
        it.append(NEW)
        it.until(lambda: bool(it.steps) and it.steps[-1].is_at_rest)
        it.append(NEW)
        it.until(it.shows_the_file)
        it.until(lambda: it.steps[-1].is_at_rest)
        lock = it.following.building.place
        it.until(lambda: lock.lock is None)
        indexed(path)
        it.append(NEW)
        it.until(lambda: it.error is not None)
        assert isinstance(it.error, Elsewhere)
    equal(indexed(path)[0], load([str(path)]))


def test_two_programs_follow_one_file(path: Path) -> None:
    with followed(path) as one:
        one.until(one.shows_the_file)
        with followed(path) as other:
            assert other.following.building.place.why_temporary
            for _ in range(2):
                one.append(NEW)
                one.until(one.shows_the_file)
                other.until(other.shows_the_file)
    equal(indexed(path)[0], load([str(path)]))


def test_killed_workers_cost_nothing_but_time(path: Path) -> None:
    pool = Pool(1)
    with followed(path, pool) as it:
        for _ in range(3):
            it.until(lambda: it.shows_the_file() and bool(pool.processes))
            os.kill(pool.processes[0], signal.SIGKILL)
            it.append(NEW)
        it.until(it.shows_the_file)
        assert len(it.bundle) == 220


def test_a_killed_follower_leaves_nothing_wrong(path: Path) -> None:
    code = f"""
import os, signal, sys
sys.path.insert(0, {str(ROOT)!r})
from agent_tui.workers.building import asked_of
from agent_tui.workers.engine import Pool
from agent_tui.workers.following import Following
from agent_tui.workers.tasks import How, ReadRange, Task
from agent_tui.workers.tasks import Lost as NotRead
def tell(step):
    if step.rows > 150:
        os.kill(os.getpid(), signal.SIGKILL)
    if step.is_whole:
        with open({str(path)!r}, "ab") as file:
            file.write({NEW!r})
Following(asked_of([{str(path)!r}]), How()).run(Pool(1), tell, lambda: False)
"""
    done = subprocess.run([sys.executable, "-c", code], check=False, cwd=ROOT)
    assert done.returncode == -signal.SIGKILL
    bundle, ranges = indexed(path)
    equal(bundle, load([str(path)]))
    assert all(low > len(OLD) for low, _ in ranges)


def test_edits_and_words_of_their_own_survive_growth(path: Path) -> None:
    other = b'{"id": "r2", "task": "t2", "epoch": 2, "status": "odd", "scores": {"new": 1}, "actual": {"calls": []}}'
    with followed(path) as it:
        it.until(it.shows_the_file)
        it.bundle.edit(2, other)
        more = b'{"id": "last", "task": "t", "status": "also new", "actual": {"calls": []}}\n'
        it.append(NEW + more)
        it.until(lambda: len(it.bundle) == 141)
        plain = load([str(path)])
        plain.edit(2, other)
        assert said_without_digest(it.bundle) == said_without_digest(plain)
        for bundle in (it.bundle, plain):
            bundle.edit(2, bundle.place(2).text)
        assert said_without_digest(it.bundle) == said_without_digest(plain)


def test_a_file_that_has_another_time_before_it_is_longer_has_only_grown(path: Path) -> None:
    with followed(path) as it:
        it.until(it.shows_the_file)
    last = asked_of([str(path)])
    assert last is not None
    assert isinstance(last[0], Input)
    tail = Tail(last[0])
    for _ in range(3):
        now = path.stat()
        os.utime(path, ns=(now.st_atime_ns, now.st_mtime_ns + 1))
        assert tail.grown() is None
    it.append(NEW)
    assert tail.grown() == Stamp.of(path)
    tail = Tail(last[0])
    os.truncate(path, last[0].stamp.size)
    assert tail.grown() is None
    with pytest.raises(Lost, match="was written over"):
        tail.grown()


WRITER = """
import os, sys, time
file = os.open(sys.argv[1], os.O_WRONLY | os.O_APPEND)
print("begun", flush=True)
for _ in range(4000):
    os.write(file, b" " * 99 + b"\\n")
    time.sleep(0.0002)  # so that there is something between two writes
"""


def test_a_file_that_another_program_writes_still_begins_with_what_it_was(path: Path) -> None:
    """A write changes the time before the length, which is met here some hundreds of times."""
    command = [sys.executable, "-c", WRITER, str(path)]
    with path.open("rb") as file, subprocess.Popen(command, stdout=subprocess.PIPE) as writer:
        assert writer.stdout is not None
        writer.stdout.readline()
        looks = 0
        while looks % 1000 or writer.poll() is None:
            assert Stamp.of(file.fileno()).is_still_of(file.fileno())
            looks += 1


def test_stamps_tell_growth_from_change() -> None:
    was = Stamp(10, 5, 1)
    assert [was.holds(now) for now in (was, Stamp(11, 6, 1))] == [True, True]
    assert not any(was.holds(now) for now in (Stamp(10, 6, 1), Stamp(9, 6, 1), Stamp(11, 6, 2)))


class Failing(InOrder):
    """Gives up every range."""

    def map(self, how: How, next_task: Callable[[], Task | None], is_cancelled: Callable[[], bool]) -> Iterator[Done]:
        for task, number, given in super().map(how, next_task, is_cancelled):
            yield task, number, NotRead("workers died of it") if isinstance(task, ReadRange) and given else given


class Misled(InOrder):
    """Takes every file for another one than it was."""

    def map(self, how: How, next_task: Callable[[], Task | None], is_cancelled: Callable[[], bool]) -> Iterator[Done]:
        while (task := next_task()) is not None:
            for _, number, given in done(replace(task, stamp=replace(task.stamp, inode=0)), how):
                yield task, number, given


@pytest.mark.parametrize("engine", [Failing(), Misled()])
def test_what_workers_could_not_read_is_not_taken_for_read(path: Path, engine: InOrder) -> None:
    with followed(path, engine) as it:
        it.until(lambda: it.error is not None)
        assert isinstance(it.error, Elsewhere)
    with followed(path) as it:
        it.until(it.shows_the_file)
