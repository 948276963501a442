"""One order of decision a surface: what counts, what stands beside, what is in nothing."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import Raw

from agent_tui.errors import BadRules
from agent_tui.matchers import Rules
from agent_tui.runs import LevelsSpec, ToolCall
from agent_tui.scoring import Plan, score_run
from agent_tui.scoring.tools import parse_tools
from tests.make_run import make_run

EXACT, OUTPUT, SUCCESS, TOOLS, WAY = "exact", "output", "task_success", "tool_call_correctness", "trajectory_quality"


def words(plan: Plan | None = None, **run: Any) -> dict[str, str]:
    """The verdicts of a run by measure, in words."""
    score = score_run(make_run(**run), plan or Plan())
    return {name: score.state(name).name for name in (EXACT, OUTPUT, SUCCESS, TOOLS, WAY)}


def all_of(word: str) -> dict[str, str]:
    return dict.fromkeys((EXACT, OUTPUT, SUCCESS, TOOLS, WAY), word)


@pytest.mark.parametrize("status", ["running", "queued", "skipped", "parked", "Done"])
@pytest.mark.parametrize("scores", [{}, {"success": 1.0}, {"other": 1.0}])
def test_what_is_not_finished_is_in_nothing(status: str, scores: dict[str, float]) -> None:
    found = words(expected=["a"], actual=["a"], truth="x", answer="x", status=status, scores=scores)
    assert found == all_of("PENDING")


def test_nothing_known_is_n_a_but_for_success_which_an_error_ends() -> None:
    assert words(actual=["a"]) == all_of("NOT_KNOWN")
    assert words(actual=["a"], error="crash") == all_of("NOT_KNOWN") | {SUCCESS: "ERROR"}


def test_an_errored_run_is_neither_pass_nor_fail() -> None:
    assert words(expected=["a"], actual=["a"], truth="x", answer="x", error="crash") == all_of("ERROR")


def test_a_recorded_score_stands_even_if_the_run_errored() -> None:
    for value, word in ((1.0, "PASS"), (0.0, "FAIL"), (0.5, "FAIL")):
        found = words(expected=["a"], actual=["a"], error="crash", scores={"success": value})
        assert (found[SUCCESS], found[EXACT]) == (word, "ERROR")


def test_no_trajectory_where_one_is_expected_is_an_error_on_that_surface_alone() -> None:
    found = words(expected=["a"], truth="x", answer="x", scores={"success": 1.0})
    assert (found[EXACT], found[TOOLS], found[WAY]) == ("ERROR", "ERROR", "ERROR")
    assert (found[OUTPUT], found[SUCCESS]) == ("PASS", "PASS")
    assert words(truth="x", answer="x")[EXACT] == "NOT_KNOWN"


def test_no_answer_where_one_is_expected_is_scored_and_wrong() -> None:
    score = score_run(make_run(truth="x", actual=[]), Plan())
    assert (score.answer.state, score.state(OUTPUT).word, score.state(SUCCESS).word) == ("no_answer", "fail", "fail")


@pytest.mark.parametrize(
    ("scores", "word"),
    [
        ({"success": 1.0}, "PASS"),
        ({"pass": 1.0}, "PASS"),
        ({"correct": 0.0, "reward": 1.0}, "FAIL"),
        ({"reward": 0.99}, "FAIL"),
        ({"success": 1.5}, "NOT_KNOWN"),
        ({"success": -0.1}, "NOT_KNOWN"),
        ({"success": None}, "NOT_KNOWN"),
        ({"success": "yes"}, "NOT_KNOWN"),
        ({"success": "NaN"}, "NOT_KNOWN"),
        ({"quality": 1.0}, "NOT_KNOWN"),
    ],
)
def test_a_recorded_score_is_success_at_one_and_never_invented(scores: dict[str, Any], word: str) -> None:
    assert words(actual=[], scores=scores)[SUCCESS] == word


def test_a_score_out_of_range_is_flagged() -> None:
    score = score_run(make_run(actual=[], scores={"success": 7.0}), Plan())
    assert score.success.finding == "score success is outside 0..1: 7"


def test_our_check_decides_and_a_recorded_score_that_differs_is_a_finding() -> None:
    score = score_run(make_run(truth="140", answer="1400", actual=[], scores={"success": 1.0}), Plan())
    assert (score.success.state.word, score.success.source) == ("fail", "check")
    assert score.success.finding == "recorded score says pass, our check says fail"
    agreeing = score_run(make_run(truth="140", answer="140", actual=[], scores={"success": 1.0}), Plan())
    assert agreeing.success.finding is None


def test_the_primary_score_comes_first() -> None:
    run = make_run(actual=[], scores={"success": 0.0, "judged": 1.0})
    assert score_run(run, Plan(success_scores=("judged", "success"))).state(SUCCESS).word == "pass"


def test_a_broken_check_has_a_column_of_its_own() -> None:
    found = words(truth={"regex": "("}, answer="x", actual=[])
    assert (found[OUTPUT], found[SUCCESS]) == ("BROKEN", "BROKEN")


SEARCH = Plan(levels=LevelsSpec(kind="search", tool="find", argument="query"))


def searched(*queries: Any, documents: list[str] | None = None, **fields: Any) -> dict[str, Any]:
    calls = [{"name": "find", "args": {"query": query}, "documents": ["d1"]} for query in queries]
    return {"actual": calls, "documents": documents, "input": "What is the fee?", **fields}


@pytest.mark.parametrize(
    ("run", "tools", "way"),
    [
        (searched("fee", documents=["d1"]), "PASS", "PASS"),
        (searched("fee", documents=["d2"]), "PASS", "FAIL"),
        (searched("fee", documents=["d2", "d1"]), "PASS", "PASS"),
        (searched("fee", documents=[]), "PASS", "PASS"),
        (searched("fee"), "PASS", "NOT_KNOWN"),
        (searched("fee", "cost", documents=["d1"]), "PASS", "FAIL"),
        (searched("the of", documents=["d1"]), "FAIL", "PASS"),
        (searched("", documents=["d1"]), "FAIL", "PASS"),
        (searched(7, documents=["d1"]), "FAIL", "PASS"),
        (searched(documents=["d1"]), "FAIL", "FAIL"),
        (searched("fee", documents=["d1"], error="crash"), "ERROR", "ERROR"),
        (searched("fee", error="crash"), "ERROR", "NOT_KNOWN"),
        ({"documents": ["d1"]}, "ERROR", "ERROR"),
        ({}, "NOT_KNOWN", "NOT_KNOWN"),
        (searched("fee", documents=["d1"], status="running"), "PENDING", "PENDING"),
    ],
)
def test_a_search_agent_is_decided_in_the_same_order(run: dict[str, Any], tools: str, way: str) -> None:
    found = words(SEARCH, **run)
    assert (found[TOOLS], found[WAY]) == (tools, way)


def test_queries_that_differ_in_case_and_space_are_one() -> None:
    levels = score_run(make_run(**searched("Fee ", "fee", documents=["d1"])), SEARCH).levels
    assert (levels.redundancy, levels.matches_reference) == (1, False)


@pytest.mark.parametrize(
    ("expected", "actual", "tools", "way"),
    [
        (["a", "b"], ["a", "b"], "PASS", "PASS"),
        (["a", "b"], ["b", "a", "c"], "PASS", "FAIL"),
        (["a", "a"], ["a", "b"], "FAIL", "FAIL"),
        (["a"], [], "FAIL", "FAIL"),
        ([], [], "PASS", "PASS"),
        ([("a", {"x": 1})], [("a", {"x": 2})], "PASS", "FAIL"),
        (["a"], [("a", "{cut")], "FAIL", "FAIL"),
        (["a", "a"], ["a", "a"], "PASS", "PASS"),
    ],
)
def test_calls_are_right_by_name_and_the_way_by_exact(
    expected: list[Any], actual: list[Any], tools: str, way: str
) -> None:
    found = words(expected=expected, actual=actual)
    assert (found[TOOLS], found[WAY]) == (tools, way)


@pytest.mark.parametrize(
    ("expected", "actual", "word", "called"),
    [
        (["mcp__bank__pay"], [("pay", {"x": 2}), "look"], "PASS", True),
        (["mcp__bank__pay"], [("mcp__bank__pay", {"x": 2}), "look"], "PASS", True),
        (["think", "pay"], [("pay", {"x": 2}), "look"], "PASS", True),
        (["mcp__bank__pay"], ["look"], "FAIL", True),
        (["pay"], ["think"], "FAIL", False),
        (["think"], ["think"], "PASS", None),
        ([], ["think"], "PASS", None),
    ],
)
def test_tool_calls_are_right_by_the_names_that_the_matchers_go_by(
    expected: list[str], actual: list[Any], word: str, called: bool | None
) -> None:
    plan = Plan(rules=Rules(aliases=(("mcp__bank__*", "*"),), ignore_tools=("think",)))
    wanted: list[Any] = [(name, {"x": 1}) for name in expected]
    score = score_run(make_run(wanted, actual), plan)
    assert (score.state(TOOLS).name, score.levels.called) == (word, called)


def test_what_is_nested_too_deeply_for_a_schema_is_refused_in_words() -> None:
    deep = b'{"x":' + b"[" * 600 + b"]" * 600 + b"}"
    with pytest.raises(BadRules, match="the schema of 'a' is nested too deeply"):
        parse_tools(Raw(b'[{"name":"a","parameters":' + deep + b"}]"))
    tools = parse_tools(Raw(b'[{"name":"a","parameters":{"type":"object"}}]'))
    assert tools.misfit(ToolCall(name="a", args=Raw(deep))) == "arguments are nested too deeply for the tool's schema"
