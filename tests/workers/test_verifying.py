"""An index that is held to every byte of its files, and one in a cache that cannot be written."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from agent_tui.bundles import Bundle, load
from agent_tui.bundles.index.columns import kind_known
from agent_tui.workers.building import Building, asked_of, building_of, filled
from agent_tui.workers.following import Lost
from agent_tui.workers.tasks import How
from tests.workers.test_appending import NEW, OLD, Watched, indexed
from tests.workers.test_building import equal, run_line
from tests.workers.test_following import followed

_LONG = b"\n".join([OLD, b"{", *map(run_line, range(200, 2000))]) + b"\n"
"""Long enough for bytes that no sample is taken of."""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "runs.jsonl"
    path.write_bytes(_LONG)
    indexed(path)
    return path


def verified(path: Path) -> tuple[Bundle, list[tuple[int, int]], list[str]]:
    """The bundle of an index that is held to every byte, the ranges that were read for it, and what is said of it."""
    asked = asked_of([str(path)])
    assert asked is not None
    engine, building, bundle = Watched(), Building(asked, How(), verifies=True), Bundle()
    for _ in building.run(engine, cuts=(1 << 20, 1 << 20)):
        pass
    building.view.follow()
    building.view.show(bundle)
    building.place.close()
    return bundle, engine.ranges, building.notes


def change_a_run(path: Path, more: bytes = b"") -> None:
    """Put another argument in the place of one, where no sample is taken; the time stays what it was."""
    was, text = path.stat(), path.read_bytes()
    place = text.index(b'"n": ', len(text) * 30 // 65 + 4500) + 5
    with path.open("r+b") as file:
        file.seek(place)
        file.write(b"7")
        file.seek(0, os.SEEK_END)
        file.write(more)
    os.utime(path, ns=(was.st_atime_ns, was.st_mtime_ns))


def test_a_run_that_was_changed_unseen_is_found_when_it_is_asked_for(path: Path) -> None:
    change_a_run(path)
    assert indexed(path)[1] == []
    bundle, ranges, notes = verified(path)
    equal(bundle, load([str(path)]))
    assert ranges[0][0] == 0
    assert [note.partition(": ")[0] for note in notes] == [str(path)]
    assert verified(path)[1:] == ([], [])


def test_a_run_that_was_changed_unseen_is_found_when_the_file_has_grown(path: Path) -> None:
    change_a_run(path, NEW)
    building = building_of([str(path)])
    assert building is not None
    equal(filled(building, Watched), load([str(path)]))
    assert verified(path)[1:] == ([], [])


def test_a_screen_finds_it_when_the_file_has_come_to_rest(path: Path) -> None:
    change_a_run(path, NEW)
    with followed(path) as it:
        it.until(lambda: it.error is not None)
        assert isinstance(it.error, Lost)
        assert str(it.error) == "was written over"


def test_a_file_that_is_as_it_was_is_not_read_again(path: Path) -> None:
    bundle, ranges, notes = verified(path)
    equal(bundle, load([str(path)]))
    assert (ranges, notes) == ([], [])


def test_a_file_beside_it_that_holds_no_runs_does_not_have_it_read_again(path: Path) -> None:
    path.with_name("notes.txt").write_text("nothing to read")
    first, ranges, _ = verified(path.parent)
    assert ranges
    again, ranges, notes = verified(path.parent)
    equal(again, first)
    assert (ranges, notes) == ([], [])


def test_of_a_file_that_has_only_grown_the_new_lines_are_read(path: Path) -> None:
    with path.open("ab") as file:
        file.write(NEW)
    bundle, ranges, notes = verified(path)
    equal(bundle, load([str(path)]))
    assert ([low for low, _ in ranges], notes) == ([len(_LONG)], [])


def test_a_file_that_is_named_otherwise_has_the_same_index(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(path.parent)
    for name in (Path(path.name), Path("..", path.parent.name, path.name), path):
        bundle, ranges = indexed(name)
        assert ranges == []
        equal(bundle, load([str(name)]))
        assert bundle.place(3).file == str(name)
        assert [problem.file for problem in bundle.problems] == [problem.file for problem in load([str(name)]).problems]
    assert verified(Path(path.name))[1:] == ([], [])
    with path.open("ab") as file:
        file.write(NEW)
    bundle, ranges = indexed(Path(path.name))
    equal(bundle, load([path.name]))
    assert [low for low, _ in ranges] == [len(_LONG)]


def shut(path: Path) -> Path:
    """Let nobody write the only index there is; its folder."""
    folder = next((Path(os.environ["AGENT_TUI_CACHE_DIR"]) / "index").iterdir())
    (folder / "writer.lock").unlink()
    (folder / "writer.lock").mkdir()
    return folder


def test_an_index_that_cannot_be_written_is_read(path: Path) -> None:
    folder = shut(path)
    before = {each.name: each.stat().st_mtime_ns for each in folder.iterdir()}
    bundle, ranges = indexed(path)
    equal(bundle, load([str(path)]))
    assert ranges == []
    assert {each.name: each.stat().st_mtime_ns for each in folder.iterdir()} == before


def break_a_column(folder: Path) -> None:
    for each in folder.iterdir():
        if kind_known(each.name) and each.stat().st_size:
            each.write_bytes(each.read_bytes()[:-1] + b"\xff")


def cut_the_log(folder: Path) -> None:
    os.truncate(folder / "log", (folder / "log").stat().st_size - 1)


def give_it_to_somebody(folder: Path) -> None:
    os.chown(folder / "log", 12345, -1)


def take_nothing(_: Path) -> None:
    return None


@pytest.mark.parametrize(
    ("damage", "more"), [(break_a_column, b""), (cut_the_log, b""), (take_nothing, NEW)], ids=["column", "log", "grown"]
)
def test_one_that_cannot_be_written_and_is_not_whole_is_made_elsewhere(
    path: Path, damage: Callable[[Path], None], more: bytes
) -> None:
    damage(shut(path))
    with path.open("ab") as file:
        file.write(more)
    bundle, ranges, notes = verified(path)
    equal(bundle, load([str(path)]))
    assert ranges[0][0] == 0
    assert "not kept" in notes[-1]


@pytest.mark.skipif(os.getuid() != 0, reason="a file is given to somebody else by root alone")
def test_an_index_of_somebody_else_is_not_trusted(path: Path) -> None:
    give_it_to_somebody(shut(path))
    bundle, ranges = indexed(path)
    equal(bundle, load([str(path)]))
    assert ranges[0][0] == 0
