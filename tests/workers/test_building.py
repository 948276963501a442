"""An index says what reading the files plainly says, however they are cut and whoever reads which part when."""

from __future__ import annotations

import gzip
import json
import os
import signal
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agent_tui.bundles import Bundle, load
from agent_tui.bundles.index.columns import Damaged
from agent_tui.bundles.records import Changed
from agent_tui.reports.document import score_document
from agent_tui.workers.building import Building, asked_of, filled
from agent_tui.workers.engine import Engine, Pool
from agent_tui.workers.tasks import How
from tests.workers.engines import InOrder, Muddled
from tests.writing import call, run_of, write_bundle

ROOT = Path(__file__).parents[2]
HEADER = json.dumps({"schema": "agent-tui/1", "bundle": {"model": "m", "name": "made"}}).encode()
OTHER_HEADER = b'{"schema": "agent-tui/1", "bundle": {"model": "n"}}'


def run_line(number: int) -> bytes:
    """One of some hundred different runs; ids, tasks and whole identities repeat."""
    random = Random(number)
    calls = [call(random.choice("abc"), n=random.randrange(3)) for _ in range(random.randrange(4))]
    did = random.choice([calls, calls[::-1], calls[:-1], [*calls, *calls[-1:]]])
    scores = random.choice([{}, {"success": random.choice([0, 1, None, "x"])}, {"q": 0.25, "näh": 7}])
    run = run_of(f"r{number % 60}", expected=calls, actual=did, task=f"t{number % 7}", epoch=number % 5, scores=scores)
    if number % 11 == 0:
        run["id"] = "odd \ud800\x1b"
    if number % 13 == 0:
        run["status"] = random.choice(["running", "error", "queued"])
    return json.dumps(run).encode()


LINES = st.one_of(
    st.integers(0, 200).map(run_line),
    st.integers(0, 200).map(run_line),
    st.sampled_from(
        [b"", b" \t", b"{", b"[1]", b"\xff\xfe", b'{"id": 1}', OTHER_HEADER, b'{"id": "a", "scores": NaN}']
    ),
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("runs")


def built(paths: list[str], engine: Engine, cuts: tuple[int, int] = (1 << 20, 1 << 20)) -> Bundle:
    """The bundle of an index that is made now."""
    asked = asked_of(paths)
    assert asked is not None
    building = Building(asked, How())
    for _ in building.run(engine, cuts=cuts):
        pass
    bundle = Bundle()
    building.view.follow()
    building.view.show(bundle)
    return bundle


def said(bundle: Bundle) -> dict[str, Any]:
    """All that a report says of a bundle, and its records."""
    document = score_document(bundle, bundle.scorecard())
    problems = sorted(map(str, bundle.problems))
    document["bundle"] |= {"problems": problems, "skipped": []}
    places = [bundle.place(row) for row in range(len(bundle))]
    records = [(place.text, place.file, place.line, place.member) for place in places]
    return {**document, "records": records, "counts": [source.runs for source in bundle.sources]}


def equal(indexed: Bundle, plain: Bundle) -> None:
    assert indexed.is_complete
    assert said(indexed) == said(plain)
    names = [plain.names.name(row) for row in range(len(plain))]
    assert [indexed.names.find(name) for name in names] == [plain.names.find(name) for name in names]


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    lines=st.lists(LINES, min_size=2, max_size=40),
    starts=st.sampled_from([[HEADER], [b"\xef\xbb\xbf" + HEADER], [], [b"", HEADER]]),
    end=st.sampled_from([b"\n", b"", b"\r\n\n"]),
    cuts=st.tuples(st.integers(1, 3000), st.integers(1, 3000)),
    seed=st.integers(0, 9),
)
def test_any_cuts_in_any_order_give_the_same_runs(
    folder: Path, lines: list[bytes], starts: list[bytes], end: bytes, cuts: tuple[int, int], seed: int
) -> None:
    path = folder / "runs.jsonl"
    path.unlink(missing_ok=True)
    path.write_bytes(b"\n".join([*starts, run_line(1), *lines, run_line(2)]) + end)
    equal(built([str(path)], Muddled(Random(seed)), cuts), load([str(path)]))


def test_files_of_every_kind_are_in_their_order(tmp_path: Path) -> None:
    lines = [HEADER, *map(run_line, range(120))]
    (tmp_path / "a.jsonl").write_bytes(b"\n".join(lines))
    write_bundle(tmp_path / "b.json", *(json.loads(line) for line in lines[1:40]))
    (tmp_path / "c.jsonl.gz").write_bytes(gzip.compress(b"\n".join(lines[:50])))
    (tmp_path / "d.txt").write_bytes(b"no runs")
    (tmp_path / "e.jsonl").write_bytes(b"\n".join(lines[:90]) + b"\n")
    paths = [str(tmp_path), str(tmp_path / "gone.json")]
    plain = load(paths)
    equal(built(paths, InOrder(), (500, 3000)), plain)


def test_worker_processes_give_the_same_runs(tmp_path: Path) -> None:
    path = tmp_path / "runs.jsonl"
    path.write_bytes(b"\n".join([HEADER, *map(run_line, range(3000))]))
    equal(built([str(path)], Pool(2), (5000, 100_000)), load([str(path)]))


def opened(path: Path) -> Building:
    asked = asked_of([str(path)])
    assert asked is not None
    return Building(asked, How())


def test_what_is_in_the_index_is_there_at_once(tmp_path: Path) -> None:
    path = tmp_path / "runs.jsonl"
    path.write_bytes(b"\n".join([HEADER, *map(run_line, range(300))]))
    built([str(path)], InOrder())
    bundle, again = Bundle(), opened(path)
    again.view.show(bundle)
    equal(bundle, load([str(path)]))
    assert list(again.run(InOrder())) == []


def steps(building: Building, count: int) -> None:
    """Read some parts, and end as a killed program does: nothing more is said."""
    running: Iterator[int] = building.run(InOrder(), cuts=(500, 4000))
    for _ in range(count):
        next(running)
    running.close()


@pytest.mark.parametrize("count", [1, 2, 3, 6])
def test_what_was_begun_is_gone_on_with(tmp_path: Path, count: int) -> None:
    path = tmp_path / "runs.jsonl"
    path.write_bytes(b"\n".join([HEADER, *map(run_line, range(300))]))
    steps(opened(path), count)
    left = opened(path)
    assert left.view.finished is None
    assert (left.view.rows > 0) == (count > 1)
    left.place.leave()
    equal(built([str(path)], InOrder(), (500, 4000)), load([str(path)]))


def columns(path: Path) -> list[Path]:
    building = opened(path)
    building.view.close()
    return sorted(file for file in building.place.folder.iterdir() if file.suffix != ".lock" and file.stat().st_size)


@pytest.mark.parametrize("harm", ["cut", "flip", "gone", "more"])
def test_a_damaged_index_is_never_shown(tmp_path: Path, harm: str) -> None:
    path = tmp_path / "runs.jsonl"
    path.write_bytes(b"\n".join([HEADER, *map(run_line, range(100))]))
    plain = load([str(path)])
    built([str(path)], InOrder())
    for file in columns(path):
        whole = file.read_bytes()
        middle = len(whole) // 2
        flipped = whole[:middle] + bytes([whole[middle] ^ 4]) + whole[middle + 1 :]
        if harm == "gone":
            file.unlink()
        else:
            file.write_bytes({"cut": whole[:middle], "flip": flipped, "more": whole + b"x"}[harm])
        bundle, again = Bundle(), opened(path)
        try:
            again.view.show(bundle)
        except Damaged:
            again.make_again()
        if not bundle.is_complete:
            again.place.close()
            bundle = built([str(path)], InOrder())
        equal(bundle, plain)


def test_a_file_that_was_changed_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "runs.jsonl"
    path.write_bytes(b"\n".join([HEADER, *map(run_line, range(100))]))
    built([str(path)], InOrder())
    path.write_bytes(b"\n".join([HEADER, *map(run_line, range(100, 180))]))
    equal(built([str(path)], InOrder()), load([str(path)]))


def test_an_edit_changes_the_bundle_and_not_the_index(tmp_path: Path) -> None:
    path = tmp_path / "runs.jsonl"
    path.write_bytes(b"\n".join([HEADER, *map(run_line, range(100))]))
    bundles = [built([str(path)], InOrder()), load([str(path)])]
    other = json.loads(run_line(3)) | {"scores": {"success": 0, "new": 1}, "status": "odd", "actual": {"calls": []}}
    for bundle in bundles:
        bundle.edit(2, json.dumps(other).encode())
    equal(*bundles)
    bundle, again = Bundle(), opened(path)
    again.view.show(bundle)
    equal(bundle, load([str(path)]))


def test_a_run_that_was_written_over_is_said_and_never_shown_as_another(tmp_path: Path) -> None:
    path = tmp_path / "runs.jsonl"
    path.write_bytes(b"\n".join([HEADER, *map(run_line, range(100))]))
    bundle, plain = built([str(path)], InOrder()), load([str(path)])
    whole = path.read_bytes()
    place = whole.index(plain.record(7))
    with path.open("r+b") as file:
        file.seek(place + 20)
        file.write(b"?")
        file.seek(0, 2)
        file.write(b"\n" + run_line(5))
    assert [bundle.record(row) for row in (6, 8, 99)] == [plain.record(row) for row in (6, 8, 99)]
    with pytest.raises(Changed, match=r"runs\.jsonl: has changed since it was opened"):
        bundle.run(7)
    bundle.shows_changed = True
    run = bundle.run(7)
    assert (run.id, run.calls, run.notes[0].partition(": ")[2]) == (
        plain.run(7).id,
        None,
        "has changed since it was opened: open it again",
    )
    with pytest.raises(Changed):
        bundle.edit(7, run_line(3))


def test_a_killed_worker_costs_nothing_but_time(tmp_path: Path) -> None:
    path = tmp_path / "runs.jsonl"
    path.write_bytes(b"\n".join([HEADER, *map(run_line, range(2000))]))
    pool, building = Pool(2), opened(path)
    killed = 0
    for _ in building.run(pool, cuts=(5000, 50_000)):
        if killed < 2 and pool.processes:
            os.kill(pool.processes[0], signal.SIGKILL)
            killed += 1
    bundle = Bundle()
    building.view.follow()
    building.view.show(bundle)
    assert killed == 2
    equal(bundle, load([str(path)]))


def test_a_killed_program_is_gone_on_with(tmp_path: Path) -> None:
    path = tmp_path / "runs.jsonl"
    path.write_bytes(b"\n".join([HEADER, *map(run_line, range(3000))]))
    code = f"""
import os, signal
from agent_tui.workers.building import building_of
from agent_tui.workers.engine import Pool
for done in building_of([{str(path)!r}]).run(Pool(1), cuts=(5000, 50_000)):
    if done > 200_000:
        os.kill(os.getpid(), signal.SIGKILL)
"""
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == -signal.SIGKILL
    left = opened(path)
    assert left.view.finished is None
    assert left.view.bytes_done > 200_000
    left.place.close()
    equal(built([str(path)], InOrder(), (5000, 50_000)), load([str(path)]))


def test_several_programs_show_one_index_while_one_of_them_makes_it(tmp_path: Path) -> None:
    path = tmp_path / "runs.jsonl"
    path.write_bytes(b"\n".join([HEADER, *map(run_line, range(300))]))
    first = opened(path)
    making = first.run(InOrder(), cuts=(500, 4000))
    for _ in range(3):
        next(making)
    second, bundle = opened(path), Bundle()
    assert not second.place.is_ours
    second.view.show(bundle)
    assert 0 < len(bundle) < 300
    assert not bundle.is_complete
    for _ in making:
        pass
    for _ in second.run(InOrder()):
        pass
    second.view.follow()
    second.view.show(bundle)
    equal(bundle, load([str(path)]))


def test_who_looks_on_goes_on_where_the_maker_ended(tmp_path: Path) -> None:
    path = tmp_path / "runs.jsonl"
    path.write_bytes(b"\n".join([HEADER, *map(run_line, range(300))]))
    first = opened(path)
    making = first.run(InOrder(), cuts=(500, 4000))
    next(making)
    second = opened(path)
    making.close()
    with pytest.raises(Damaged, match="has ended"):
        list(second.run(InOrder()))
    equal(filled(opened(path), InOrder), load([str(path)]))


def test_a_full_disk_is_said_and_leaves_nothing_wrong(tmp_path: Path) -> None:
    path = tmp_path / "runs.jsonl"
    path.write_bytes(b"\n".join([HEADER, *map(run_line, range(2000))]))
    code = f"""
import resource, signal
from agent_tui.workers.building import building_of
from tests.workers.engines import InOrder
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))
try:
    for _ in building_of([{str(path)!r}]).run(InOrder(), cuts=(5000, 50_000)):
        pass
except OSError as error:
    print(error.strerror)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    assert done.stdout == "File too large\n"
    equal(built([str(path)], InOrder(), (5000, 50_000)), load([str(path)]))


def test_the_index_is_for_its_owner_only(tmp_path: Path) -> None:
    path = tmp_path / "runs.jsonl"
    path.write_bytes(b"\n".join([HEADER, run_line(1), run_line(2)]))
    built([str(path)], InOrder())
    folder = opened(path).place.folder
    assert [stat.S_IMODE(each.stat().st_mode) for each in (folder, folder.parent)] == [0o700, 0o700]
    assert {stat.S_IMODE(each.stat().st_mode) for each in folder.iterdir()} == {0o600}
