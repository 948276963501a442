"""`check`: every problem once, with its place."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from agent_tui.bundles import load
from agent_tui.bundles.checking import check
from agent_tui.cli import run
from tests.writing import call, case_files, run_of, write_bundle


def kinds(path: str) -> list[str]:
    return [problem.kind for problem in check([path]).problems]


def test_a_clash_is_told_once() -> None:
    assert kinds(case_files("19")[0]) == ["clash"]


def test_unknown_records_are_told_and_are_no_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "messages.jsonl"
    path.write_text('{"type": "meta", "session": 1}\n{"role": "user", "content": "hi"}\n')
    assert run(["check", str(path)]) == 0
    assert "unknown_record: " in capsys.readouterr().out


def test_a_check_that_cannot_be_used_is_told_with_its_path(tmp_path: Path) -> None:
    path = write_bundle(tmp_path / "a.json", run_of("a", truth={"regex": "("}, answer="x"))
    (problem,) = check([path]).problems
    assert (problem.kind, problem.path, problem.file) == ("check_error", "$.expected.answer", path)


def test_every_problem_of_a_malformed_run_is_told(tmp_path: Path) -> None:
    bad = {"id": "a", "epoch": "one", "actual": {"calls": [{"args": {}}]}}
    problems = check([write_bundle(tmp_path / "a.json", bad, run_of("b", [call("x")], [call("x")]))]).problems
    assert {problem.path for problem in problems} >= {"$.epoch", "$.actual.calls[0].name"}
    assert all(problem.line for problem in problems)


def test_a_good_bundle_ends_well_and_is_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", write_bundle(tmp_path / "a.json", run_of("b", [call("x")], [call("x")]))]) == 0
    assert capsys.readouterr().out == "1 run read, 0 problems\n"


def test_standard_input_is_checked_as_the_file_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_bundle(tmp_path / "a.json", run_of("b", [call("x")], [call("x")]))
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(Path(path).read_bytes())))
    assert check(["-"]) == check([path])


def test_a_bad_fact_of_the_bundle_is_told_and_the_others_stand(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    header = {"name": "mine", "planned": "6", "primary_score": "q"}
    path.write_text(json.dumps({"schema": "agent-tui/1", "bundle": header, "runs": [run_of("a")]}))
    (problem,) = check([str(path)]).problems
    assert (problem.kind, problem.path) == ("bundle", "$.bundle.planned")
    assert run(["check", str(path)]) == 1
    bundle = load([str(path)])
    assert (bundle.header.name, bundle.header.primary_score, bundle.header.planned) == ("mine", "q", None)


def test_a_number_of_planned_runs_below_0_is_told_and_not_used(tmp_path: Path) -> None:
    path = write_bundle(tmp_path / "a.json", run_of("a"), bundle={"planned": -1, "name": "mine"})
    (problem,) = check([path]).problems
    assert (problem.kind, problem.path) == ("bundle", "$.bundle.planned")
    assert problem.reason == "planned is -1, but is a number of runs: not used"
    bundle = load([path])
    assert (bundle.planned, bundle.name) == (None, "mine")
    assert load([write_bundle(tmp_path / "b.json", run_of("a"), bundle={"planned": 0})]).planned == 0


def test_each_problem_of_a_record_is_told_once(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    odd = [
        "{}",
        '{"id": "b", "epoch": "x", "actual": {"calls": [{}]}}',
        '{"id": 3.5, "scores": [1]}',
        "7",
        '{"id": "d",',
    ]
    epoch = '{"id": "c", "epoch": 99999999999999999999}'
    path.write_text("\n".join(['{"schema": "agent-tui/1"}', *odd, epoch, '{"id": "z"}']) + "\n")
    assert [(problem.line, problem.path) for problem in check([str(path)]).problems] == [
        (7, "$.epoch"),
        (2, "$.id"),
        (3, "$.epoch"),
        (3, "$.actual.calls[0].name"),
        (4, "$.id"),
        (4, "$.scores"),
        (5, None),
        (6, None),
    ]
