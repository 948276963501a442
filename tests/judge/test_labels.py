"""Labels: kept beside the bundle, never in it; the last one about what a run holds counts."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from agent_tui.bundles import load
from agent_tui.bundles.what_if import WhatIf, set_value
from agent_tui.errors import NotPossible, UnknownName
from agent_tui.judge.labels import Labels, labeller
from tests.judge.labelling import answered, labels_of, small_bundle, words
from tests.writing import CYBERTRAVELS, write_bundle


def test_a_label_is_one_line_beside_the_bundle_and_the_bundle_stays(tmp_path: Path) -> None:
    bundle = small_bundle(tmp_path, bundle={"model": "model-a"})
    before = (tmp_path / "runs.json").read_bytes()
    label = labels_of(bundle).set(0, "fail", "refunds twice")
    (line,) = (tmp_path / "runs.json.labels.jsonl").read_text().splitlines()
    written = json.loads(line)
    assert list(written) == ["schema", "task", "epoch", "model", "agent", "item", "label", "note", "by", "at"]
    assert written | {"item": "…"} == {
        "schema": "agent-tui/label-1",
        "task": "a",
        "epoch": 1,
        "model": "model-a",
        "agent": None,
        "item": "…",
        "label": "fail",
        "note": "refunds twice",
        "by": "ada",
        "at": "2026-02-03T12:00:00+00:00",
    }
    assert len(label.item) == 64
    assert (tmp_path / "runs.json").read_bytes() == before
    assert len(load([str(tmp_path)])) == 3


def test_the_last_label_wins_and_the_next_session_reads_it(tmp_path: Path) -> None:
    bundle = small_bundle(tmp_path)
    labels = labels_of(bundle)
    for word in ("pass", "undetermined", "fail"):
        labels.set(1, word)
    labels.set(2, "pass")
    assert words(labels) == words(labels_of(bundle)) == {"b": "fail", "c": "pass"}
    assert len((tmp_path / "runs.json.labels.jsonl").read_bytes().splitlines()) == 4
    assert labels.problems == ()


def test_a_label_that_is_none_of_the_words_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match="there are fail, pass, undetermined"):
        labels_of(small_bundle(tmp_path)).set(0, "Pass")
    assert not (tmp_path / "runs.json.labels.jsonl").exists()


def test_a_label_is_stale_once_the_answer_changes_and_counts_again_when_it_is_back(tmp_path: Path) -> None:
    labels_of(small_bundle(tmp_path)).set(0, "pass")
    write_bundle(tmp_path / "runs.json", answered("a", "another answer"), answered("b"), answered("c"))
    changed = labels_of(load([str(tmp_path / "runs.json")]))
    assert (words(changed), [stale.row for stale in changed.stale]) == ({}, [0])
    (problem,) = changed.problems
    assert str(problem).endswith("labels.jsonl:1: label of task 'a', epoch 1: the ask or the answer of run a has "
                                 "changed since: label it again")  # fmt: skip
    changed.set(0, "fail")
    assert (words(changed), changed.stale) == ({"a": "fail"}, ())
    assert words(labels_of(small_bundle(tmp_path))) == {"a": "pass"}


def test_what_a_rubric_or_a_truth_says_does_not_make_a_label_stale(tmp_path: Path) -> None:
    labels_of(small_bundle(tmp_path)).set(0, "pass")
    runs = [answered(name, truth="another truth", metadata={"x": 1}) for name in ("a", "b")]
    path = write_bundle(tmp_path / "runs.json", *runs, rubric={"id": "r", "sees": ["answer", "trace"]})
    assert words(labels_of(load([path]))) == {"a": "pass"}


def test_two_runs_of_one_identity_have_labels_of_their_own(tmp_path: Path) -> None:
    path = write_bundle(tmp_path / "runs.json", answered("a", "one"), answered("a", "two"))
    labels = labels_of(load([path]))
    labels.set(0, "pass")
    assert (words(labels), labels.stale) == ({"a#1": "pass"}, ())
    labels.set(1, "fail")
    assert list(labels.in_force.values()) == [labels.label(0), labels.label(1)]
    assert [label.label for label in labels.in_force.values()] == ["pass", "fail"]


def test_epoch_model_and_agent_tell_runs_apart(tmp_path: Path) -> None:
    runs = [answered("a", epoch=1, model="m"), answered("a", epoch=2, model="m"), answered("a", epoch=1, model="n")]
    labels = labels_of(load([write_bundle(tmp_path / "runs.json", *runs)]))
    labels.set(1, "fail")
    assert list(labels.in_force) == [1]


def test_a_changed_run_is_not_labelled_and_its_label_waits(tmp_path: Path) -> None:
    bundle = small_bundle(tmp_path)
    labels, what_if = labels_of(bundle), WhatIf(bundle)
    labels.set(0, "pass")
    what_if.change(0, set_value("actual.answer", '"what if"'))
    assert labels.label(0) is None
    with pytest.raises(NotPossible, match="run a is shown with changes"):
        labels.set(0, "fail")
    what_if.undo()
    assert words(labels) == {"a": "pass"}


def test_a_change_of_something_else_leaves_a_label_in_force(tmp_path: Path) -> None:
    bundle = small_bundle(tmp_path)
    labels = labels_of(bundle)
    WhatIf(bundle).change(0, set_value("expected.answer", '"a truth"'))
    labels.set(0, "pass")
    assert words(labels) == {"a": "pass"}


def test_what_two_windows_label_is_seen_in_both(tmp_path: Path) -> None:
    bundle = small_bundle(tmp_path)
    one, other = labels_of(bundle, "ada"), labels_of(bundle, "bob")
    one.set(0, "pass")
    other.set(0, "fail")
    one.set(1, "pass")
    assert words(one) == {"a": "fail", "b": "pass"}
    assert words(other) == {"a": "fail"}
    assert (other.refresh(), words(other), other.refresh()) == (True, words(one), False)
    assert other.labellers == {"bob": 1, "ada": 1}


def test_a_run_that_is_gone_is_told(tmp_path: Path) -> None:
    labels_of(small_bundle(tmp_path, "a", "b")).set(1, "pass")
    labels = labels_of(small_bundle(tmp_path, "a"))
    assert [problem.reason for problem in labels.problems] == ["label of task 'b', epoch 1: no such run in this bundle"]


def test_a_label_written_by_hand_means_the_only_run_that_fits(tmp_path: Path) -> None:
    runs = [answered("a", model="m"), answered("b", model="m"), answered("b", "two", model="n")]
    path = write_bundle(tmp_path / "runs.json", *runs)
    (tmp_path / "mine.jsonl").write_text('{"task": "a", "label": "fail"}\n{"task": "b", "label": "pass"}\n')
    labels = labels_of(load([path]), file=tmp_path / "mine.jsonl")
    assert words(labels) == {"a": "fail"}
    (problem,) = labels.problems
    assert (problem.line, problem.kind) == (2, "malformed")
    assert "could be any of b#1@m, b#1@n: say which by model, agent or item" in problem.reason


def test_another_file_is_read_and_written_in_place_of_the_own_one(tmp_path: Path) -> None:
    bundle = small_bundle(tmp_path)
    labels_of(bundle).set(0, "pass")
    other = tmp_path / "other.jsonl"
    shutil.copy(tmp_path / "runs.json.labels.jsonl", other)
    labels = labels_of(bundle, file=other)
    labels.set(1, "fail")
    assert words(labels) == {"a": "pass", "b": "fail"}
    assert words(labels_of(bundle)) == {"a": "pass"}


def test_another_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(NotPossible, match=r"--labels .*none\.jsonl: no such file"):
        labels_of(small_bundle(tmp_path), file=tmp_path / "none.jsonl")


def test_who_labels_is_as_given_else_by_the_variable_else_the_login(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOGNAME", "login")
    assert labeller() == "login"
    monkeypatch.setenv("AGENT_TUI_LABELLER", "variable")
    assert (labeller(), labeller("given")) == ("variable", "given")


def test_an_account_without_a_name_labels_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LOGNAME", "USER", "LNAME", "USERNAME", "AGENT_TUI_LABELLER"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(os, "getuid", lambda: 4_000_000_000)
    assert labeller() == "unknown"


def test_labels_of_a_sample_count_beside_those_that_came_with_it(tmp_path: Path) -> None:
    labels = Labels.of(load([str(shutil.copy(CYBERTRAVELS, tmp_path))]), by="ada")
    labels.set(4, "pass", "VAT number and a 19 % line")
    assert words(labels) == {"R5": "pass"}
    assert [labels.recorded_label(row) for row in range(6)] == ["pass", "fail", "pass", "fail", None, "fail"]
