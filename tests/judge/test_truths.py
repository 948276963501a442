"""What is known of a run: a person's label before the bundle's own, and that before our check."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from agent_tui.bundles import Bundle, load
from agent_tui.bundles.what_if import WhatIf, set_value
from agent_tui.judge.truths import Truth, clashes, labelled_rows, truth, unlabelled_rows
from tests.judge.labelling import answered, labels_of
from tests.writing import CYBERTRAVELS, call, write_bundle

RIGHT = {"truth": "refunded 140", "answer": "refunded 140"}
WRONG = {"truth": "refunded 140", "answer": "refunded 1400"}


def bundle_of(folder: Path, *runs: dict[str, Any], **top: Any) -> Bundle:
    return load([write_bundle(folder / "runs.json", *runs, **top)])


def known(bundle: Bundle, **how: Any) -> dict[str, tuple[str, str]]:
    """State and source by run."""
    found = labelled_rows(bundle, labels_of(bundle, **how))
    return {bundle.names.name(row): (each.state, each.source) for row, each in found.items()}


def test_a_check_tells_where_it_passes_or_fails_and_where_it_cannot_nothing_does(tmp_path: Path) -> None:
    runs = [
        answered("right", **RIGHT),
        answered("wrong", **WRONG),
        answered("no answer", None, truth="140"),
        answered("no truth"),
        answered("broken", truth=True),
        answered("running", **RIGHT, status="running"),
        answered("errored", **RIGHT, error="timeout"),
        answered("scored", scores={"success": 1}),
    ]
    assert known(bundle_of(tmp_path, *runs)) == {"right": ("pass", "check"), "wrong": ("fail", "check")}


def test_a_trajectory_is_no_truth_of_an_answer(tmp_path: Path) -> None:
    bundle = bundle_of(tmp_path, answered("a", expected=[call("x")], actual=[call("x")]))
    assert (known(bundle), unlabelled_rows(bundle, labels_of(bundle))) == ({}, [0])


def test_a_label_beats_the_bundles_own_and_that_beats_the_check(tmp_path: Path) -> None:
    runs = [answered(name, **RIGHT) for name in ("a", "b", "c")]
    bundle = bundle_of(tmp_path, *runs, human_labels={"a": "fail", "b": "fail"})
    labels = labels_of(bundle)
    labels.set(0, "pass")
    assert known(bundle) == {"a": ("pass", "label"), "b": ("fail", "recorded label"), "c": ("pass", "check")}
    assert [finding.text for finding in clashes(bundle, labels)] == [
        "a: the label says pass, the recorded label says fail",
        "b: the recorded label says fail, the check says pass",
    ]
    assert truth(bundle, 1, labels) == Truth("fail", "recorded label", (("check", "pass"),))


def test_what_a_person_could_not_decide_is_not_known_whatever_the_check_says(tmp_path: Path) -> None:
    runs = [answered(name, **RIGHT) for name in ("a", "b", "c")]
    bundle = bundle_of(tmp_path, *runs, human_labels={"b": "undetermined", "c": "fail"})
    labels = labels_of(bundle)
    labels.set(0, "undetermined")
    assert (known(bundle), unlabelled_rows(bundle, labels)) == ({"c": ("fail", "recorded label")}, [0, 1])
    labels.set(1, "pass")
    one = truth(bundle, 1, labels)
    assert one is not None
    assert not one.clash


def test_labels_that_came_in_a_bundle_say_nothing_until_they_are_taken(tmp_path: Path) -> None:
    bundle = bundle_of(tmp_path, answered("a", **RIGHT), answered("b"), human_labels={"a": "fail", "b": "fail"})
    assert known(bundle, use_recorded=False) == {"a": ("pass", "check")}


def test_a_stale_label_says_nothing(tmp_path: Path) -> None:
    labels_of(bundle_of(tmp_path, answered("a", "one"))).set(0, "fail")
    assert known(bundle_of(tmp_path, answered("a", "two"))) == {}


def test_a_recorded_label_is_about_what_was_recorded(tmp_path: Path) -> None:
    bundle = bundle_of(tmp_path, answered("a", **RIGHT), human_labels={"a": "fail"})
    what_if = WhatIf(bundle)
    what_if.change(0, set_value("actual.answer", '"refunded 140.00"'))
    assert known(bundle) == {"a": ("pass", "check")}
    what_if.undo()
    assert known(bundle) == {"a": ("fail", "recorded label")}


@pytest.mark.parametrize(
    ("labels", "path", "reason"),
    [
        (["a"], "$.human_labels", "is not an object of run names and labels: not used"),
        ({"a": "ok"}, "$.human_labels.a", "is none of pass, fail, undetermined: not used"),
        ({"a": True}, "$.human_labels.a", "is none of pass, fail, undetermined: not used"),
        ({"a.b": "pass"}, '$.human_labels["a.b"]', "no such run: not used"),
        ({"t": "pass"}, "$.human_labels.t", "could be any of t#1, t#2: use one of these names: not used"),
        ({"a": "pass", "task": "fail"}, "$.human_labels", "a and task are one run and say different things"),
    ],
)
def test_a_recorded_label_that_cannot_be_used_is_told_with_its_place(
    labels: Any, path: str, reason: str, tmp_path: Path
) -> None:
    runs = [answered("a", task="task"), answered("t", epoch=1), answered("t", epoch=2)]
    bundle = bundle_of(tmp_path, *runs, human_labels=labels)
    (problem,) = labels_of(bundle).problems
    assert (problem.file, problem.path) == (bundle.sources[0].file, path)
    assert reason in problem.reason
    assert known(bundle) == {}


def test_each_of_several_files_labels_its_own_runs(tmp_path: Path) -> None:
    one = write_bundle(tmp_path / "a.json", answered("x"), human_labels={"x": "pass"})
    two = tmp_path / "b.jsonl"
    header = {"schema": "agent-tui/1", "bundle": {"model": "m"}, "human_labels": {"x": "fail"}}
    two.write_text(f"{json.dumps(header)}\n{json.dumps(answered('x'))}\n")
    bundle = load([one, str(two)])
    assert [each.state for each in labelled_rows(bundle, labels_of(bundle)).values()] == ["pass", "fail"]


def test_cybertravels_has_five_labels_that_agree_with_its_checks() -> None:
    bundle = load([CYBERTRAVELS])
    labels = labels_of(bundle)
    found = labelled_rows(bundle, labels)
    assert [each.state for each in found.values()] == ["pass", "fail", "pass", "fail", "fail"]
    assert list(clashes(bundle, labels)) == []
    assert [bundle.names.name(row) for row in unlabelled_rows(bundle, labels)] == ["R5"]
