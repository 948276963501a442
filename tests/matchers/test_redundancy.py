"""Repeats and retries: which calls were made before."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Raw

from agent_tui.matchers import match
from agent_tui.matchers.explain import explain
from agent_tui.matchers.redundancy import first_equal
from agent_tui.runs import ToolCall, canonical_args
from tests.make_run import make_run
from tests.matchers.strategies import CALLS

FAILED = {"name": "a", "args": {"x": 1}, "error": "busy"}
DONE = {"name": "a", "args": {"x": 1}, "result": "ok"}
OTHER = ("b", {})

TRAJECTORIES: dict[str, tuple[list[Any], int, int]] = {
    "nothing twice": ([DONE, OTHER], 0, 0),
    "made again": ([DONE, DONE], 1, 0),
    "made again later": ([DONE, OTHER, DONE], 1, 0),
    "tried again after an error": ([FAILED, DONE], 0, 1),
    "tried twice": ([FAILED, FAILED, DONE], 0, 2),
    "made again after an error and another call": ([FAILED, OTHER, DONE], 1, 0),
    "made again after it worked": ([FAILED, DONE, OTHER, DONE], 1, 1),
    "an error inside the result": ([{**DONE, "result": {"error": "x"}}, DONE], 0, 1),
    "an explicit no is no error": ([{**DONE, "error": False, "result": {"error": "x"}}, DONE], 1, 0),
    "in another spelling": ([("a", {"x": 1, "y": [2]}), ("a", '{"y": [2.0], "x": 1e0}')], 1, 0),
    "true is not 1": ([("a", {"x": True}), ("a", {"x": 1})], 0, 0),
}


@pytest.mark.parametrize(("calls", "repeats", "retries"), TRAJECTORIES.values(), ids=TRAJECTORIES)
def test_repeats_and_retries_are_counted_apart(calls: list[Any], repeats: int, retries: int) -> None:
    run = make_run(None, calls)
    assert (explain(run).repeats, explain(run).retries, match(run).redundancy) == (repeats, retries, repeats)


def test_a_call_that_changes_state_breaks_a_repeat() -> None:
    run = make_run(None, ["read", "write", "read", "write"])
    assert match(run).redundancy == 2
    assert match(run, writes=frozenset({"write"})).redundancy == 1


def test_a_write_made_twice_in_a_row_is_a_repeat() -> None:
    assert match(make_run(None, ["write", "write"]), writes=frozenset({"write"})).redundancy == 1


def test_repeats_that_the_reference_asks_for_are_not_redundant() -> None:
    assert match(make_run(["a", "a", "b"], ["a", "a", "c"])).redundancy == 0
    assert match(make_run(["a", "a", "b"], ["a", "a", "a"])).redundancy == 1
    assert match(make_run([{"name": "a", "optional": True}, "b"], ["a", "a", "a"])).redundancy == 2


def test_repeats_of_an_exact_run_are_counted_by_explain_only() -> None:
    run = make_run(["a", "a"], ["a", "a"])
    assert match(run).redundancy == 0
    assert (explain(run).repeats, explain(run).retries) == (1, 0)


SPELLINGS = (
    b'{"a":"x"}',
    b'{"a":"y","a":"x"}',
    b'{"a":"y","\\u0061":"x"}',
    b'{"a":"y"}',
    b'{"a": "x"}',
    b'{ "a" : "y" }',
    b'{"a":"x","a":"y"}',
    b'{"a":"x","\\u0061":"y"}',
    b'{"a":"\\u0078"}',
    b'{"a":"x","b":1}',
    b'{"b":1,"a":"x"}',
    b'"{\\"a\\":\\"x\\"}"',
    b'{"a":12}',
    b'{"a":12.0}',
    b'{"a":1.2e1}',
    b'{"a":13,"b":{"a":2}}',
    b'{"a":9007199254740993}',
    b'{"a":9007199254740993.0}',
    b'{"a":9007199254740992}',
    b'{"a":true}',
    b'{"a":1}',
    b'{"a":1e99999999999999999999}',
    b'{"a":"x',
    b'{"a":"\xff"}',
    b'"{"',
)


def classes_of(written: Sequence[tuple[str, bytes]]) -> tuple[list[int], list[int]]:
    """The first equal call of each, as found and by canonical text."""
    calls = [ToolCall(name=name, args=Raw(text)) for name, text in written]
    keys = [(call.name, canonical_args(call.args)[0]) for call in calls]
    found = first_equal([call.name for call in calls], calls, {name for name, _ in written})
    return found or list(range(len(calls))), [keys.index(key) for key in keys]


def test_any_two_spellings_are_told_apart_by_value() -> None:
    for one, other in product(SPELLINGS, repeat=2):
        found, by_value = classes_of([("p", one), ("p", other)])
        assert found == by_value, (one, other)


@given(st.lists(st.tuples(st.sampled_from(["p", "q"]), st.sampled_from(SPELLINGS)), max_size=10))
def test_equal_calls_are_found_among_many(written: list[tuple[str, bytes]]) -> None:
    found, by_value = classes_of(written)
    assert found == by_value


@given(st.lists(CALLS, max_size=6))
def test_no_more_calls_repeat_than_are_made(made: list[dict[str, Any]]) -> None:
    found = explain(make_run(None, made))
    assert 0 <= found.repeats + found.retries <= max(0, len(made) - 1)


MARKED = st.tuples(st.sampled_from(["a", "b", "w"]), st.sampled_from([{}, {"x": 1}]), st.booleans())


@given(st.lists(MARKED, max_size=8), st.sampled_from([frozenset(), frozenset({"w"}), frozenset({"a", "w"})]))
def test_repeats_and_retries_are_what_their_definition_says(made: list[Any], writes: frozenset[str]) -> None:
    calls = [{"name": name, "args": args, "error": failed} for name, args, failed in made]
    retries, repeats = 0, 0
    for j, call in enumerate(made):
        equal = [i for i in range(j) if made[i][:2] == call[:2]]
        in_a_row = [i for i in equal if all(made[k][:2] == call[:2] for k in range(i, j))]
        if any(made[i][2] for i in in_a_row):
            retries += 1
        elif any(not any(made[k][0] in writes for k in range(i + 1, j)) for i in equal):
            repeats += 1
    run = make_run(None, calls)
    found = explain(run, writes=writes)
    assert (found.repeats, found.retries, match(run, writes=writes).redundancy) == (repeats, retries, repeats)
