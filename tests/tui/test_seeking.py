"""A search knows at any time what lies next, and what it does not know yet."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from agent_tui.bundles import Bundle, load
from agent_tui.runs.edits import SetValue
from agent_tui.runs.paths import parse_path
from agent_tui.tui.seeking import Answer, Seeking
from agent_tui.tui.session import Session
from tests.tui.opened import bundle_of, made_run


@pytest.fixture
def ten(tmp_path: Path) -> Bundle:
    """Ten runs as JSON Lines; those numbered 2, 5 and 6 say hello."""
    lines = [made_run(f"r{n}", input="Hello" if n in (2, 5, 6) else "bye", answer="x" * 40) for n in range(10)]
    path = tmp_path / "ten.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return load([str(path)])


def looked(search: Seeking) -> Seeking:
    for _ in search.looks():
        pass
    return search


def stepped(search: Seeking, stop: Callable[[Seeking], bool]) -> Seeking:
    """A search that went on until something holds."""
    for _ in search.looks():
        if stop(search):
            return search
    raise AssertionError("it never held")


def test_the_next_place_is_found_either_way_and_round_the_end(ten: Bundle) -> None:
    search = looked(Seeking(ten, None, "hello", 5))
    assert (search.found, search.done, search.total) == (3, 10, 10)
    assert [search.next(at, 1) for at in (-1, 2, 5, 6, 9)] == [2, 5, 6, 2, 2]
    assert [search.next(at, -1) for at in (10, 6, 5, 2, 0)] == [6, 5, 2, 6, 6]
    assert [search.place(at) for at in (2, 5, 6)] == [1, 2, 3]


def test_what_was_not_looked_at_is_not_known_yet(ten: Bundle) -> None:
    search = stepped(Seeking(ten, None, "hello", 4, at_once=1), lambda search: search.high == 6)
    assert search.next(3, 1) == 5
    assert search.next(4, -1) is Answer.NOT_YET
    assert search.next(5, 1) is Answer.NOT_YET
    assert search.next(1, 1) is Answer.NOT_YET  # between 1 and 5 there may be another


def test_it_is_first_looked_the_way_that_is_asked_for(ten: Bundle) -> None:
    search = Seeking(ten, None, "hello", 4, at_once=1)
    search.step = -1
    stepped(search, lambda search: search.low == 2)
    assert (search.next(4, -1), search.high) == (2, 4)


def test_what_nobody_says_is_found_nowhere(ten: Bundle) -> None:
    assert looked(Seeking(ten, None, "no such", 3)).next(3, 1) is Answer.NONE


def test_a_search_that_is_stopped_can_go_on_where_it_was(ten: Bundle) -> None:
    search = Seeking(ten, None, "hello", 0, at_once=1)
    stepped(search, lambda search: search.found == 1).is_stopped = True
    looked(search)
    assert search.done < 5
    search.is_stopped = False
    assert looked(search).found == 3


def test_only_shown_runs_are_searched_in_their_order(ten: Bundle) -> None:
    session = Session(ten, needle="hello")
    session.set_sort("id", descending=True)
    assert looked(session.seeking(0)).next(-1, 1) == 3  # r6, after r9, r8 and r7
    session.set_filter("id = r2")
    search = looked(session.seeking(0))
    assert (search.total, search.next(-1, 1)) == (1, 0)


def test_a_changed_run_is_searched_as_it_is_shown(ten: Bundle) -> None:
    session = Session(ten, needle="hello")
    session.change(2, SetValue(parse_path("input"), b'"bye"'))
    session.change(8, SetValue(parse_path("input"), b'"oh hello"'))
    search = looked(session.seeking(0))
    assert [search.next(at, 1) for at in (-1, 5, 6)] == [5, 6, 8]


def test_runs_that_come_later_are_looked_at_when_the_search_goes_on(tmp_path: Path) -> None:
    bundle = bundle_of(tmp_path, made_run("a", input="hello"))
    search = looked(Seeking(bundle, None, "hello", 0))
    more = bundle_of(tmp_path, made_run("a"), made_run("b", input="hello"))
    search.bundle = more
    assert not search.is_done
    assert looked(search).next(0, 1) == 1


def test_a_file_that_cannot_be_read_any_more_ends_the_search_and_says_so(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    filler = "x" * 1_000_000
    path.write_text("".join(json.dumps(made_run(f"r{n}", answer=filler + "hello")) + "\n" for n in range(20)))
    bundle = load([str(path)])
    path.write_text("[]")
    search = looked(Seeking(bundle, None, "hello", 0))
    assert "has changed since it was opened" in search.problem
    assert 0 < search.found < 20


def test_the_thread_tells_of_the_first_place_and_of_the_end(ten: Bundle) -> None:
    search, told = Seeking(ten, None, "hello", 0), []
    search.is_awaited = True
    search.run(lambda: told.append((search.found, search.done)), lambda: False)
    assert told[-1] == (3, 10)
    assert (1, 2) in told or told[0][0] <= 1


def test_a_cancelled_thread_ends(ten: Bundle) -> None:
    search = Seeking(ten, None, "hello", 0)
    search.run(lambda: None, lambda: True)
    assert search.is_stopped
    assert search.done < 10
