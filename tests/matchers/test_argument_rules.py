"""Argument rules: what each lets pass, and what it does not."""

from __future__ import annotations

from typing import Any

import pytest

from agent_tui.matchers import match, match_mode, parse_rules
from agent_tui.matchers.explain import explain
from agent_tui.runs import State
from tests.make_run import make_run

Args = dict[str, Any] | str
AMOUNT = {"number": {"abs": 0.005}}
CASES: list[tuple[Any, Args, Args, bool]] = [
    (None, {"amount": 140}, {"amount": 140.0}, True),
    (None, {"amount": 140}, {"amount": 140.004}, False),
    (AMOUNT, {"amount": 140}, {"amount": 140.005}, True),
    (AMOUNT, {"amount": 140}, {"amount": 140.0051}, False),
    (AMOUNT, {"amount": 140}, {"amount": "140.00"}, False),
    (AMOUNT, {"amount": 1}, {"amount": True}, False),
    ({"number": {"parse": True}}, {"amount": 140}, {"amount": " 140.00 "}, True),
    ({"number": {"parse": True}}, {"amount": 140}, {"amount": "140 EUR"}, False),
    ({"number": {"rel": 0.01}}, {"amount": 100}, {"amount": 99}, True),
    ({"number": {"rel": 0.01}}, {"amount": 100}, {"amount": 98.99}, False),
    ({"one_of": ["EUR", "€"]}, {"amount": "EUR"}, {"amount": "€"}, True),
    ({"one_of": ["EUR", "€"]}, {"amount": "EUR"}, {"amount": "USD"}, False),
    ({"one_of": [1, 2]}, {"amount": 1}, {"amount": 2.0}, True),
    ({"one_of": [1, 2]}, {"amount": 1}, {"amount": True}, False),
    ({"one_of": ["a"], "text": ["casefold"]}, {"amount": "a"}, {"amount": "A"}, True),
    ({"text": ["trim"]}, {"amount": "a"}, {"amount": " a\n"}, True),
    ({"text": ["casefold"]}, {"amount": "Straße"}, {"amount": "STRASSE"}, True),
    ({"text": ["nfc"]}, {"amount": "é"}, {"amount": "e\u0301"}, True),
    ({"text": ["collapse_space"]}, {"amount": "New York"}, {"amount": "New \t York"}, True),
    ({"text": ["collapse_space"]}, {"amount": "New York"}, {"amount": "New York "}, False),
    ({"text": ["trim", "casefold"]}, {"amount": "a"}, {"amount": "b"}, False),
    ({"regex": "^2024-04-0?1$"}, {"amount": "x"}, {"amount": "2024-04-1"}, True),
    ({"regex": "2024"}, {"amount": "2024"}, {"amount": "2024-04"}, False),
    ({"regex": "(a+)+b"}, {"amount": "x"}, {"amount": "a" * 60}, False),
    ("ignore", {"amount": 1}, {}, True),
    ("ignore", {}, {"amount": 1}, True),
    ("present", {"amount": 1}, {"amount": None}, True),
    ("present", {"amount": 1}, {}, False),
    ({"list": "set"}, {"amount": [1, 2]}, {"amount": [2, 1, 1.0]}, True),
    ({"list": "set"}, {"amount": [1, 2]}, {"amount": [1]}, False),
    ({"list": "multiset"}, {"amount": [1, 2, 2]}, {"amount": [2, 1, 2]}, True),
    ({"list": "multiset"}, {"amount": [1, 2]}, {"amount": [2, 1, 1]}, False),
    ({"list": "ordered"}, {"amount": [1, 2]}, {"amount": [2, 1]}, False),
    ({"default": 10}, {"amount": 10}, {}, True),
    ({"default": 10}, {}, {"amount": 10.0}, True),
    ({"default": 10}, {}, {"amount": 9}, False),
    ({"default": None}, {"amount": None}, {}, True),
    ({"default": ""}, {"amount": None}, {}, False),
]


@pytest.mark.parametrize(("rule", "expected", "actual", "passes"), CASES)
def test_a_rule_lets_pass_what_it_names(rule: Any, expected: Args, actual: Args, passes: bool) -> None:
    rules = None if rule is None else {"tools": {"pay": {"args": {"amount": rule}}}}
    found = match(make_run([("pay", expected)], [("pay", actual)]), parse_rules(rules))
    assert (found.states[0] == State.PASS) is passes
    assert (found.alignment == 1.0) is passes


PATHS: list[tuple[dict[str, Any], Args, Args, bool]] = [
    ({"meta.trace": "ignore"}, {"meta": {"trace": 1, "n": 2}}, {"meta": {"trace": 9, "n": 2}}, True),
    ({"meta.trace": "ignore"}, {"meta": {"trace": 1, "n": 2}}, {"meta": {"n": 3}}, False),
    ({"meta.trace": "ignore"}, {}, {"meta": {"trace": 1}}, False),
    ({"meta.trace": "present"}, {}, {}, False),
    ({"rows.*.price": {"number": {"abs": 1}}}, {"rows": [{"price": 1}]}, {"rows": [{"price": 2}]}, True),
    ({"rows.*.price": {"number": {"abs": 1}}}, {"rows": [{"price": 1}]}, {"rows": [{"price": 2}, {"price": 2}]}, False),
    ({"tags": {"list": "multiset"}, "tags.*": {"number": {"abs": 1}}}, {"tags": [1, 2]}, {"tags": [3, 2]}, True),
    ({"tags": {"list": "multiset"}, "tags.*": {"number": {"abs": 1}}}, {"tags": [2, 1]}, {"tags": [3, 2]}, True),
    ({"tags.*": {"text": ["casefold"]}}, {"tags": ["a"]}, {"tags": ["A"]}, True),
]


@pytest.mark.parametrize(("args", "expected", "actual", "passes"), PATHS)
def test_paths_reach_into_objects_and_list_items(
    args: dict[str, Any], expected: Args, actual: Args, passes: bool
) -> None:
    rules = parse_rules({"tools": {"pay": {"args": args}}})
    found = match(make_run([("pay", expected)], [("pay", actual)]), rules)
    assert (found.states[0] == State.PASS) is passes


def exact(expected: list[Any], made: list[Any], rules: dict[str, Any]) -> bool:
    return match(make_run(expected, made), parse_rules(rules)).states[0] == State.PASS


def test_extra_arguments_are_allowed_where_the_rules_say_so() -> None:
    allow = {"tools": {"pay": {"extra_args": "allow"}}}
    assert exact([("pay", {"a": 1})], [("pay", {"a": 1, "b": 2})], allow)
    assert not exact([("pay", {"a": 1, "b": 2})], [("pay", {"a": 1})], allow)
    assert not exact([("look", {"a": 1})], [("look", {"a": 1, "b": 2})], allow)


def test_a_tool_goes_by_its_own_entry_before_any_pattern() -> None:
    rules = {"tools": {"p*": {"args": {"a": "ignore"}}, "pay": {"args": {}}}}
    assert exact([("put", {"a": 1})], [("put", {"a": 2})], rules)
    assert not exact([("pay", {"a": 1})], [("pay", {"a": 2})], rules)


def test_an_expected_call_overrides_the_rules_of_its_tool() -> None:
    rules = {"tools": {"pay": {"args": {"a": "ignore", "b": {"one_of": [1]}}}}}
    own = {"name": "pay", "args": {"a": 1}, "rules": {"args": {"b": {"regex": "x+"}}}}
    assert exact([own], [("pay", {"a": 2, "b": "xx"})], rules)
    assert not exact([own], [("pay", {"a": 2, "b": 1})], rules)
    assert not exact([own], [("pay", {"a": 2})], rules), "an argument that the call itself asks for must be there"


def test_aliases_make_one_tool_of_two_names() -> None:
    rules = {"aliases": {"mcp__bank__*": "*", "calendar_create": "calendar.create"}}
    assert exact(["pay", "calendar.create"], ["mcp__bank__pay", "calendar_create"], rules)
    assert not exact(["pay"], ["mcp__shop__pay"], rules)


def test_ignored_tools_are_taken_out_of_both_sides() -> None:
    rules = {"ignore_tools": ["think", "transfer_to_*"]}
    assert exact(["think", "pay"], ["transfer_to_x", "pay", "think"], rules)
    assert not exact(["pay"], ["pay", "thinking"], rules)


def test_failed_calls_can_be_dropped() -> None:
    made = [{"name": "pay", "error": "busy"}, {"name": "pay", "result": "ok"}]
    assert exact(["pay"], made, {"failed_calls": "drop"})
    assert not exact(["pay"], made, {"failed_calls": "keep"})


def test_pairing_is_maximum_where_a_tolerance_is_not_transitive() -> None:
    rules = parse_rules({"tools": {"pay": {"args": {"n": {"number": {"abs": 1}}}}}})
    found = match(make_run([("pay", {"n": 2}), ("pay", {"n": 1})], [("pay", {"n": 1}), ("pay", {"n": 3})]), rules)
    assert (found.f1, found.cause) == (1.0, "order")


@pytest.mark.parametrize(
    ("mode", "passes"), [("exact", False), ("ignore", True), ("superset", True), ("subset", False), ("rules", False)]
)
def test_modes_are_read_from_the_side_of_the_agent(mode: str, passes: bool) -> None:
    run = make_run([("pay", {"a": 1})], [("pay", {"a": 1, "b": 2})])
    turned = make_run([("pay", {"a": 1, "b": 2})], [("pay", {"a": 1})])
    assert (match_mode(run, f"exact+args_{mode}") is State.PASS) is passes
    if mode in ("superset", "subset"):
        assert (match_mode(turned, f"exact+args_{mode}") is State.PASS) is not passes


def slow_rule(mark: str) -> dict[str, Any]:
    """A rule whose pattern never ends on `SLOW`; no two tests share one, since it is given up for good."""
    return {"regex": f"(a|aa)+{mark}?$"}


SLOW = "a" * 30_000 + "!"


def test_a_pattern_that_cannot_tell_in_time_neither_passes_nor_fails() -> None:
    rules = parse_rules({"tools": {"pay": {"args": {"amount": slow_rule("1")}}}})
    states = match(make_run([("pay", {"amount": "x"})], [("pay", {"amount": SLOW})]), rules).states
    assert set(states[:7]) == {State.BROKEN}
    again = match(make_run([("pay", {"amount": "x"})], [("pay", {"amount": "aa"})]), rules).states
    assert set(again[:7]) == {State.BROKEN}


def test_a_pattern_that_cannot_tell_in_time_says_why() -> None:
    rules = parse_rules({"tools": {"pay": {"args": {"amount": slow_rule("2")}}}})
    explained = explain(make_run([("pay", {"amount": "x"})], [("pay", {"amount": SLOW})]), rules)
    assert explained.notes == ['cannot tell: the pattern "(a|aa)+2?$" takes too long, and is not tried any more']
    assert explained.first_difference is None


def test_a_run_that_ended_in_an_error_stays_one() -> None:
    rules = parse_rules({"tools": {"pay": {"args": {"amount": slow_rule("3")}}}})
    run = make_run([("pay", {"amount": "x"})], [("pay", {"amount": SLOW})], error="timeout")
    assert set(match(run, rules).states[:7]) == {State.ERROR}


def test_forbidden_arguments_that_cannot_be_told_in_time_are_no_pass() -> None:
    rules = parse_rules({"forbidden_tools": [{"name": "pay", "args": {"amount": slow_rule("4")}}]})
    run = make_run([("pay", {"amount": SLOW})], [("pay", {"amount": SLOW})])
    found = match(run, rules)
    assert (found.states[0], found.states[-1]) == (State.PASS, State.BROKEN)
    assert (
        'cannot tell: the pattern "(a|aa)+4?$" takes too long, and is not tried any more' in explain(run, rules).notes
    )


def test_the_repeats_that_are_asked_for_may_need_a_pattern_too() -> None:
    rules = parse_rules({"tools": {"pay": {"args": {"amount": slow_rule("5")}}}})
    calls = [("pay", {"amount": "aa"}), ("other", {}), ("pay", {"amount": SLOW}), ("pay", {"amount": SLOW})]
    assert match(make_run([("pay", {"amount": "x"})], list(calls)), rules).states[0] == State.BROKEN
