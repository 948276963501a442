"""Manifests and references: what a run should have done may come from another file, joined by task."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from agent_tui.errors import NotPossible
from tests.readers.reading import reading, write_json, write_lines


def run(name: str, **fields: Any) -> dict[str, Any]:
    return {"id": name, "actual": {"calls": [{"name": "quote"}]}} | fields


def golden(task: str, *names: str, **fields: Any) -> dict[str, Any]:
    return {"task": task, "expected": {"calls": [{"name": name} for name in names]} | fields}


def expected_names(folder_run: Any) -> list[str] | None:
    if folder_run.expected is None or folder_run.expected.calls is None:
        return None
    return [call.name for call in folder_run.expected.calls]


def test_references_are_joined_by_task(tmp_path: Path) -> None:
    runs = write_lines(tmp_path / "runs.jsonl", run("a"), run("a2", task="a", epoch=2), run("b"))
    gold = write_lines(tmp_path / "gold.jsonl", golden("a", "quote"))
    found = reading(runs, references=str(gold))
    assert [expected_names(one) for one in found.runs] == [["quote"], ["quote"], None]
    assert found.problems == []


def test_references_without_a_run_are_counted_and_said(tmp_path: Path) -> None:
    runs = write_lines(tmp_path / "runs.jsonl", run("a"))
    gold = write_lines(tmp_path / "gold.jsonl", golden("a"), golden("x"), golden("y"))
    (problem,) = reading(runs, references=str(gold)).problems
    assert (problem.kind, problem.reason) == ("warning", "2 of 3 references have no run: x, y")


def test_two_references_for_one_task_are_an_error_unless_they_are_the_same(tmp_path: Path) -> None:
    runs = write_lines(tmp_path / "runs.jsonl", run("a"))
    same = write_lines(tmp_path / "same.jsonl", golden("a", "quote"), golden("a", "quote"))
    assert len(reading(runs, references=str(same)).records) == 1
    clash = write_lines(tmp_path / "clash.jsonl", golden("a", "quote"), golden("a", "cancel"))
    with pytest.raises(NotPossible, match="two references for task 'a'"):
        reading(runs, references=str(clash))


def test_a_file_without_references_is_an_error(tmp_path: Path) -> None:
    runs = write_lines(tmp_path / "runs.jsonl", run("a"))
    with pytest.raises(NotPossible, match="no expectation"):
        reading(runs, references=str(runs))
    with pytest.raises(NotPossible, match=r"missing\.jsonl: no such file"):
        reading(runs, references=str(tmp_path / "missing.jsonl"))


def test_an_embedded_expectation_that_differs_gives_way_and_is_said(tmp_path: Path) -> None:
    embedded = {"calls": [{"name": "cancel"}], "answer": "184"}
    runs = write_lines(tmp_path / "runs.jsonl", run("a", expected=embedded, ours=1.50))
    found = reading(runs, references=str(write_lines(tmp_path / "gold.jsonl", golden("a", "quote"))))
    assert [(problem.kind, problem.path, problem.line) for problem in found.problems] == [
        ("warning", "$.expected.calls", 1)
    ]
    assert expected_names(found.runs[0]) == ["quote"]
    kept = json.loads(found.records[0].text)
    assert (kept["expected"]["answer"], kept["ours"]) == ("184", 1.5)


def test_a_reference_with_any_replaces_embedded_calls(tmp_path: Path) -> None:
    runs = write_lines(tmp_path / "runs.jsonl", run("a", expected={"calls": [{"name": "cancel"}]}))
    gold = write_lines(tmp_path / "gold.jsonl", {"task": "a", "expected": {"any": [{"calls": []}]}})
    assert sorted(json.loads(reading(runs, references=str(gold)).records[0].text)["expected"]) == ["any"]


def manifest(folder: Path, text: str) -> Path:
    write_lines(folder / "runs.jsonl", run("a", expected={"calls": [{"name": "embedded"}]}))
    write_lines(folder / "gold.jsonl", golden("a", "of-manifest"))
    write_lines(folder / "flag.jsonl", golden("a", "of-flag"))
    (folder / "rules.toml").write_text('[tools.quote.args]\nmemo = "ignore"\n')
    (folder / "bundle.toml").write_text(text)
    return folder


def test_a_manifest_ties_runs_references_and_rules(tmp_path: Path) -> None:
    text = 'name = "nightly"\nruns = "runs*.jsonl"\nreferences = "gold.jsonl"\nrules = "rules.toml"\n'
    for path in (manifest(tmp_path, text), tmp_path / "bundle.toml"):
        found = reading(path)
        assert [expected_names(one) for one in found.runs] == [["of-manifest"]]
        assert json.loads(bytes(found.headers[0].fields["bundle"])) == {"name": "nightly"}
        assert json.loads(bytes(found.headers[0].fields["rules"])) == {"tools": {"quote": {"args": {"memo": "ignore"}}}}


def test_the_flag_wins_over_the_manifest(tmp_path: Path) -> None:
    folder = manifest(tmp_path, 'runs = ["runs.jsonl"]\nreferences = "gold.jsonl"\n')
    found = reading(folder, references=str(folder / "flag.jsonl"))
    assert expected_names(found.runs[0]) == ["of-flag"]


def test_rules_of_a_manifest_replace_embedded_ones_and_a_difference_is_said(tmp_path: Path) -> None:
    document = {"schema": "agent-tui/1", "rules": {"ignore_tools": ["x"]}, "bundle": {"id": "b"}, "runs": [run("a")]}
    write_json(tmp_path / "b.json", document)
    write_json(tmp_path / "rules.json", {"ignore_tools": ["y"]})
    (tmp_path / "bundle.toml").write_text('name = "n"\nruns = "b.json"\nrules = "rules.json"\n')
    found = reading(tmp_path)
    stated = [json.loads(bytes(header.fields["rules"])) for header in found.headers if "rules" in header.fields]
    assert (stated, found.problems[0].path) == ([{"ignore_tools": ["y"]}], "$.rules")
    assert json.loads(bytes(found.headers[0].fields["bundle"])) == {"id": "b", "name": "n"}


def test_an_unknown_key_of_a_manifest_names_the_known_ones(tmp_path: Path) -> None:
    found = reading(manifest(tmp_path, 'runs = "runs.jsonl"\nrefs = "gold.jsonl"\n'))
    assert "there are name, references, rubric, rules, runs" in found.problems[0].reason
    assert len(found.records) == 1


@pytest.mark.parametrize("text", ["runs = [", 'name = "x"', 'runs = "none.jsonl"', "runs = 3"])
def test_a_manifest_that_names_nothing_is_a_problem(text: str, tmp_path: Path) -> None:
    found = reading(manifest(tmp_path, text))
    assert (found.records, len(found.problems)) == ([], 1)


def test_a_manifest_stays_in_its_folder_unless_allowed(tmp_path: Path) -> None:
    outside = write_lines(tmp_path / "outside.jsonl", run("secret"))
    folder = tmp_path / "bundle"
    folder.mkdir()
    (folder / "link.jsonl").symlink_to(outside)
    (folder / "bundle.toml").write_text('runs = ["../outside.jsonl", "link.jsonl"]\n')
    found = reading(folder)
    assert (found.records, len(found.problems)) == ([], 2)
    assert "--allow-outside" in found.problems[0].reason
    assert [one.id for one in reading(folder, allow_outside=True).runs] == ["secret"]
