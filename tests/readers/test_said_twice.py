"""What stands twice under one name, keys of a document and members of a zip, is told; runs are read from both."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from backports.zstd import zipfile

from agent_tui.errors import LOSSES
from tests.readers import fixtures
from tests.readers.reading import reading


def twice(path: Path, key: str, first: str) -> Path:
    """The document of a file with another value of a key before the one that it has."""
    path.write_text(f"{{{json.dumps(key)}: {first}, {path.read_text().removeprefix('{')}")
    return path


def told(path: Path) -> list[tuple[str, str | None, str]]:
    return [(problem.kind, problem.path, problem.reason) for problem in reading(path).problems]


@pytest.mark.parametrize("indent", [None, 2])
def test_runs_that_stand_twice_in_a_document_are_all_read(tmp_path: Path, indent: int | None) -> None:
    path = tmp_path / "b.json"
    path.write_text(json.dumps({"schema": "agent-tui/1", "runs": [{"id": "b", "scores": {}}]}, indent=indent))
    found = reading(twice(path, "runs", '[{"id": "a"},\n 7]'))
    assert [run.id for run in found.runs] == ["a", "b"]
    assert [record.line for record in found.records] == [1, 5 if indent else 2]
    assert [(problem.kind, problem.path) for problem in found.problems] == [
        ("warning", "$.runs"),
        ("not_a_record", "$.runs[1]"),
    ]
    assert found.problems[0].reason == "runs stands 2 times in the document: the runs of all are read"


def test_runs_that_are_alike_are_read_twice_too(tmp_path: Path) -> None:
    path = tmp_path / "b.json"
    path.write_text('{"schema": "agent-tui/1", "runs": [{"id": "a"}], "runs": [{"id": "a"}]}')
    assert [run.id for run in reading(path).runs] == ["a", "a"]


def test_runs_that_are_no_list_take_nothing_from_those_that_are(tmp_path: Path) -> None:
    path = tmp_path / "b.json"
    path.write_text('{"schema": "agent-tui/1", "runs": [{"id": "a"}], "runs": 7}')
    assert [run.id for run in reading(path).runs] == ["a"]
    assert [kind for kind, _, _ in told(path)] == ["warning", "malformed"]


def test_a_key_may_be_spelt_otherwise_the_second_time(tmp_path: Path) -> None:
    path = tmp_path / "b.json"
    path.write_text('{"schema": "agent-tui/1", "runs": [{"id": "a"}], "ru\\u006es": [{"id": "b"}]}')
    assert [run.id for run in reading(path).runs] == ["a", "b"]


DOCUMENTS: dict[str, tuple[Callable[[Path], Path], str]] = {
    "agent-tui": (fixtures.native_bundle, "bundle"),
    "tau2": (fixtures.tau2_results, "simulations"),
}


@pytest.mark.parametrize("name", DOCUMENTS)
def test_another_key_that_stands_twice_is_a_loss(tmp_path: Path, name: str) -> None:
    write, key = DOCUMENTS[name]
    path = write(tmp_path)
    before = [run.id for run in reading(path).runs]
    twice(path, key, "{}")
    assert [run.id for run in reading(path).runs] == before
    assert told(path) == [("malformed", f"$.{key}", f"{key} stands 2 times in the document: the last one counts")]


@pytest.mark.parametrize(
    ("document", "key"),
    [
        ({"version": 2, "eval": fixtures.INSPECT_EVAL, "samples": [fixtures.inspect_sample("a", 1)]}, "samples"),
        ({"id": "a", "messages": fixtures.CHAT}, "messages"),
    ],
)
def test_a_foreign_document_that_repeats_a_key_says_so(tmp_path: Path, document: dict[str, Any], key: str) -> None:
    path = tmp_path / "d.json"
    path.write_text(json.dumps(document))
    assert told(path) == []
    assert told(twice(path, key, "[]")) == [
        ("malformed", f"$.{key}", f"{key} stands 2 times in the document: the last one counts")
    ]


def test_a_header_line_that_repeats_a_key_says_so(tmp_path: Path) -> None:
    path = tmp_path / "b.jsonl"
    path.write_text('{"schema": "agent-tui/1", "rules": {}, "rules": {}}\n{"id": "a"}\n')
    assert told(path) == [("malformed", "$.rules", "rules stands 2 times in the document: the last one counts")]
    assert reading(path).problems[0].line == 1


def zip_with(path: Path, *members: tuple[str, Any]) -> Path:
    with warnings.catch_warnings(), zipfile.ZipFile(path, "w") as archive:
        warnings.simplefilter("ignore")
        for name, value in members:
            archive.writestr(name, value if isinstance(value, str) else json.dumps(value))
    return path


def test_members_of_one_name_are_all_read(tmp_path: Path) -> None:
    runs = [json.dumps({"id": name, "scores": {"x": 1}}) for name in "abc"]
    path = zip_with(tmp_path / "z.zip", ("r.json", runs[0]), ("s.json", runs[1]), ("r.json", runs[2]))
    found = reading(path)
    assert [run.id for run in found.runs] == ["a", "b", "c"]
    assert [source.file for source in found.sources] == [f"{path}/{name}" for name in ("r.json", "s.json", "r.json~2")]
    assert told(path) == [("warning", "r.json", "2 members have this name: all are read")]


@pytest.mark.parametrize(("first", "kind"), [("other", "malformed"), ("fare", "warning")])
def test_samples_of_one_name_in_a_log_are_told(tmp_path: Path, first: str, kind: str) -> None:
    members = fixtures.inspect_members()
    name = "samples/fare_epoch_1.json"
    path = zip_with(tmp_path / "l.eval", (name, members[name] | {"input": first}), *members.items())
    if kind == "warning":
        path = zip_with(path, (name, members[name]), *members.items())
    found = reading(path)
    assert [(run.id, run.epoch) for run in found.runs] == [("fare", 1), ("fare", 2)]
    assert told(path) == [(kind, name, "2 members have this name: the last one is read")]
    assert (found.problems[0].kind in LOSSES) is (kind == "malformed")
