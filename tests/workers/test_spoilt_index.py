"""Whatever becomes of a finished index between two programs, the next one says what reading plainly says."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest

from agent_tui.bundles import load
from agent_tui.bundles.index.columns import Damaged
from agent_tui.bundles.index.frames import read_frames
from agent_tui.bundles.records import Changed
from agent_tui.reports.document import score_document
from agent_tui.workers.building import building_of, filled
from tests.workers.engines import InOrder
from tests.workers.test_building import HEADER, run_line

LINES = b"\n".join([HEADER, *map(run_line, range(300)), b""])


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("AGENT_TUI_CACHE_DIR", str(tmp_path / "cache"))
    file = tmp_path / "runs.jsonl"
    file.write_bytes(LINES)
    through_index(file)
    return file


def through_index(path: Path) -> dict[str, object]:
    building = building_of([str(path)])
    assert building is not None
    bundle = filled(building, InOrder)
    return score_document(bundle, bundle.scorecard())


def plainly(path: Path) -> dict[str, object]:
    bundle = load([str(path)])
    return score_document(bundle, bundle.scorecard())


def index_of(path: Path) -> Path:
    (folder,) = (path.parent / "cache" / "index").iterdir()
    return folder


@pytest.mark.parametrize("share", [0.1, 0.3, 0.5, 0.7, 0.9, 0.999])
def test_an_index_whose_log_is_cut_is_made_again(path: Path, share: float) -> None:
    log = index_of(path) / "log"
    os.truncate(log, int(log.stat().st_size * share))
    assert through_index(path) == plainly(path)


def as_pipe(column: Path) -> None:
    column.unlink()
    os.mkfifo(column)


def as_folder(column: Path) -> None:
    column.unlink()
    column.mkdir()
    (column / "x").touch()


def as_link_to_nothing(column: Path) -> None:
    column.unlink()
    column.symlink_to("nothing")


@pytest.mark.parametrize("put", [as_pipe, as_folder, as_link_to_nothing])
@pytest.mark.parametrize("column", ["ids", "calls", "states", "log"])
def test_something_else_in_the_place_of_a_column_is_taken_away(
    path: Path, column: str, put: Callable[[Path], None]
) -> None:
    put(index_of(path) / column)
    assert through_index(path) == plainly(path)
    assert (index_of(path) / column).is_file()


def test_a_file_that_was_written_over_in_its_middle_and_grew_is_read_anew(path: Path) -> None:
    whole = b"\n".join([HEADER, *map(run_line, range(3000)), b""])
    path.write_bytes(whole)
    through_index(path)
    middle = len(whole) // 2
    with path.open("r+b") as file:
        file.seek(middle - 90_000)
        file.write(whole[middle - 90_000 : middle + 90_000].replace(b'"name": "a"', b'"name": "z"'))
        file.seek(0, os.SEEK_END)
        file.write(run_line(1) + b"\n")
    assert through_index(path) == plainly(path)


def test_an_index_that_is_gone_is_made_again(path: Path) -> None:
    shutil.rmtree(path.parent / "cache")
    assert through_index(path) == plainly(path)


def test_a_column_that_is_damaged_before_a_command_is_made_again_by_it(path: Path) -> None:
    names = [column.name for column in index_of(path).iterdir() if column.suffix != ".lock" and column.stat().st_size]
    for name in names:
        with (index_of(path) / name).open("r+b") as file:
            file.seek(-1, os.SEEK_END)
            (last,) = file.read(1)
            file.seek(-1, os.SEEK_END)
            file.write(bytes([last ^ 1]))
        assert through_index(path) == plainly(path), name


def test_a_bundle_whose_index_is_cut_later_raises_and_the_next_one_is_right(path: Path) -> None:
    building = building_of([str(path)])
    assert building is not None
    bundle = filled(building, InOrder)
    os.truncate(index_of(path) / "f1", 0)
    with pytest.raises(Damaged, match="f1"):
        list(bundle.table.figures["f1"])
    assert not (index_of(path) / "log").exists()
    assert through_index(path) == plainly(path)


def test_a_run_that_was_written_over_where_no_sample_is_taken_is_refused_once_and_then_read_anew(path: Path) -> None:
    whole = b"\n".join([HEADER, *map(run_line, range(12_000)), b""])
    path.write_bytes(whole)
    through_index(path)
    stamp, place = path.stat(), whole.index(b'"name": "a"', len(whole) // 2 + 9_000)
    with path.open("r+b") as file:
        file.seek(place)
        file.write(b'"name": "z"')
    os.utime(path, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))  # as if nobody had written it
    with pytest.raises(Changed):
        through_index(path)
    assert through_index(path) == plainly(path)


def test_a_log_that_lacks_a_frame_is_made_again(path: Path) -> None:
    log = index_of(path) / "log"
    text = log.read_bytes()
    ends = [0]
    with log.open("rb") as file:
        ends += [end for _, end in read_frames(file.fileno())]
    for before, after in pairwise(ends):
        log.write_bytes(text[:before] + text[after:])
        assert through_index(path) == plainly(path)
