"""Every mutation changes one thing, in the way its name says, and draws nothing but what seed and place give."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Raw

from agent_tui.runs import BundleHeader, Run, canonical, canonical_args, parse
from agent_tui.scoring import Plan, plan_for
from agent_tui.scoring.mutations import (
    ANSWER_MUTATIONS,
    MOST_PLACES,
    MUTATIONS,
    TRAJECTORY_MUTATIONS,
    is_thinned,
    mutants,
)
from agent_tui.scoring.strange_calls import StrangeCalls
from tests.make_run import make_run
from tests.matchers.strategies import CALLS

TWO = [("look", {"id": "A"}), ("pay", {"id": "A", "amount": 5})]


def made(run: Run, mutation: str, *, plan: Plan | None = None, seed: int = 0) -> list[tuple[str, Run]]:
    """Places and mutants of one mutation."""
    strange = StrangeCalls(plan or Plan())
    drawn = mutants(run, mutation, name=run.id, seed=seed, strangers=lambda: strange.of(run))
    return [(mutant.place, mutant.run) for mutant in drawn]


def trajectory(run: Run) -> list[tuple[str, Any]]:
    return [(call.name, parse(call.args)) for call in run.calls or ()]


def test_each_argument_of_each_call_is_made_wrong_once() -> None:
    found = made(make_run([], TWO), "wrong_argument")
    assert [place for place, _ in found] == ["calls[0].args.id", "calls[1].args.id", "calls[1].args.amount"]
    amount = trajectory(found[2][1])[1][1]
    assert (amount["id"], amount["amount"] in (6, 50)) == ("A", True)


@pytest.mark.parametrize(
    ("value", "others"),
    [
        (5, [6, 50]),
        (0, [1]),
        (2.5, [3.5, 25]),
        (10**25, [10**25 + 1, 10**26]),
        ("Rome", ["Romex", "Rome-x", "Rome x"]),
        ("", ["x", "-x", " x"]),
        (True, [False]),
        (None, ["x"]),
        ([], [["x"]]),
        ([1, 2], [[1], [1, 2, 2]]),
        ({}, [{"x": "x"}]),
        ({"a": False}, [{"a": True}]),
        ({"a": {"b": 1}}, [{}]),
    ],
)
def test_a_wrong_value_is_another_of_its_kind(value: Any, others: list[Any]) -> None:
    run = make_run([], [("look", {"v": value})])
    drawn = [trajectory(made(run, "wrong_argument", seed=seed)[0][1])[0][1]["v"] for seed in range(12)]
    assert all(other in others for other in drawn)
    assert {json.dumps(other) for other in drawn} == {json.dumps(other) for other in others}


@pytest.mark.parametrize("text", ["1e400", "1e-400", "0.1000000000000000000000001", "9" * 4300, "1e99999", "-0.0"])
def test_a_number_that_no_float_holds_is_made_wrong_too(text: str) -> None:
    run = make_run([], [{"name": "look", "args": {}}])
    args = Raw(b'{"v": %b}' % text.encode())
    run = Run(id="t", task="t", calls=[type(run.calls[0])(name="look", args=args)])  # type: ignore[index]
    [(_, mutant)] = made(run, "wrong_argument")
    assert canonical_args(mutant.calls[0].args)[0] != canonical_args(args)[0]  # type: ignore[index]


def test_arguments_that_are_no_object_are_one_argument_and_null_is_none() -> None:
    run = make_run([], [("a", [1]), ("b", "not json {"), ("c", '{"x": 1}'), ("d", None), ("e", {})])
    places = [place for place, _ in made(run, "wrong_argument")]
    assert places == ["calls[0].args", "calls[1].args", "calls[2].args.x"]


def test_deeply_nested_arguments_are_made_wrong() -> None:
    deep: Any = 1
    for _ in range(300):
        deep = {"in": [deep]}
    [(_, mutant)] = made(make_run([], [("look", {"v": deep, "w": None})]), "wrong_argument")[:1]
    assert trajectory(mutant)[0][1]["v"] == {}


def test_calls_are_dropped_doubled_and_swapped_in_place() -> None:
    run = make_run([], [*TWO, TWO[1]])
    look, pay = TWO
    assert [trajectory(mutant) for _, mutant in made(run, "dropped_call")] == [
        [pay, pay],
        [look, pay],
        [look, pay],
    ]
    assert trajectory(made(run, "duplicated_call")[0][1]) == [look, look, pay, pay]
    assert [(place, trajectory(mutant)) for place, mutant in made(run, "swapped_calls")] == [
        ("calls[0]", [pay, look, pay])
    ]


def test_equal_neighbours_in_any_spelling_are_not_swapped() -> None:
    run = make_run([], [("look", {"x": 1, "y": 2}), ("look", {"y": 2.0, "x": 1}), ("look", '{"x": 1, "y": 2}')])
    assert made(run, "swapped_calls") == []


def test_swapped_calls_are_issued_where_the_other_was() -> None:
    run = make_run([], [{"name": "a", "group": 1}, {"name": "b", "group": 1}, {"name": "c", "group": 2}])
    swapped = made(run, "swapped_calls")[1][1]
    assert [(call.name, call.group) for call in swapped.calls or ()] == [("a", 1), ("c", 1), ("b", 2)]


def test_a_retried_call_fails_first() -> None:
    run = make_run([], [{"name": "look", "args": {}, "result": 1, "documents": ["d"]}])
    [(_, mutant)] = made(run, "retried_call")
    first, second = mutant.calls or ()
    assert (first.failed(), first.documents) == (True, None)
    assert (second.failed(), second.documents) == (None, ["d"])


TOOLS = [
    {
        "name": name,
        "parameters": {
            "type": "object",
            "properties": {"id": {"type": "string"}, "amount": {"type": "number"}},
            "required": ["id", "amount"],
            "additionalProperties": False,
        },
    }
    for name in ("look", "pay", "book", "drop")
]


def plan_of(tools: list[dict[str, Any]]) -> Plan:
    return plan_for(BundleHeader(tools=Raw(json.dumps(tools).encode())))


def test_a_strange_call_is_of_a_tool_that_is_neither_expected_nor_made_and_fits_its_schema() -> None:
    plan = plan_of(TOOLS)
    run = make_run(["book"], [("look", {"id": "A", "amount": 1})])
    extra = {
        call.name
        for seed in range(20)
        for _, one in made(run, "extra_call", plan=plan, seed=seed)
        for call in one.calls or ()
    }
    assert extra == {"look", "pay", "drop"}
    assert all(plan.tools.misfit(call) is None for call in StrangeCalls(plan).of(run))
    assert {trajectory(made(run, "wrong_tool", plan=plan, seed=seed)[0][1])[0][0] for seed in range(20)} == {
        "pay",
        "drop",
    }


def test_where_no_tool_is_strange_one_is_made_up() -> None:
    run = make_run(["pay"], ["look", "some_other_tool"])
    assert [call.name for call in StrangeCalls(plan_of(TOOLS[:2])).of(run)] == ["some_other_tool_2"]


NUMBERS = [
    ("Refunded 240.00 EUR of 1,400", ["Refunded #40.00 EUR of 1,400", "Refunded 240.00 EUR of #,400"]),
    ("It costs $25, BK-8812 is 19 % off", ["It costs $#5, BK-8812 is 19 % off", "It costs $25, BK-8812 is #9 % off"]),
    ("0.05 of 0", ["0.0# of 0", "0.05 of #"]),
    ("140EUR", ["#40EUR"]),
    ("EUR140 and −7", ["EUR#40 and −7", "EUR140 and −#"]),
    ("on 2026-02-03 at 10:30", []),
]


@pytest.mark.parametrize(("answer", "changed"), NUMBERS)
def test_each_number_of_the_answer_gets_another_first_digit(answer: str, changed: list[str]) -> None:
    run = make_run(answer=answer, truth="1")
    found = [mutant.answer or "" for _, mutant in made(run, "changed_number")]
    assert len(found) == len(changed)
    for text, pattern in zip(found, changed, strict=True):
        at = pattern.index("#")
        assert text[:at] + "#" + text[at + 1 :] == pattern
        assert text[at] in set("123456789") - {answer[at]}


@pytest.mark.parametrize(
    ("truth", "answer", "denied"),
    [
        ("refunded 240", "I have refunded 240.00 EUR.", "I have not refunded 240.00 EUR."),
        ("500", "Up to 500 EUR, 500 at most", "Up to not 500 EUR, not 500 at most"),
        (500, "Up to 500 EUR", "Up to not 500 EUR"),
        ({"contains": "25"}, "It costs $25 per month.", "It costs not $25 per month."),
        ({"contains": "MERIDIAN_API_KEY"}, "It reads `MERIDIAN_API_KEY`.", "It reads not `MERIDIAN_API_KEY`."),
        ({"any": ["red", "blue"]}, "Blue or red/green", "not Blue or not red/green"),
        ({"number": {"value": 3, "abs": 1}}, "3 of 1", "not 3 of 1"),
        ({"list": {"items": ["a1", "b1"]}}, "a1, b1", "not a1, not b1"),
        ("the refund", "It is the refund", "It is the not refund"),
        ("approval required", "It is done.", "It is not true that: It is done."),
        ({"refusal": True}, "I don't have that.", "It is not true that: I don't have that."),
        ({"any": [{"contains": "no"}, {"contains": "cannot"}]}, "No.", "It is not true that: No."),
        ({"not": {"contains": "red"}}, "It is red", "It is not true that: It is red"),
    ],
)
def test_a_denial_stands_before_what_the_answer_says_of_the_truth(truth: Any, answer: str, denied: str) -> None:
    assert [mutant.answer for _, mutant in made(make_run(answer=answer, truth=truth), "negated_answer")] == [denied]


@pytest.mark.parametrize("mutation", MUTATIONS)
def test_the_same_seed_name_and_place_give_the_same_mutants(mutation: str) -> None:
    run = make_run(["look"], TWO, truth="240", answer="refunded 240 of 280")
    assert made(run, mutation) == made(run, mutation)
    longer = make_run(["look"], [*TWO, ("book", {})], truth="240", answer="refunded 240 of 280")
    if mutation == "wrong_argument":
        assert [one.calls[:2] for _, one in made(longer, mutation)] == [one.calls for _, one in made(run, mutation)]  # type: ignore[index]


def test_a_run_with_very_many_places_gives_a_drawn_part_of_them_in_order() -> None:
    run = make_run([], [("look", {"id": at}) for at in range(MOST_PLACES + 40)])
    places = [place for place, _ in made(run, "dropped_call")]
    assert (len(places), is_thinned(run, "dropped_call"), is_thinned(run, "extra_call")) == (MOST_PLACES, True, False)
    assert places == sorted(places, key=lambda place: int(place[6:-1]))
    assert places != [place for place, _ in made(run, "dropped_call", seed=1)]


def what_was_done(run: Run) -> list[object]:
    calls = [(call.name, canonical_args(call.args), call.failed()) for call in run.calls or ()]
    return [calls, run.answer]


@given(
    actual=st.lists(CALLS, max_size=5),
    answer=st.text(alphabet="ab1 -.,$%*`\n5０no", min_size=1, max_size=12),
    truth=st.sampled_from(["a", "1.5", {"contains": "b a"}, {"number": 1}, {"refusal": True}]),
    seed=st.integers(0, 3),
)
def test_a_mutant_never_equals_its_original(actual: list[Any], answer: str, truth: Any, seed: int) -> None:
    run = make_run(["look"], actual, answer=answer, truth=truth)
    for mutation in MUTATIONS:
        for _, mutant in made(run, mutation, seed=seed):
            assert what_was_done(mutant) != what_was_done(run)
            untouched = "answer" if mutation in TRAJECTORY_MUTATIONS else "calls"
            assert getattr(mutant, untouched) == getattr(run, untouched)
    assert set(MUTATIONS) == {*TRAJECTORY_MUTATIONS, *ANSWER_MUTATIONS}


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
        max_leaves=6,
    )
)
def test_a_wrong_value_never_equals_the_right_one(value: Any) -> None:
    run = make_run([], [("look", {"v": value})])
    for seed in range(3):
        wrong = parse(made(run, "wrong_argument", seed=seed)[0][1].calls[0].args)  # type: ignore[index]
        assert canonical(json.dumps(wrong, default=float)) != canonical(json.dumps({"v": value}))
