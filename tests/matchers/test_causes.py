"""Cause of failure: the first that explains the whole difference."""

from __future__ import annotations

from typing import Any

import pytest

from agent_tui.matchers import match
from tests.make_run import make_run

A, B, C = ("a", {"x": 1}), ("b", {"x": 1}), ("c", {"x": 1})
A2 = ("a", {"x": 2})

CAUSES: dict[str, tuple[list[Any], list[Any], str | None]] = {
    "the same": ([A, B], [A, B], None),
    "no calls": ([A, B], [], "no_calls"),
    "another order": ([A, B], [B, A], "order"),
    "another argument": ([A, B], [A2, B], "wrong_args"),
    "two of one tool swapped": ([A, A2], [A2, A], "order"),
    "a call again": ([A, B], [A, A, B], "repeated"),
    "a call again, at the end": ([A, B], [A, B, A, B], "repeated"),
    "a call again, later, spelt otherwise": ([A, B], [A, A, B, ("b", {"x": 1.0})], "repeated"),
    "a call too many": ([A, B], [A, C, B], "extra"),
    "a call too many before its own partner": ([A, B], [B, A, B], "extra"),
    "a call again and one too many": ([A, B], [A, A, B, C], "extra"),
    "a call less": ([A, B, C], [A, C], "missing"),
    "another tool": ([A, B, C], [A, ("d", {}), C], "wrong_tool"),
    "another tool and argument": ([A, B], [A2, C], "mixed"),
    "one less and another order": ([A, B, A, C], [A, A, B], "mixed"),
    "one less and another order, with an optional call": (
        [A, B, A, C, {"name": "d", "optional": True}],
        [A, A, B],
        "mixed",
    ),
    "one less, with an optional call": ([A, {"name": "d", "optional": True}, B, C], [A, C], "missing"),
    "true for 1": ([A, B], [("a", {"x": True}), ("b", {"x": 1.0})], "wrong_args"),
    "one less and one more": ([A, B, C], [A, C, ("d", {}), B], "mixed"),
}


@pytest.mark.parametrize(("expected", "made", "cause"), CAUSES.values(), ids=CAUSES)
def test_the_cause_is_named(expected: list[Any], made: list[Any], cause: str | None) -> None:
    assert match(make_run(expected, made)).cause == cause


def test_an_optional_call_that_was_made_is_not_an_extra_one() -> None:
    expected = ["a", {"name": "b", "optional": True}]
    assert match(make_run(expected, ["a", "b", "b"])).cause == "repeated"


def test_spellings_of_one_call_are_one_call_when_the_order_differs() -> None:
    expected = [("a", {"x": 1}), ("a", {"x": 1.0}), "b"]
    assert match(make_run(expected, ["b", ("a", {"x": 1.0}), ("a", {"x": 1})])).alignment == 2 / 3


def test_spellings_of_one_call_are_one_call_in_groups_too() -> None:
    expected = [
        {"name": "a", "args": {"x": 1}, "group": 1},
        {"name": "b", "group": 1},
        {"name": "a", "args": {"x": 1.0}},
    ]
    assert match(make_run(expected, ["b", ("a", {"x": 1.0}), ("a", {"x": 1})])).strictest == "exact_groups"
