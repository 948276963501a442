"""What is decided before any call is compared: not finished, nothing known, ended in an error, nothing recorded."""

from __future__ import annotations

import pytest
from msgspec import Raw, structs

from agent_tui.matchers import LADDER, MATCHERS, match, parse_rules
from agent_tui.runs import Expected, ExpectedCall, ForbiddenTool, Reference, RequiredTool, Run, State, Times
from tests.make_run import make_call, make_expected_call, make_run

LADDER_STATES = slice(0, len(LADDER))


def states(run: Run, rules: object = None) -> dict[str, State]:
    found = match(run, parse_rules(rules))  # type: ignore[arg-type]
    return {name: State(code) for name, code in zip(MATCHERS, found.states, strict=True)}


@pytest.mark.parametrize("status", ["running", "queued", "skipped", "paused for lunch"])
def test_a_run_that_is_not_finished_is_in_nothing(status: str) -> None:
    run = make_run(["look"], ["look"], status=status)
    assert set(states(run).values()) == {State.PENDING}


def test_without_an_expectation_nothing_is_known_even_if_the_run_errored() -> None:
    assert set(states(make_run(None, ["look"])).values()) == {State.NOT_KNOWN}
    assert set(states(make_run(None, ["look"], error="died")).values()) == {State.NOT_KNOWN}


def test_an_errored_run_is_neither_pass_nor_fail() -> None:
    run = make_run(["look"], ["look"], error="died")
    found = match(run)
    assert set(found.states[LADDER_STATES]) == {State.ERROR}
    assert (found.cause, found.f1, found.strictest) == ("run_error", None, None)


def test_an_expected_trajectory_that_was_not_recorded_is_an_error_even_under_subset() -> None:
    run = make_run(["look"], None)
    assert set(match(run).states[LADDER_STATES]) == {State.ERROR}


def test_a_run_without_calls_is_scored_by_each_definition() -> None:
    run = make_run(["look"], [])
    run = structs.replace(
        run, expected=Expected(calls=[ExpectedCall(name="look")], required_tools=["look"], forbidden_tools=["rm"])
    )
    passed = {name for name, state in states(run).items() if state is State.PASS}
    assert passed == {"subset", "forbidden_tools"}
    assert match(run).cause == "no_calls"


def test_nothing_expected_and_nothing_made_passes_but_order_is_vacuous() -> None:
    found = match(make_run([], []))
    assert states(make_run([], []))["in_order"] is states(make_run([], []))["any_order"] is State.VACUOUS
    assert (found.strictest, found.precision, found.recall, found.f1, found.alignment) == ("exact", 1.0, 1.0, 1.0, 1.0)


def test_a_call_where_none_was_expected_fails_all_that_is_not_vacuous() -> None:
    found = match(make_run([], ["look"]))
    assert [State(code) for code in found.states[LADDER_STATES]] == [
        State.FAIL, State.FAIL, State.FAIL, State.FAIL, State.VACUOUS, State.VACUOUS, State.FAIL,
    ]  # fmt: skip
    assert (found.precision, found.recall, found.f1, found.alignment) == (0.0, None, 0.0, 0.0)
    assert (found.cause, found.strictest) == ("extra", None)


def test_no_call_made_has_no_precision() -> None:
    found = match(make_run(["look"], []))
    assert (found.precision, found.recall, found.f1, found.alignment) == (None, 0.0, 0.0, 0.0)


def test_only_optional_calls_expected_ask_for_nothing() -> None:
    expected = [{"name": "look", "optional": True}]
    assert states(make_run(expected, []))["exact"] is State.PASS
    assert states(make_run(expected, ["look"]))["exact"] is State.PASS
    assert states(make_run(expected, ["look"]))["in_order"] is State.VACUOUS


BROKEN = {
    "both calls and any": Expected(calls=[], any=[Reference([])]),
    "no reference is acceptable": Expected(any=[]),
    "rules that mean nothing": Expected(calls=[ExpectedCall(name="look", rules=Raw(b'{"arg": {}}'))]),
    "times that leave no number": Expected(calls=[ExpectedCall(name="look", times=Times(3, 2))]),
    "a group that is optional": Expected(calls=[ExpectedCall(parallel=[ExpectedCall(name="look")], optional=True)]),
}


@pytest.mark.parametrize("expected", BROKEN.values(), ids=BROKEN)
def test_an_expectation_that_makes_no_sense_is_a_broken_check(expected: Expected) -> None:
    run = structs.replace(make_run(None, ["look"]), expected=expected)
    found = match(run)
    assert set(found.states[LADDER_STATES]) == {State.BROKEN}
    assert found.cause is None


def test_a_broken_tool_list_breaks_its_own_column_only() -> None:
    expected = Expected(calls=[ExpectedCall(name="look")], required_tools=[RequiredTool("look", 3, 1)])
    found = states(structs.replace(make_run(None, ["look"]), expected=expected))
    assert found["required_tools"] is State.BROKEN
    assert (found["exact"], found["forbidden_tools"]) == (State.PASS, State.NOT_KNOWN)


def run_with_lists(required: list[str | RequiredTool] | None, forbidden: list[str | ForbiddenTool] | None) -> Run:
    expected = Expected(calls=[make_expected_call("look")], required_tools=required, forbidden_tools=forbidden)
    return structs.replace(make_run(None, ["look", ("pay", {"amount": 900})]), expected=expected)


def test_required_tools_count_calls_within_their_bounds() -> None:
    assert states(run_with_lists(["look", "p*"], None))["required_tools"] is State.PASS
    assert states(run_with_lists([RequiredTool("look", 2)], None))["required_tools"] is State.FAIL
    assert states(run_with_lists([RequiredTool("look", 0, 0)], None))["required_tools"] is State.FAIL
    assert states(run_with_lists([], None))["required_tools"] is State.VACUOUS


def test_a_forbidden_tool_can_ask_for_arguments() -> None:
    small, large = (ForbiddenTool("p*", Raw(b'{"amount": {"one_of": [%d]}}' % amount)) for amount in (9, 900))
    assert states(run_with_lists(None, [small]))["forbidden_tools"] is State.PASS
    assert states(run_with_lists(None, [large]))["forbidden_tools"] is State.FAIL
    assert states(run_with_lists(None, ["rm", "p*"]))["forbidden_tools"] is State.FAIL


def test_the_lists_of_the_bundle_hold_for_every_run_and_see_ignored_calls() -> None:
    rules = {"required_tools": ["look"], "forbidden_tools": ["pay"], "ignore_tools": ["pay"]}
    found = states(make_run(["look"], ["look", "pay"]), rules)
    assert (found["required_tools"], found["forbidden_tools"]) == (State.PASS, State.FAIL)
    assert found["exact"] is State.PASS


def test_the_lists_of_the_bundle_say_nothing_of_a_run_without_trajectory_or_expectation() -> None:
    rules = {"forbidden_tools": ["pay"]}
    assert states(make_run(None, None), rules)["forbidden_tools"] is State.NOT_KNOWN
    assert states(make_run(["look"], None), rules)["forbidden_tools"] is State.ERROR


def test_of_several_references_the_best_counts_and_is_named() -> None:
    far, near = Reference([make_expected_call("pay")], "far"), Reference([make_expected_call("look")], "near")
    run = structs.replace(make_run(None, ["look"]), expected=Expected(any=[far, near]))
    found = match(run)
    assert (found.reference, found.strictest, found.f1) == (1, "exact", 1.0)


def test_partial_credit_is_the_greatest_that_a_reference_gives() -> None:
    same_names = Reference([make_expected_call(("look", {"x": 9})), make_expected_call(("pay", {"x": 9}))])
    more_calls = Reference(
        [make_expected_call(("look", {"x": 1})), make_expected_call("rest"), make_expected_call("go")]
    )
    made = [make_call(("look", {"x": 1})), make_call(("pay", {"x": 1}))]
    run = structs.replace(make_run(None, []), calls=made, expected=Expected(any=[same_names, more_calls]))
    found = match(run)
    assert (found.reference, found.strictest) == (0, "name_only")
    assert found.f1 == 2 * 1 / (2 + 3)
