"""The copy of a stream: what others see of it while it is written, and what is said where it ends too soon."""

from __future__ import annotations

import os
import resource
from collections.abc import Iterator
from pathlib import Path

import pytest

from agent_tui.errors import Problem
from agent_tui.readers.stream_copy import Copy, Unwritten
from agent_tui.readers.streams import begin_copy, copy_of, read_copy, stream_source
from agent_tui.safety import Limits


def made(limits: Limits | None = None) -> Copy:
    return Copy("-", limits or Limits())


def text_of(copy: Copy) -> bytes:
    return b"".join(copy.source().chunks())


def test_others_read_what_has_come_while_more_comes() -> None:
    copy, seen = made(), list[tuple[int, bytes]]()

    def chunks() -> Iterator[bytes]:
        yield b"one"
        if copy.path is None:
            pytest.skip("this system has no name for a file without one")
        seen.append((copy.size, copy.path.read_bytes()))
        yield b""
        yield b" two"

    copy.fill(chunks())
    assert seen == [(3, b"one")]
    assert (text_of(copy), copy.is_open, copy.refused, copy.left_out) == (b"one two", False, None, None)


def test_the_first_bytes_are_there_whatever_comes() -> None:
    copy = made()
    copy.fill([b"one two"])
    assert copy.first(3) == b"one"


def test_what_is_over_the_limit_is_left_out_and_said() -> None:
    copy = made(Limits(stream=5))
    copy.fill(iter([b"123", b"456", b"789"]))
    assert text_of(copy) == b"12345"
    why = "5 bytes are the most that is copied of a pipe"
    assert str(copy.refused) == f"-: cannot be read past 5 bytes: {why}"
    assert str(copy.left_out) == f"-: the rest after 5 bytes is left out: {why}"


def test_a_stream_as_long_as_the_limit_is_whole() -> None:
    copy = made(Limits(stream=6))
    copy.fill([b"123", b"456", b""])
    assert (text_of(copy), copy.refused) == (b"123456", None)


@pytest.fixture
def little_room() -> Iterator[None]:
    """No file may be over a thousand bytes."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.usefixtures("little_room")
def test_where_there_is_no_room_the_beginning_stays() -> None:
    copy = made()
    copy.fill([b"a" * 900, b"b" * 900, b"c"])
    assert text_of(copy) == b"a" * 900 + b"b" * 100
    said = "no room: File too large; TMPDIR names a folder that has room"
    assert str(copy.left_out) == f"-: the rest after 1,000 bytes is left out: {said}"


def test_what_an_index_needs_is_left_free() -> None:
    copy = Copy("-", Limits(stream=1 << 62), leaves_room=True)
    copy.size = 1 << 60
    copy.fill([b"more"])
    assert "that are left are for its index" in str(copy.left_out)


def test_nobody_waits_for_more() -> None:
    copy = made()

    def chunks() -> Iterator[bytes]:
        yield b"one"
        copy.leave()
        yield b"two"

    copy.fill(chunks())
    assert (text_of(copy), copy.is_open) == (b"one", False)
    assert "nobody waits for the rest of it" in str(copy.refused)


def test_a_pipe_that_nobody_writes_to_is_empty() -> None:
    def chunks() -> Iterator[bytes]:
        raise Unwritten(0, "nobody writes to it")
        yield b""

    copy = made()
    copy.fill(chunks())
    assert isinstance(copy.refused, Problem)
    assert (copy.refused.kind, str(copy.refused)) == ("empty_file", "-: cannot be read: nobody writes to it")


def test_a_copy_is_made_once_and_told_of_as_it_grows(tmp_path: Path) -> None:
    pipe = str(tmp_path / "runs.pipe")
    os.mkfifo(pipe)
    writes = os.open(pipe, os.O_RDWR)
    copy = begin_copy(pipe, Limits())
    assert copy is not None
    assert copy is begin_copy(pipe, Limits()) is copy_of(pipe)
    os.write(writes, b"one")
    while not copy.size:
        copy.wait(0.01)
    os.close(writes)
    while copy.is_open:
        copy.wait(1)
    read_copy(pipe, copy)
    source = stream_source(pipe, Limits())
    assert not isinstance(source, Problem)
    assert b"".join(source.chunks()) == b"one"
