"""Standard input that goes on: what is there is read at once, and nobody has to wait for the rest."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from agent_tui.errors import Problem
from agent_tui.readers import streams
from agent_tui.safety import Limits


@pytest.fixture
def pipe(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """The end to write to of a pipe that is standard input."""
    reads, writes = os.pipe()
    with open(reads) as standard_input:
        monkeypatch.setattr("sys.stdin", standard_input)
        yield writes
        os.close(writes)


def test_what_is_in_the_pipe_is_given_before_it_ends(pipe: int) -> None:
    chunks = streams._chunks("-", lambda: True)
    os.write(pipe, b"one")
    assert next(chunks) == b"one"
    os.write(pipe, b"two")
    assert next(chunks) == b"two"


def test_whoever_waits_for_the_rest_can_be_told_not_to(pipe: int) -> None:
    os.write(pipe, b"{}")
    with ThreadPoolExecutor() as threads:
        found = threads.submit(streams.stream_source, "-", Limits())
        while not found.done():
            streams.stop_waiting()
        problem = found.result()
    assert isinstance(problem, Problem)
    assert str(problem) == "-: cannot be read past 2 bytes: nobody waits for the rest of it"
