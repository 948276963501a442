"""Runs in a store that speaks S3: the pool and a Dask cluster say what a local file says, by one request a range."""

from __future__ import annotations

import json
import logging
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner
from moto.server import ThreadedMotoServer

from agent_tui.bundles import Bundle
from agent_tui.bundles.records import Changed
from agent_tui.cli.score import command as score
from agent_tui.workers.building import Building, asked_of
from agent_tui.workers.dask_engine import DaskEngine
from agent_tui.workers.engine import Engine, Pool
from agent_tui.workers.tasks import How
from tests.workers.dask_cluster import Cluster
from tests.workers.engines import Muddled
from tests.workers.test_building import HEADER, run_line

KEY = {"AWS_ACCESS_KEY_ID": "nobody", "AWS_SECRET_ACCESS_KEY": "nothing", "AWS_DEFAULT_REGION": "us-east-1"}


@pytest.fixture(scope="module")
def store() -> Iterator[dict[str, str]]:
    """A store on loopback with a bucket `runs`; gives what the environment has to say of it."""
    server = ThreadedMotoServer("127.0.0.1", 0)
    server.start()
    host, port = server.get_host_and_port()
    try:
        yield {**KEY, "AWS_ENDPOINT_URL": f"http://{host}:{port}"}
    finally:
        server.stop()


@pytest.fixture(autouse=True)
def settings(store: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in store.items():
        monkeypatch.setenv(name, value)


def put(store: dict[str, str], key: str, text: bytes) -> str:
    """Put an object; gives its address."""
    import boto3

    client = boto3.client("s3", endpoint_url=store["AWS_ENDPOINT_URL"])
    client.create_bucket(Bucket="runs")
    client.put_object(Bucket="runs", Key=key, Body=text)
    return f"s3://runs/{key}"


def built(paths: list[str], engine: Engine) -> Bundle:
    asked = asked_of(paths)
    assert asked is not None
    building, bundle = Building(asked, How()), Bundle()
    for _ in building.run(engine, cuts=(5000, 60_000)):
        pass
    building.view.follow()
    building.view.show(bundle)
    return bundle


def requests(caplog: pytest.LogCaptureFixture) -> Counter[str]:
    """What the store was asked, by method."""
    found = (re.search(r"(GET|HEAD) /runs/", record.getMessage()) for record in caplog.records)
    return Counter(each[1] for each in found if each)


def test_the_pool_reads_each_range_by_one_request(
    store: dict[str, str], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    text = b"\n".join([HEADER, *map(run_line, range(1500))])
    (tmp_path / "runs.jsonl").write_bytes(text)
    address = put(store, "a folder/runs.jsonl", text)
    caplog.set_level(logging.INFO, "werkzeug")
    there = built([address], Pool(2))
    asked = requests(caplog)
    ranges = 1 + -(-(len(text) - 5000) // 60_000)
    assert asked["GET"] == 1 + ranges  # the first is a look at what it is
    here = built([str(tmp_path / "runs.jsonl")], Muddled(Random(1)))
    assert list(there.table.ids) == list(here.table.ids)
    assert there.scorecard().tallies == here.scorecard().tallies
    assert [there.record(row) for row in (0, 700, 1499)] == [here.record(row) for row in (0, 700, 1499)]
    assert [problem.line for problem in there.problems] == [problem.line for problem in here.problems]


def test_an_object_that_was_written_over_is_said_and_then_read_again(store: dict[str, str]) -> None:
    address = put(store, "changing.jsonl", b"\n".join([HEADER, *map(run_line, range(100))]))
    bundle = built([address], Pool(1))
    put(store, "changing.jsonl", b"\n".join([HEADER, *map(run_line, range(100, 180))]))
    with pytest.raises(Changed, match="has changed since it was opened"):
        bundle.record(50)
    assert len(built([address], Pool(1))) == 80


def test_a_dask_cluster_says_what_the_pool_says_of_an_object(
    store: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = put(store, "dask.jsonl", b"\n".join([HEADER, *map(run_line, range(1500))]))
    by_pool, said = built([address], Pool(1)), CliRunner().invoke(score, [address, "--json"])
    cluster = Cluster(tmp_path, env=store)
    try:
        cluster.start_worker()
        monkeypatch.setenv("AGENT_TUI_CACHE_DIR", str(tmp_path / "cache"))
        with closing(DaskEngine(cluster.engine, cluster.address)) as engine:
            by_dask = built([address], engine)
        monkeypatch.setenv("AGENT_TUI_CACHE_DIR", str(tmp_path / "other cache"))
        said_by_dask = CliRunner().invoke(score, [address, "--json", "--engine", cluster.engine])
    finally:
        cluster.close()
    assert by_dask.scorecard().tallies == by_pool.scorecard().tallies
    assert list(by_dask.table.ids) == list(by_pool.table.ids)
    assert json.loads(said_by_dask.stdout) == json.loads(said.stdout)


def test_what_a_bucket_does_not_have_is_said(store: dict[str, str]) -> None:
    put(store, "there.jsonl", run_line(1))
    put(store, "a folder/there.jsonl", run_line(1))
    result = CliRunner().invoke(score, ["s3://runs/gone.jsonl"])
    assert result.exit_code == 1
    assert str(result.exception) == "s3://runs/gone.jsonl: cannot be read: the store has no such file"
    folder = CliRunner().invoke(score, ["s3://runs/a folder"])
    assert str(folder.exception) == "s3://runs/a folder: cannot be read: it is a folder of the store: name each file"
