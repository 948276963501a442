"""`score` under a matcher with an argument mode: `any_order+args_superset`."""

from __future__ import annotations

import pytest

from agent_tui.bundles import load
from agent_tui.runs import State
from tests.cli.conftest import Runs
from tests.writing import case_files


@pytest.mark.parametrize(("mode", "passed"), [("order_ignored+args_ignore", 1), ("any_order+args_exact", 2)])
def test_a_mode_is_one_more_matcher_with_its_counts(agent_tui: Runs, mode: str, passed: int) -> None:
    document = agent_tui("score", *case_files("05"), "--matcher", mode, "--json").document
    assert (document["matchers"][mode]["passed"], document["matchers"][mode]["scored"]) == (passed, 3)
    assert sum(row["matchers"][mode] == "pass" for row in document["runs"]) == passed
    assert document["ribbon"]["measure"] == mode


def test_arguments_on_top_are_forgiven_whatever_the_listing_order(agent_tui: Runs) -> None:
    document = agent_tui("score", *case_files("06"), "--matcher", "superset+args_superset", "--json").document
    assert [row["matchers"]["any_order+args_superset"] for row in document["runs"]] == ["pass", "pass"]


def test_a_gate_may_ask_for_a_mode(agent_tui: Runs) -> None:
    ended = agent_tui("score", *case_files("06"), "--fail-under", "any_order+args_superset=1")
    assert ended.status == 0
    assert "any_order+args_superset 2/2" in ended.err


def test_an_unknown_mode_lists_those_that_exist(agent_tui: Runs) -> None:
    ended = agent_tui("score", *case_files("06"), "--matcher", "any_order+args_most")
    assert ended.status == 2
    assert "there are exact, ignore, rules, subset, superset" in ended.err


def test_an_edit_is_judged_under_a_mode_too() -> None:
    bundle = load(case_files("06"), modes=["any_order+args_superset"])
    record = bundle.record(0).replace(b'"fri"', b'"sat"')
    bundle.edit(0, record)
    assert bundle.table.state(0, "any_order+args_superset") is State.PASS
    bundle.edit(0, record.replace(b'"quay": "B"', b'"quay": "C"', 1))
    assert bundle.table.state(0, "any_order+args_superset") is State.FAIL
