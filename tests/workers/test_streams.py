"""What can be read only once goes through an index like a file, under the name that people gave it."""

from __future__ import annotations

import gzip
import io
import os
import threading
from pathlib import Path

import pytest

from agent_tui.bundles import Bundle, load
from agent_tui.reports.document import score_document
from agent_tui.workers.building import Building, building_of, filled
from agent_tui.workers.engine import Pool
from agent_tui.workers.loading import LEAST, is_large
from tests.workers.test_building import HEADER, run_line

LINES = b"\n".join([HEADER, *map(run_line, range(200)), b"{broken", b""])


@pytest.fixture(autouse=True)
def _cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AGENT_TUI_CACHE_DIR", str(tmp_path / "cache"))


def give(monkeypatch: pytest.MonkeyPatch, text: bytes) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text)))


def building(path: str) -> Building:
    found = building_of([path])
    if found is None:
        pytest.skip("this system has no name for a file without one")
    return found


def document(bundle: Bundle) -> dict[str, object]:
    return score_document(bundle, bundle.scorecard())


@pytest.mark.parametrize("packed", [False, True], ids=["plain", "gzip"])
def test_an_index_of_standard_input_says_what_reading_it_says(monkeypatch: pytest.MonkeyPatch, packed: bool) -> None:
    text = gzip.compress(LINES) if packed else LINES
    give(monkeypatch, text)
    bundle = filled(building("-"), lambda: Pool(1))
    give(monkeypatch, text)
    assert document(bundle) == document(load(["-"]))
    assert [source.file for source in bundle.sources] == ["-"]
    assert {problem.file for problem in bundle.problems} == {"-"}
    assert bundle.place(0).file == "-"


def test_the_runs_of_a_stream_are_read_where_its_copy_lies(monkeypatch: pytest.MonkeyPatch) -> None:
    give(monkeypatch, LINES)
    bundle = filled(building("-"), lambda: Pool(1))
    assert bundle.record(1) == run_line(1)


def test_the_index_of_a_stream_goes_away_and_nothing_is_said_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    give(monkeypatch, LINES)
    made = building("-")
    assert (made.notes, made.place.folder.is_dir()) == ([], True)
    filled(made, lambda: Pool(1))
    assert not made.place.folder.exists()


def test_a_stream_is_large_by_what_is_in_it_and_is_read_once_for_that(monkeypatch: pytest.MonkeyPatch) -> None:
    give(monkeypatch, LINES)
    assert not is_large(["-"])
    assert len(load(["-"])) == 200
    give(monkeypatch, b"\n" * LEAST)
    assert is_large(["-"]) or building_of(["-"]) is None


def test_an_index_of_a_pipe_has_its_name(tmp_path: Path) -> None:
    pipe = tmp_path / "runs.pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=[LINES], daemon=True)
    writer.start()
    bundle = filled(building(str(pipe)), lambda: Pool(1))
    writer.join(10)
    assert (len(bundle), bundle.sources[0].file) == (200, str(pipe))
