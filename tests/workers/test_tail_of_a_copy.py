"""A file that only we write, as the copy of a pipe: its end is told and not guessed, and nothing of it changes."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest
from msgspec.structs import replace

from agent_tui.bundles import Bundle, load
from agent_tui.bundles.index.place import Input
from agent_tui.readers.ranges import Stamp
from agent_tui.workers.following import Following, Step, Tail
from agent_tui.workers.tasks import How
from tests.workers.engines import InOrder
from tests.workers.test_building import HEADER, run_line, said

LINES = b"".join(text + b"\n" for text in [HEADER, *map(run_line, range(50))])


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("AGENT_TUI_CACHE_DIR", str(tmp_path / "cache"))
    path = tmp_path / "copy"
    path.write_bytes(LINES)
    return path


def append(path: Path, text: bytes) -> None:
    with path.open("ab") as file:
        file.write(text)


def read(path: Path, size: int = len(LINES)) -> Input:
    return Input(str(path), None, replace(Stamp.growing(path), size=size), known_as="-")


def test_a_line_without_an_end_waits_for_the_end_and_for_no_time(path: Path) -> None:
    has_ended = threading.Event()
    tail = Tail(read(path), has_ended.is_set)
    append(path, b"torn")
    assert (tail.grown(), tail.is_at_rest) == (None, False)
    has_ended.set()
    grown = tail.grown()
    assert grown is not None
    assert grown.size == len(LINES) + 4
    tail.take(read(path, grown.size))
    assert (tail.grown(), tail.is_at_rest) == (None, True)


def test_what_comes_right_before_the_end_is_seen(path: Path) -> None:
    def ends() -> bool:
        append(path, b"last\n")
        return True

    grown = Tail(read(path), ends).grown()
    assert grown is not None
    assert grown.size == len(LINES) + 5


def test_that_it_is_being_written_is_no_change(path: Path) -> None:
    ours, others = Stamp.growing(path), Stamp.of(path)
    os.utime(path, ns=(1, 1))
    assert ours.holds(Stamp.of(path))
    assert not others.holds(Stamp.of(path))
    path.write_bytes(LINES[:-1])
    assert not ours.holds(Stamp.of(path))


def test_what_was_read_of_it_as_of_any_file_is_gone_on_with(path: Path) -> None:
    tail = Tail(Input(str(path), None, Stamp.of(path)), lambda: False)
    assert tail.grown() is None
    append(path, b"more\n")
    grown = tail.grown()
    assert grown is not None
    assert grown.size == len(LINES) + 5


def test_a_copy_is_read_to_its_end_as_the_file_is(path: Path) -> None:
    has_ended, steps, bundle = threading.Event(), list[Step](), Bundle()

    def tell(step: Step) -> None:
        steps.append(step)
        step.show(bundle)
        if step.is_whole and len(bundle) == 50 and not has_ended.is_set():
            assert bundle.digest == ""
            append(path, run_line(50) + b"\n" + run_line(51)[:20])
            has_ended.set()

    following = Following([read(path)], How(), has_ended.is_set)
    following.run(InOrder(), tell, lambda: bool(steps) and steps[-1].is_at_rest)
    following.building.place.close()
    plain = load([str(path)])
    ours, theirs = said(bundle), said(plain)
    assert len(bundle) == len(plain) == 51
    assert (ours["matchers"], bundle.digest) == (theirs["matchers"], plain.digest)
    assert [problem.reason for problem in bundle.problems] == [problem.reason for problem in plain.problems]
    assert "incomplete line" in bundle.problems[-1].reason
