"""One recorded verdict: what it says, and that nothing becomes a pass that does not say so."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Raw

from agent_tui.errors import Problem
from agent_tui.judge.recorded_entry import Entry, read_entry

PASSING = '{"verdict": "pass", "why": "right boat"}'


def read(value: Any, threshold: float = 0.5) -> tuple[Entry | None, list[Problem]]:
    found = list(read_entry(Raw(json.dumps(value).encode()), threshold, "x.json", "$.verdicts[3]"))
    entries = [each for each in found if isinstance(each, Entry)]
    return (entries[0] if entries else None), [each for each in found if isinstance(each, Problem)]


def said(**fields: Any) -> str:
    """The verdict of an entry, else why there is none, in a word."""
    entry, _ = read({"task": "t", **fields})
    assert entry is not None
    return entry.said.verdict or entry.said.kind


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"verdict": "pass"}, "pass"),
        ({"verdict": "undetermined", "pass": None}, "undetermined"),
        ({"verdict": "fail", "raw": PASSING}, "fail"),
        ({"verdict": "Pass"}, "malformed"),
        ({"verdict": "passed", "pass": True}, "malformed"),
        ({"verdict": 1}, "malformed"),
        ({"verdict": "fail", "pass": True}, "contradiction"),
        ({"verdict": "fail", "pass": False}, "fail"),
        ({"pass": True}, "pass"),
        ({"pass": False, "score": 1}, "fail"),
        ({"pass": "false"}, "fail"),
        ({"pass": "true"}, "no verdict"),
        ({"pass": "no", "raw": PASSING}, "no verdict"),
        ({"pass": 1}, "no verdict"),
        ({"pass": [True]}, "no verdict"),
        ({"pass": None, "raw": PASSING}, "pass"),
        ({"score": 1.0}, "no verdict"),
        ({"raw": 1}, "no verdict"),
        ({}, "no verdict"),
    ],
)
def test_a_verdict_is_a_word_else_true_or_false_else_a_reply_and_never_a_score(
    fields: dict[str, Any], expected: str
) -> None:
    assert said(**fields) == expected


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        (PASSING, "pass"),
        (f"\n {PASSING} \n", "pass"),
        (f"```json\n{PASSING}\n```", "pass"),
        (f"<think>it says {{fail}}</think>\n{PASSING}", "pass"),
        ('{"reason": "…", "verdict": "undetermined", "evidence": []}', "undetermined"),
        ("", "empty"),
        (" \n", "empty"),
        ('{"verdict":"pa', "cut off"),
        ('{"verdict":"pass"', "cut off"),
        ("<think>it must be a pass", "cut off"),
        ("I am not able to grade this conversation.", "refusal"),
        ("Sorry, I can’t help with that.", "refusal"),
        ("PASS", "malformed"),
        (f"The verdict: {PASSING}", "malformed"),
        (f"{PASSING} {PASSING}", "malformed"),
        ('{"verdict": "fail", "verdict": "pass"}', "malformed"),
        ('{"verdict": "pass", "x": {"a": 1, "a": 1}}', "malformed"),
        ('{"verdict": "PASS"}', "malformed"),
        ('{"verdict": true}', "malformed"),
        ('{"pass": true}', "malformed"),
        ('{"verdict": "pass", "score": NaN}', "malformed"),
        ('["pass"]', "malformed"),
        ('"pass"', "malformed"),
        ("[" * 100_000, "malformed"),
        ("{'verdict': 'pass'}", "malformed"),
    ],
)
def test_a_reply_is_one_object_with_a_verdict_or_none_at_all(reply: str, expected: str) -> None:
    assert said(raw=reply) == expected


@given(st.text(), st.text())
def test_no_text_around_a_verdict_makes_a_pass_of_it(before: str, after: str) -> None:
    bare = before.strip() == after.strip() == ""
    assert (said(raw=before + PASSING + after) == "pass") is bare


@pytest.mark.parametrize(("score", "flagged"), [(0.1, True), (0.5, False), (0.9, False), (None, False), ("0.1", False)])
def test_a_score_below_the_threshold_disagrees_with_a_pass(score: Any, flagged: bool) -> None:
    entry, _ = read({"task": "t", "pass": True, "score": score})
    assert entry is not None
    assert entry.flags == (("verdict and score disagree",) if flagged else ())


@pytest.mark.parametrize(("verdict", "flags"), [("fail", 1), ("undetermined", 0)])
def test_a_score_at_the_threshold_disagrees_with_a_fail_and_with_nothing_undecided(verdict: str, flags: int) -> None:
    entry, _ = read({"task": "t", "verdict": verdict, "score": 3}, threshold=3)
    assert entry is not None
    assert len(entry.flags) == flags


@pytest.mark.parametrize(
    ("value", "path", "kind"),
    [
        ("t1", "$.verdicts[3]", "bundle"),
        ({"verdict": "pass"}, "$.verdicts[3].task", "bundle"),
        ({"task": ["t"], "verdict": "pass"}, "$.verdicts[3].task", "bundle"),
        ({"task": "t", "verdict": "good"}, "$.verdicts[3].verdict", "bundle"),
        ({"task": "t", "pass": "false"}, "$.verdicts[3].pass", "bundle"),
        ({"task": "t", "raw": {"verdict": "pass"}}, "$.verdicts[3].raw", "bundle"),
        ({"task": "t", "pass": True, "score": "high"}, "$.verdicts[3].score", "warning"),
    ],
)
def test_what_is_not_of_its_type_is_told_with_its_place(value: Any, path: str, kind: str) -> None:
    _, problems = read(value)
    assert [(problem.file, problem.path, problem.kind) for problem in problems] == [("x.json", path, kind)]


@pytest.mark.parametrize("values", [("true", "false"), ("yes", "no"), (1, 0)])
def test_a_problem_does_not_tell_what_the_verdict_is(values: tuple[Any, Any]) -> None:
    first, second = (read({"task": "t", "pass": value})[1] for value in values)
    assert first == second
    assert len(first) == 1


def test_a_name_that_is_a_number_is_a_name() -> None:
    entry, problems = read({"task": 7, "verdict": "pass"})
    assert entry is not None
    assert (entry.name, problems) == ("7", [])
