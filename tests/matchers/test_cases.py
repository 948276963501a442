"""The collected cases, as far as trajectories go: what other matchers got wrong."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from agent_tui.matchers import MATCHERS, Match, match, match_mode, parse_rules
from agent_tui.matchers.explain import explain
from agent_tui.readers import decode_run
from agent_tui.runs import Run, State

CASES = Path(__file__).parent.parent / "cases"
OURS = {"names_any_order": "order_ignored+args_ignore", "contains": "any_order", "within": "subset"}
"""Names of the case files that differ from ours."""
SPOKEN_OF = ("exact", "name_only", "order_ignored", "names_any_order", "in_order", "contains", "within")
EXTRA_ARGS = {"tools": {"*": {"extra_args": "allow"}}}


def case(number: str) -> tuple[dict[str, Run], dict[str, Any]]:
    """The runs of a case by id, and what it expects."""
    (folder,) = CASES.glob(f"{number}-*")
    text = (folder / "case.md").read_text(encoding="utf-8")
    runs = json.loads((folder / "run.json").read_text(encoding="utf-8"))["runs"]
    expected = json.loads(text.split("```json")[1].split("```")[0])
    return {run["id"]: decode_run(json.dumps(run).encode()) for run in runs}, expected


def verdict(run: Run, name: str) -> str:
    return match_mode(run, OURS.get(name, name)).word


def state(found: Match, name: str) -> State:
    return State(found.states[MATCHERS.index(name)])


@pytest.mark.parametrize("task", ["t1", "t2", "t3"])
def test_05_the_same_call_twice_counts_twice(task: str) -> None:
    runs, expected = case("05")
    passes = SPOKEN_OF if task == "t1" else expected[task]["pass"]
    assert [name for name in SPOKEN_OF if verdict(runs[task], name) == "pass"] == [n for n in SPOKEN_OF if n in passes]


def test_05_the_difference_says_how_many_of_how_many() -> None:
    runs, _ = case("05")
    assert explain(runs["t2"]).first_difference == "call 2 lookup_sailing: missing, 1 of 2 made"
    assert explain(runs["t3"]).first_difference == "call 2 lookup_sailing: not expected, 2 made of 1 expected"
    assert [row.mark for row in explain(runs["t3"]).rows] == ["=", "+"]


@pytest.mark.parametrize("task", ["t1", "t2"])
def test_06_the_listing_order_does_not_change_the_pairing(task: str) -> None:
    runs, expected = case("06")
    rules = parse_rules(EXTRA_ARGS)
    assert state(match(runs[task], rules), "any_order").word == expected["contains_partial_args"][task]
    assert explain(runs[task], rules).pairs == [tuple(pair) for pair in expected[f"pairs_{task}"]]
    assert state(match(runs[task]), "any_order").word == expected["contains_exact_args"][task]
    assert match(runs[task]).cause == "wrong_args"


@pytest.mark.parametrize("task", ["t1", "t2"])
def test_07_retries_and_extra_calls_cost_precision_only(task: str) -> None:
    runs, expected = case("07")
    found, wanted = match(runs[task]), expected[task]
    assert (round(found.precision or 0, 4), found.recall) == (wanted["precision"], wanted["recall"])
    assert [name for name in SPOKEN_OF if verdict(runs[task], name) == "pass"] == wanted["pass"]
    assert (explain(runs[task]).retries, explain(runs[task]).repeats) == (wanted.get("retries", 0), 0)


def test_08_arguments_as_text_are_read_and_said() -> None:
    runs, expected = case("08")
    assert verdict(runs["t1"], "exact") == expected["t1"]["exact"]
    assert explain(runs["t2"]).notes == [expected["t2"]["diff_note"]]
    assert (verdict(runs["t2"], "name_only"), verdict(runs["t2"], "exact")) == ("pass", "fail")
    assert (verdict(runs["t3"], "name_only"), verdict(runs["t3"], "exact")) == ("pass", "fail")
    assert expected["t3"]["note"] in str(explain(runs["t3"]).first_difference)
    assert [match(run).parsed for run in runs.values()] == [True, True, False]


def test_09_empty_is_an_expectation() -> None:
    runs, expected = case("09")
    assert {task: verdict(run, "exact") for task, run in runs.items()} == expected["exact"]
    for task, name in expected["vacuous"]:
        assert match_mode(runs[task], OURS.get(name, name)) is State.VACUOUS
    assert {verdict(runs["t4"], name) for name in SPOKEN_OF} == {"error"}
    assert explain(runs["t3"]).notes == ["no expectation"]
    assert explain(runs["t4"]).notes == ["no trajectory recorded"]
