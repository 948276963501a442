"""A Dask cluster does what the pool does: the same tasks give the same index, whoever dies meanwhile."""

from __future__ import annotations

import gzip
import json
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner, Result
from distributed import Client

from agent_tui.cli.score import command
from agent_tui.errors import NothingReadable, NotPossible
from agent_tui.readers.ranges import Stamp
from agent_tui.workers.building import Building, asked_of
from agent_tui.workers.dask_engine import DaskEngine
from agent_tui.workers.dask_task import answer
from agent_tui.workers.engine import Engine, Pool
from agent_tui.workers.engines import warning_of
from agent_tui.workers.tasks import Given, How, Lost, ReadFile, Task
from agent_tui.workers.versions import Versions, versions_here
from tests.workers.dask_cluster import PATIENCE, Cluster, wait_until
from tests.workers.engines import Doubled, Elsewhere, InOrder
from tests.workers.test_building import HEADER, run_line
from tests.writing import call, run_of


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """A scheduler with two workers."""
    cluster = Cluster(tmp_path_factory.mktemp("cluster"))
    try:
        cluster.start_worker()
        cluster.start_worker()
        yield cluster
    finally:
        cluster.close()


@pytest.fixture(scope="module")
def lonely(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """A scheduler without a worker."""
    cluster = Cluster(tmp_path_factory.mktemp("lonely"))
    try:
        yield cluster
    finally:
        cluster.close()


def dask(cluster: Cluster) -> DaskEngine:
    return DaskEngine(cluster.engine, cluster.address, PATIENCE)


def index_of(paths: list[str], engine: Engine, home: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, bytes]:
    """The files of an index that an engine makes, by name."""
    monkeypatch.setenv("AGENT_TUI_CACHE_DIR", str(home))
    asked = asked_of(paths)
    assert asked is not None
    building = Building(asked, How())
    try:
        for _ in building.run(engine, cuts=(5000, 60_000)):
            pass
    finally:
        engine.close()
    building.place.close()
    return {file.name: file.read_bytes() for file in building.place.folder.iterdir() if file.suffix != ".lock"}


def test_every_engine_makes_the_same_index(cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "a.jsonl").write_bytes(b"\n".join([HEADER, *map(run_line, range(1000))]))
    runs = ",".join(json.dumps(run_of(f"s{number}", [call("a")], [call("a")])) for number in range(50))
    (tmp_path / "a" / "b.json").write_text('{"schema": "agent-tui/1", "runs": [' + runs + "]}")
    (tmp_path / "a" / "c.txt").write_text("no runs")
    engines = {"plain": InOrder(), "pool": Pool(2), "doubled": Doubled(Random(3)), "dask": dask(cluster)}
    made = {name: index_of([str(tmp_path / "a")], engines[name], tmp_path / name, monkeypatch) for name in engines}
    assert len(made["plain"]["ids"]) > 3000
    assert all(index == made["plain"] for index in made.values())


def large_file(path: Path) -> Path:
    """A file of one small range and two large ones and a bit."""
    with path.open("w") as file:
        for number in range(68):
            run = run_of(f"r{number}", expected=[call("a", n=1)], actual=[call("a", n=number % 3)])
            run["answer"] = "x" * (1 << 20)
            file.write(json.dumps(run) + "\n")
    return path


def score(*arguments: str) -> Result:
    return CliRunner().invoke(command, list(arguments))


def test_score_says_the_same_though_a_worker_is_killed_in_the_middle(
    cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = str(large_file(tmp_path / "runs.jsonl"))
    pool = score(path, "--json")
    monkeypatch.setenv("AGENT_TUI_CACHE_DIR", str(tmp_path / "cache"))
    asked = [sys.executable, "-m", "agent_tui", "score", path, "--json", "--engine", cluster.engine]
    with subprocess.Popen(asked, stdout=subprocess.PIPE) as process:
        parts = (tmp_path / "cache").glob
        wait_until(lambda: any(file.stat().st_size for file in parts("index/*/ids")), "a first part has come")
        cluster.workers[0].kill()
        assert process.poll() is None
        cluster.start_worker()
        said, _ = process.communicate(timeout=PATIENCE)
    assert process.returncode == pool.exit_code == 0
    assert json.loads(said) == json.loads(pool.stdout)
    assert json.loads(said)["matchers"]["exact"]["passed"] == 23


def test_a_scheduler_that_dies_in_the_middle_is_said_in_a_line(tmp_path: Path) -> None:
    path = str(large_file(tmp_path / "runs.jsonl"))
    (tmp_path / "cluster").mkdir()
    cluster = Cluster(tmp_path / "cluster")
    try:
        cluster.start_worker()
        dask(cluster).close()
        engine = DaskEngine(cluster.engine, cluster.address, 3.0)
        waiting: list[Task] = [ReadFile(path, None, Stamp.of(path), may_be_cut=False)]
        things = engine.map(How(), lambda: waiting.pop() if waiting else None, lambda: False)
        next(things)
        cluster.close()
        with closing(engine), pytest.raises(NotPossible, match="its scheduler has gone"):
            list(things)
    finally:
        cluster.close()


def given_by(engine: Engine, *tasks: Task) -> list[tuple[Task, int, Given | None]]:
    waiting = list(tasks)
    try:
        return list(engine.map(How(), lambda: waiting.pop() if waiting else None, lambda: False))
    finally:
        engine.close()


def test_a_worker_that_cannot_read_a_file_says_so_with_its_name(cluster: Cluster) -> None:
    task = ReadFile("/nowhere/runs.jsonl", None, Stamp(1, 1, 1))
    (_, _, lost), (_, _, end) = given_by(dask(cluster), task)
    assert isinstance(lost, Lost)
    assert lost.reason.startswith("cannot be read: No such file or directory (worker tcp://127.0.0.1:")
    assert end is None


def test_what_no_worker_can_read_is_no_figure_and_is_tried_again(cluster: Cluster, tmp_path: Path) -> None:
    path = tmp_path / "runs.jsonl"
    path.write_bytes(b"\n".join([HEADER, *map(run_line, range(50))]))
    with path.open("rb") as file:
        ours_alone = f"/proc/self/fd/{file.fileno()}"  # the same name is nothing, or something else, to a worker
        result = score(ours_alone, "--engine", cluster.engine, "--strict")
    assert result.exit_code != 0
    assert isinstance(result.exception, NothingReadable)
    assert "(worker tcp://127.0.0.1:" in str(result.exception)
    assert score(str(path), "--engine", cluster.engine, "--strict").exit_code == 0


def test_what_could_not_be_read_is_not_kept(tmp_path: Path) -> None:
    path = tmp_path / "runs.jsonl"
    path.write_bytes(b"\n".join([HEADER, *map(run_line, range(300))]))
    asked = asked_of([str(path)])
    assert asked is not None
    first = Building(asked, How())
    for _ in first.run(Elsewhere(), cuts=(500, 4000)):
        pass
    first.place.close()
    again = Building(asked, How())
    assert again.view.finished is None
    again.place.close()


def test_a_packed_file_comes_in_as_many_parts_as_it_needs(cluster: Cluster, tmp_path: Path) -> None:
    path = tmp_path / "runs.jsonl.gz"
    path.write_bytes(gzip.compress(large_file(tmp_path / "runs.jsonl").read_bytes(), 1))
    task = ReadFile(str(path), None, Stamp.of(path), pieces=(1 << 20, 32 << 20))
    by_dask, by_pool = given_by(dask(cluster), task), given_by(InOrder(), task)
    assert len(by_pool) == 5
    assert by_dask == by_pool


def refused(*arguments: str) -> str:
    result = score(*arguments)
    assert isinstance(result.exception, NotPossible)
    assert result.exception.exit_status == 2
    assert "\n" not in str(result.exception)
    return str(result.exception)


def test_a_worker_with_other_versions_is_refused_and_named(lonely: Cluster, tmp_path: Path) -> None:
    with pytest.raises(NotPossible, match=r"no worker came within 0\.2 seconds: start dask worker"):
        DaskEngine(lonely.engine, lonely.address, 0.2)
    other = tmp_path / "agent_tui-9.9.dist-info"
    other.mkdir()
    (other / "METADATA").write_text("Metadata-Version: 2.1\nName: agent-tui\nVersion: 9.9\n")
    lonely.start_worker(PYTHONPATH=str(tmp_path))
    with pytest.raises(NotPossible) as said:
        DaskEngine(lonely.engine, lonely.address, PATIENCE)
    here = versions_here()
    assert f"has agent-tui 9.9, Python {here.python}, msgspec {here.msgspec}, here is {here}" in str(said.value)
    assert "worker tcp://127.0.0.1:" in str(said.value)


def test_a_worker_that_comes_later_compares_versions_by_itself(cluster: Cluster) -> None:
    task = ReadFile("/nowhere/runs.jsonl", None, Stamp(1, 1, 1))
    with Client(cluster.address, timeout=PATIENCE, set_as_default=False) as client:
        said = client.submit(answer, task, How(), 0, Versions("9.9", "3.1", "0"), {}).result(PATIENCE)
    assert (said.other, said.given, said.is_last) == (versions_here(), None, True)


def test_a_scheduler_that_is_not_there_is_said_in_a_line() -> None:
    with closing(socket.socket()) as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with pytest.raises(NotPossible, match=rf"--engine dask://127.0.0.1:{port}: no scheduler of Dask answers there: "):
        DaskEngine(f"dask://127.0.0.1:{port}", f"tcp://127.0.0.1:{port}", 0.2)


def test_what_listens_there_and_is_no_scheduler_is_said_in_a_line() -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as mute:
        port = mute.getsockname()[1]
        with pytest.raises(NotPossible, match=r"no scheduler of Dask answers there: TimeoutError"):
            DaskEngine(f"dask://127.0.0.1:{port}", f"tcp://127.0.0.1:{port}", 0.2)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("ray://127.0.0.1:1", "no engine is called 'ray'; there are dask://HOST:PORT, tls://HOST:PORT"),
        ("pool", "no engine is called 'pool'; there are"),
        ("dask://127.0.0.1", "dask:// is followed by HOST:PORT and nothing else"),
        ("dask://me:secret@127.0.0.1:1", "dask:// is followed by HOST:PORT and nothing else"),
        ("dask://127.0.0.1:1/x", "dask:// is followed by HOST:PORT and nothing else"),
        ("tls://[::1:1", "not an address"),
    ],
)
def test_other_engines_are_refused_and_those_there_are_named(name: str, reason: str, tmp_path: Path) -> None:
    said = refused(str(tmp_path), "--engine", name)
    assert said.startswith(f"--engine: {reason}")
    assert "secret" not in said


def test_what_an_engine_cannot_read_is_refused(cluster: Cluster, tmp_path: Path) -> None:
    engine = ["--engine", cluster.engine]
    assert "no bundle.toml, pipe or standard input" in refused("-", *engine)
    assert "with --references" in refused(str(tmp_path), *engine, "--references", "x")
    assert "--workers are processes of this machine" in refused(str(tmp_path), *engine, "--workers", "2")


def test_without_dask_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert "pip install 'agent-tui[dask]'" in refused("runs.jsonl", "--engine", "dask://127.0.0.1:1")


def test_tls_without_certificates_is_refused_at_once() -> None:
    assert "no certificates are set: distributed.comm.tls" in refused("runs.jsonl", "--engine", "tls://127.0.0.1:1")


def test_plain_tcp_is_warned_of_where_it_leaves_this_machine() -> None:
    assert [warning_of(name) for name in ("dask://127.0.0.2:1", "dask://[::1]:1", "dask://localhost:1")] == [None] * 3
    assert warning_of("tls://192.0.2.1:1") is None
    warning = warning_of("dask://192.0.2.1:1")
    assert warning is not None
    assert warning.startswith("dask://192.0.2.1:1 is plain TCP")
