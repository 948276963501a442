"""The order of decision for a run."""

from __future__ import annotations

from typing import Any

import pytest

from agent_tui.answers import check_answer
from tests.make_run import make_run


@pytest.mark.parametrize("status", ["running", "queued", "skipped", "paused"])
def test_a_run_that_is_not_finished_is_pending(status: str) -> None:
    assert check_answer(make_run(truth="a", answer="a", status=status)).state == "pending"
    assert check_answer(make_run(answer="a", status=status)).state == "pending"


@pytest.mark.parametrize("truth", [None, "", {}])
def test_nothing_known_is_unscoreable_even_if_the_run_errored(truth: Any) -> None:
    assert check_answer(make_run(truth=truth, answer="a")).state == "unscoreable"
    assert check_answer(make_run(truth=truth, error="boom")).state == "unscoreable"


def test_an_errored_run_is_an_error_whatever_it_said() -> None:
    verdict = check_answer(make_run(truth="a", answer="a", error="timeout"))
    assert (verdict.state, verdict.why) == ("run_error", 'the run ended in an error: "timeout"')
    assert check_answer(make_run(truth={"regex": "("}, error="timeout")).state == "run_error"


def test_no_answer_where_one_was_expected_has_its_own_word() -> None:
    assert check_answer(make_run(truth="a")).state == "no_answer"


@pytest.mark.parametrize("truth", ["a", {"not": {"words": "a"}}, {"refusal": False}, {"number": 1}])
def test_an_empty_answer_is_wrong(truth: Any) -> None:
    assert check_answer(make_run(truth=truth, answer=" \n")).state == "wrong"


def test_a_broken_check_is_told_before_a_missing_answer() -> None:
    assert check_answer(make_run(truth={"regex": "("})).state == "check_error"
    assert check_answer(make_run(truth={"wrods": "a"})).state == "check_error"


def test_a_finished_run_is_judged_by_its_check() -> None:
    verdict = check_answer(make_run(truth={"number": 140}, answer="It is 140 EUR."))
    assert (verdict.state, verdict.check, verdict.why) == ("correct", "number", "the answer states 140")
