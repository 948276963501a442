"""The journal of a file that is being written: what is added leaves the changes to their runs."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from agent_tui.bundles import Bundle, load
from agent_tui.bundles.journal import Journal, Pending
from agent_tui.bundles.what_if import WhatIf, set_value
from agent_tui.errors import BadPatch
from agent_tui.runs.json_values import parse
from tests.growing import HEADER, append, line, lines, put_in_its_place

AMOUNT = "actual.calls[0].args.n"
OTHERS = "its first 6 runs are others"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "runs.jsonl"
    path.write_text(HEADER + lines(0, 6))
    return path


def change(*paths: Path, row: int = 2) -> None:
    bundle = load([str(path) for path in paths])
    WhatIf(bundle, Journal(bundle)).change(row, set_value(AMOUNT, "77"))


def taken_up(*paths: Path) -> Bundle:
    bundle = load([str(path) for path in paths])
    journal = Journal(bundle)
    pending = journal.pending()
    assert pending is not None
    journal.take_up(WhatIf(bundle, journal), pending)
    return bundle


def pending_of(path: Path) -> Pending | None:
    return Journal(load([str(path)])).pending()


def test_a_file_that_grew_keeps_the_changes_of_its_runs(path: Path) -> None:
    change(path)
    append(path, lines(6, 9))
    assert [row for row in range(9) if taken_up(path).is_edited(row)] == [2]


def test_a_run_keeps_its_change_where_one_that_came_gives_it_another_name(path: Path) -> None:
    change(path)
    append(path, line(2, epoch=2))
    bundle = taken_up(path)
    assert (bundle.names.name(2), bundle.is_edited(2), bundle.edited) == ("r2#1", True, 1)


def test_a_change_made_while_the_digest_is_not_known_is_kept_with_its_run(path: Path) -> None:
    bundle = load([str(path)])
    bundle.digest = ""  # as while a file is followed
    WhatIf(bundle, Journal(bundle)).change(2, set_value(AMOUNT, "77"))
    assert taken_up(path).is_edited(2)
    append(path, lines(6, 9))
    assert taken_up(path).is_edited(2)


def test_the_first_of_two_files_may_grow(path: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.jsonl"
    other.write_text(HEADER + lines(10, 13))
    change(path, other, row=7)
    append(path, lines(6, 9))
    bundle = taken_up(path, other)
    assert (bundle.is_edited(10), bundle.edited) == (True, 1)


def test_changes_made_before_and_after_it_grew_are_all_kept(path: Path) -> None:
    change(path)
    append(path, lines(6, 8))
    bundle = load([str(path)])
    journal = Journal(bundle)
    what_if = WhatIf(bundle, journal)
    pending = journal.pending()
    assert pending is not None
    journal.take_up(what_if, pending)
    what_if.change(7, set_value(AMOUNT, "77"))
    append(path, lines(8, 9))
    bundle = taken_up(path)
    assert [row for row in range(9) if bundle.is_edited(row)] == [2, 7]


def test_what_was_undone_before_it_grew_can_be_made_again(path: Path) -> None:
    bundle = load([str(path)])
    what_if = WhatIf(bundle, Journal(bundle))
    for row in (1, 2):
        what_if.change(row, set_value(AMOUNT, "77"))
    what_if.undo()
    append(path, lines(6, 8))
    bundle = load([str(path)])
    journal, what_if = Journal(bundle), WhatIf(bundle)
    pending = journal.pending()
    assert pending is not None
    journal.take_up(what_if, pending)
    what_if.redo()
    assert [row for row in range(8) if bundle.is_edited(row)] == [1, 2]


REWRITTEN = {
    "one is another": (lines(0, 5) + line(5, answer="other") + lines(6, 9), OTHERS),
    "cut": (lines(0, 5), "it has 5 runs, and had 6"),
    "one is before them": (line(99) + lines(0, 8), OTHERS),
    "in another order": (lines(3, 6) + lines(0, 3) + lines(6, 9), OTHERS),
}


@pytest.mark.parametrize("write", [Path.write_text, put_in_its_place])
@pytest.mark.parametrize("how", REWRITTEN)
def test_a_file_that_was_rewritten_is_said_and_nothing_is_applied(
    path: Path, how: str, write: Callable[[Path, str], object]
) -> None:
    text, said = REWRITTEN[how]
    change(path)
    write(path, HEADER + text)
    pending = pending_of(path)
    assert pending is not None
    assert pending.reason == f"what is opened is not what it was: {said}"
    with pytest.raises(BadPatch, match="not what it was"):
        taken_up(path)


def test_changes_kept_without_the_hashes_of_the_runs_are_held_to_the_digest(path: Path) -> None:
    change(path)
    journal = Journal(load([str(path)]))
    assert journal.path is not None
    kept = [parse(text.decode()) for text in journal.path.read_bytes().splitlines()]
    for each in kept:
        assert isinstance(each, dict)
        each.pop("runs", None)
        each.pop("places", None)
    journal.path.write_text("".join(json.dumps(each) + "\n" for each in kept))
    assert taken_up(path).edited == 1
    append(path, line(6))
    pending = pending_of(path)
    assert pending is not None
    assert "not what it was" in pending.reason


@pytest.mark.parametrize("place", [[1, 0], [0, 6], [0, -1]])
def test_a_place_that_is_none_is_said_and_nothing_is_applied(path: Path, place: list[int]) -> None:
    change(path)
    journal = Journal(load([str(path)]))
    assert journal.path is not None
    journal.path.write_bytes(journal.path.read_bytes().replace(b"[[0,2]]", json.dumps([place]).encode()))
    pending = pending_of(path)
    assert pending is not None
    assert pending.reason == "the journal is damaged"
