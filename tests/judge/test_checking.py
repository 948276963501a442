"""`check` tells of labels and recorded verdicts that cannot be used."""

from __future__ import annotations

import io
import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from agent_tui.bundles import load
from agent_tui.bundles.checking import check
from agent_tui.cli import run
from agent_tui.errors import Problem
from agent_tui.judge.checking import judging_problems
from tests.judge.labelling import answered, labels_of, small_bundle
from tests.writing import CYBERTRAVELS, case_files, write_bundle


def problems(*paths: str) -> list[Problem]:
    return check(paths, judging_problems).problems


@pytest.mark.parametrize("number", ["15", "17", "18"])
def test_labels_and_verdicts_that_are_as_they_should_be_are_no_problem(number: str) -> None:
    assert problems(*case_files(number)) == []


def test_what_cannot_be_used_ends_with_1_and_is_told_with_file_line_and_path(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    verdicts = [{"task": "a", "pass": "yes"}, {"task": "z"}]
    top: dict[str, Any] = {"human_labels": {"a": "good"}, "judge": "j", "verdicts": verdicts}
    path = write_bundle(tmp_path / "runs.json", answered("a"), **top)
    Path(f"{path}.labels.jsonl").write_text('{"task": "a", "label": "good"}\n{"task": "a", "lab')
    assert run(["check", path]) == 1
    assert capsys.readouterr().out.splitlines() == [
        f"malformed: {path}.labels.jsonl:1 @ $.label: no label: Invalid enum value 'good'",
        f"incomplete: {path}.labels.jsonl:2: incomplete line of 18 bytes without a line feed: cut off, or still "
        "being written",
        f"bundle: {path} @ $.human_labels.a: is none of pass, fail, undetermined: not used",
        f"bundle: {path} @ $.judge: is not an object: not used",
        f"bundle: {path} @ $.verdicts[0].pass: is neither true nor false: the text \"false\" is read as false, "
        "anything else is no verdict",
        f"warning: {path} @ $.verdicts: verdict on 'z': no such run: not used",
        "1 run read, 6 problems",
    ]  # fmt: skip


def test_a_label_of_a_run_that_changed_is_told_and_is_no_error(tmp_path: Path) -> None:
    labels_of(small_bundle(tmp_path)).set(0, "pass")
    path = write_bundle(tmp_path / "runs.json", answered("a", "another answer"))
    (problem,) = problems(path)
    assert (problem.kind, problem.file, problem.line) == ("warning", f"{path}.labels.jsonl", 1)
    assert run(["check", path]) == 0


def test_where_no_run_could_be_read_there_is_nothing_to_label(tmp_path: Path) -> None:
    (tmp_path / "runs.json").write_text("")
    Path(f"{tmp_path}/runs.json.labels.jsonl").write_text("x\n")
    assert [problem.kind for problem in problems(str(tmp_path / "runs.json"))] == ["empty_file"]


def test_standard_input_with_rules_that_make_no_sense_is_checked_as_far_as_it_goes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = json.dumps({"schema": "agent-tui/1", "runs": [answered("a")]}) + "\n"
    rules = {"schema": "agent-tui/1", "rules": {"tools": {"x": {"nonsense": 1}}}}
    lines = f"{json.dumps({'schema': 'agent-tui/1'})}\n{json.dumps(answered('a'))}\n{json.dumps(rules)}\n"
    for given in (text, lines):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(given.encode())))
        assert check(["-"], judging_problems).runs == 1


def test_the_sample_that_one_labels_checks_well(tmp_path: Path) -> None:
    path = str(shutil.copy(CYBERTRAVELS, tmp_path))
    labels_of(load([path])).set(4, "pass")
    assert problems(path) == []
