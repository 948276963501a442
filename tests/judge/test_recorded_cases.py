"""Collected cases 15 to 18: verdicts that came with a bundle, as their `Expect` blocks say."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from agent_tui.bundles import Bundle, load
from agent_tui.errors import NotPermitted
from agent_tui.judge.labels import Labels
from agent_tui.judge.permit import Certificate, Override
from agent_tui.judge.recorded import Recorded, recorded_verdicts
from agent_tui.judge.recorded_group import RecordedGroup, pass_rates
from tests.judge.labelling import labels_of
from tests.writing import case_files, expectation

AT = "2026-02-03T12:00:00+00:00"


class Case:
    """A case, opened where it can be labelled."""

    def __init__(self, number: str, folder: Path) -> None:
        (file,) = case_files(number)
        self.bundle: Bundle = load([str(shutil.copy(file, folder / "run.json"))])
        self.labels: Labels = labels_of(self.bundle)
        self.expected: dict[str, Any] = expectation(number)

    @property
    def recorded(self) -> Recorded:
        return recorded_verdicts(self.bundle, self.labels)

    @property
    def group(self) -> RecordedGroup:
        (group,) = self.recorded.groups
        return group

    def names(self, rows: tuple[int, ...]) -> list[str]:
        return [self.bundle.names.name(row) for row in rows]

    def label_all(self, word: str = "pass") -> None:
        """Label every run, so that every verdict may be seen beside its label."""
        for row in range(len(self.bundle)):
            self.labels.set(row, word)


def test_15_what_is_no_usable_answer_is_counted_apart_and_spoils_nothing_else(tmp_path: Path) -> None:
    case = Case("15", tmp_path)
    group, expected = case.group, case.expected
    assert group.judged == expected["judged"]
    assert {run.name: run.why.split(":")[0] for run in group.not_judged} == expected["not_judged"]
    assert {run.verdict for run in group.not_judged} == {None}
    assert pass_rates(group.labelled).passed.k == expected["judge_pass"]
    assert group.unusable.rate == expected["unusable_rate"]


def test_15_agreement_is_over_what_was_judged_and_unused_labels_are_said(tmp_path: Path) -> None:
    case = Case("15", tmp_path)
    validation, expected = case.group.validation, case.expected
    assert validation is not None
    assert (validation.confusion.agreed, validation.confusion.decided) == (expected["agree"], expected["judged"])
    assert [run.name for run in validation.false_passes] == expected["false_pass"]
    assert [run.name for run in validation.false_fails] == expected["false_fail"]
    assert case.names(case.group.labels_unused) == list(expected["not_judged"])


def test_15_too_many_unusable_answers_keep_the_gate_closed_for_good(tmp_path: Path) -> None:
    validation = Case("15", tmp_path).group.validation
    assert validation is not None
    assert validation.gate.state == "rejected"
    assert "3 of 8 labelled runs got no usable verdict" in validation.gate.reasons[0]
    with pytest.raises(NotPermitted):
        Override(validation, "to see them", AT)


def test_16_verdicts_against_their_own_score_are_to_be_read_first(tmp_path: Path) -> None:
    case = Case("16", tmp_path)
    group, expected = case.group, case.expected
    assert case.names(group.inconsistent) == expected["inconsistent"]
    assert (len(group.inconsistent), len(group.rows)) == (2, 5)
    assert {run.name: run.why.split(":")[0] for run in group.not_judged} == {"t3": expected["t3"]}


def test_16_rates_are_given_with_and_without_what_disagrees_and_a_text_is_no_yes(tmp_path: Path) -> None:
    case = Case("16", tmp_path)
    case.label_all()
    labelled, expected = {run.name: run for run in case.group.labelled}, case.expected
    rates = pass_rates(labelled.values())
    assert (rates.passed.k, rates.passed.n, rates.consistent.k, rates.consistent.n) == (2, 4, 1, 2)
    strict = [run.name for run in labelled.values() if run.verdict == "pass" and "disagree" not in str(run.flags)]
    assert strict == expected["pass_strict"]
    assert (labelled["t5"].verdict == "pass") is expected["t5_is_pass"]
    assert labelled["t5"].flags == ("recorded", 'the text "false" is read as false')
    assert case.recorded.problems[0].path == "$.verdicts[4].pass"


def test_17_no_number_mixes_two_judges(tmp_path: Path) -> None:
    case = Case("17", tmp_path)
    expected = case.expected
    counts = {group.standing: len(group.rows) for group in case.recorded.groups}
    assert counts == {
        "current": expected["current"],
        "other judge": expected["other"],
        "unknown judge": expected["unknown"],
    }
    assert [group.who.name for group in case.recorded.groups] == [
        "judge-b (b3-71)",
        "judge-a (a2-40)",
        "unknown judge",
    ]
    assert case.names(case.recorded.missing) == expected["missing"]


def test_17_only_what_the_current_judge_passed_counts_as_its_pass(tmp_path: Path) -> None:
    case = Case("17", tmp_path)
    case.label_all()
    current = case.recorded.groups[0]
    assert [run.name for run in current.labelled if run.verdict == "pass"] == case.expected["current_pass"]
    assert len({group.sealed.key for group in case.recorded.groups}) == 3


@pytest.mark.parametrize("number", ["16", "17"])
def test_without_labels_nothing_opens_recorded_verdicts(number: str, tmp_path: Path) -> None:
    case = Case(number, tmp_path)
    assert all(group.validation is None and group.gate.state == "no_labels" for group in case.recorded.groups)
    assert all(group.labelled == () and group.hidden for group in case.recorded.groups)


def test_18_a_judge_that_always_says_pass_agrees_with_the_base_rate_and_no_more(tmp_path: Path) -> None:
    case = Case("18", tmp_path)
    validation, expected = case.group.validation, case.expected
    assert validation is not None
    counts = validation.confusion
    assert (counts.labelled, counts.agreement_decided.rate) == (expected["labelled"], expected["agreement"])
    assert [run.name for run in validation.false_passes] == expected["false_pass"]
    assert (counts.false_pass.k, counts.false_pass.n) == (2, expected["human_fail"])
    assert [run.name for run in validation.false_fails] == expected["false_fail"]
    assert (counts.false_fail.k, counts.false_fail.n) == (0, expected["human_pass"])
    assert validation.kappa.value == pytest.approx(expected["kappa"], abs=1e-12)
    intervals = (counts.agreement_decided, counts.false_pass, counts.false_fail)
    assert all(rate.low is not None and rate.high is not None for rate in intervals)


def test_18_the_gate_is_closed_and_says_why(tmp_path: Path) -> None:
    case = Case("18", tmp_path)
    gate = case.group.gate
    assert (gate.state == "accepted") is (case.expected["gate"] != "closed")
    assert "false_pass_high_bound" in gate.codes
    assert gate.settles


def test_18_verdicts_on_unlabelled_runs_stay_hidden_but_for_a_deliberate_override(tmp_path: Path) -> None:
    case = Case("18", tmp_path)
    group, hidden = case.group, case.expected["hidden"]
    assert case.names(group.hidden) == hidden
    assert not {run.name for run in group.labelled} & set(hidden)
    assert group.validation is not None
    with pytest.raises(NotPermitted):
        Certificate(group.validation)
    opened = group.verdicts(Override(group.validation, "to see them", AT))
    assert [(run.name, run.verdict) for run in opened[20:]] == [(name, "pass") for name in hidden]
    assert all("recorded" in run.flags for run in opened)
