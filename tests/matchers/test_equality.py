"""Equality of arguments by bytes and by values is equality by canonical text, and so are verdicts that come of it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import Raw, structs

from agent_tui.matchers.comparison import Comparison
from agent_tui.matchers.equality import all_differ, differ_from, equal_args, equal_pairwise, shared_arguments
from agent_tui.matchers.general import general_figures
from agent_tui.matchers.match import NO_WRITES, judge, trajectory_of
from agent_tui.matchers.plain import plain_figures
from agent_tui.matchers.rules import NO_RULES
from agent_tui.matchers.single import match_single
from agent_tui.matchers.slots import slots_of
from agent_tui.runs import canonical_args
from agent_tui.runs.json_values import args_value, canonical_of
from tests.make_run import make_run

OBJECTS: dict[str, tuple[str, ...]] = {
    "nothing": ("{}", "{ }", '"{}"'),
    "one": ('{"a":1}', '{"a": 1.0}', '{"a":10e-1}', '{"a":2,"a":1}', '{"\\u0061":1}', '"{\\"a\\": 1}"'),
    "true": ('{"a":true}', '{ "a" : true }', '{"a":1,"a":true}'),
    "two keys": ('{"a":1,"b":[0,{"c":false}]}', '{"b":[0.0,{"c":false}],"a":1e0}'),
    "two keys, a number for a boolean": ('{"a":1,"b":[0,{"c":0}]}', '{"b":[0,{"c":0.0}],"a":1}'),
    "two keys, a boolean for a number": ('{"a":1,"b":[false,{"c":false}]}',),
    "past 2^53": ('{"a":9007199254740993}', '{"a":9007199254740993.0}', '{"a":9.007199254740993e15}'),
    "2^53": ('{"a":9007199254740992}', '{"a":9007199254740992.0}'),
    "many digits": ('{"a":0.1000000000000000055511151231257827}', '{"a":0.10000000000000000555111512312578270}'),
    "few digits": ('{"a":0.1}', '{"a":1e-1}', '{"a":0.10}'),
    "past 64 bits": ('{"a":100000000000000000000000}', '{"a":1e23}'),
    "past every float": ('{"a":1e400}', '{"a":10e399}'),
    "a text": ('{"a":"é b","b":1}', '{"b":1,"a":"\\u00e9 b"}', '{"b":1.0,"a":"\\u00E9\\u0020b"}'),
    "a lone surrogate": ('{"a":"\\ud800"}', '{"a":"\\uD800"}'),
    "a boolean and its word": ('{"a":true,"b":"true"}', '{"b":"\\u0074rue","a":true}'),
    "a key that is text elsewhere": ('{"b":"a","a":"b"}', '{"a":"c","b":"a","a":"b"}', '{"a":"b","b":"a"}'),
    "a key written twice": ('{"a":"c","\\u0061":"b"}', '{"a":"b"}'),
    "a list": ('["a",1]', '[ "a", 1.0 ]'),
    "broken text": ('"{"', '"\\u007b"'),
    "null": ('{"a":null}', '{"a": null}'),
}
TEXTS = tuple(text.encode() for spellings in OBJECTS.values() for text in spellings)
TEXT = st.sampled_from(TEXTS)
CALL = st.tuples(st.sampled_from(["look", "book"]), st.sampled_from([Raw(text) for text in TEXTS]))
CALLS: st.SearchStrategy[list[Any]] = st.lists(CALL, max_size=4)


def same(one: bytes, other: bytes) -> bool:
    return canonical_args(one)[0] == canonical_args(other)[0]


def test_the_spellings_of_one_value_are_equal_and_of_no_other() -> None:
    values = {text.encode(): value for value, spellings in OBJECTS.items() for text in spellings}
    for one, other in product(TEXTS, repeat=2):
        expected = values[one] == values[other]
        assert same(one, other) == equal_args(one, other) == equal_pairwise([one], [other]) == expected, (one, other)


@given(st.lists(st.tuples(TEXT, TEXT), min_size=1, max_size=4))
def test_lists_are_equal_where_each_pair_is(pairs: list[tuple[bytes, bytes]]) -> None:
    left, right = zip(*pairs, strict=True)
    assert equal_pairwise(left, right) == all(same(one, other) for one, other in pairs)


@given(st.lists(TEXT, min_size=1, max_size=10))
def test_a_proved_difference_is_one(texts: list[bytes]) -> None:
    if all_differ(texts):
        assert len({canonical_args(text)[0] for text in texts}) == len(texts)


def test_a_proved_difference_from_others_is_one() -> None:
    for one, other in product(TEXTS, repeat=2):
        assert not (differ_from(one, [other]) and same(one, other)), (one, other)
        assert not differ_from(one, [b"{}", other, one])


def test_arguments_differ_from_those_that_lack_a_text_of_theirs() -> None:
    assert differ_from(b'{"a":"x"}', [b'{"a":"y"}', b'{"b": 1}', b"[]"])
    assert not differ_from(b'{"a":"x"}', [b'{"a":"y"}', b'{"a":"\\u0078"}'])


@given(TEXT, TEXT)
def test_arguments_are_shared_where_their_canonical_texts_are_equal(one: bytes, other: bytes) -> None:
    keys = [by_key(text) for text in (one, other)]
    if None in keys:
        assert shared_arguments(one, other) == (int(same(one, other)), 1)
        return
    left, right = keys
    agreed = sum(left[key] == right.get(key) for key in left)  # type: ignore[index, union-attr]
    assert shared_arguments(one, other) == (agreed, len({*left, *right}))  # type: ignore[misc]


def by_key(text: bytes) -> dict[str, bytes] | None:
    """The canonical text of each argument; None where the arguments are no object."""
    value = args_value(text)
    return {key: canonical_of(inner) for key, inner in value.items()} if isinstance(value, dict) else None


@settings(max_examples=300)
@given(CALLS, CALLS)
def test_spelling_never_parts_the_plain_way_from_the_general_one(expected: Sequence[Any], made: Sequence[Any]) -> None:
    run = make_run(list(expected), list(made))
    assert run.expected is not None
    assert run.expected.calls is not None
    trajectory = trajectory_of(run, NO_RULES)
    plain = plain_figures(run.expected.calls, trajectory, None)
    slots = slots_of(run.expected.calls, NO_RULES)
    general = general_figures(Comparison(slots, trajectory.calls, trajectory.names), trajectory)
    assert plain == structs.replace(general, alignment=plain.alignment, may_repeat=plain.may_repeat)
    assert abs(plain.alignment - general.alignment) < 1e-9


@settings(max_examples=300)
@given(CALLS, CALLS, st.permutations(range(4)))
def test_spelling_never_parts_the_fast_path_from_the_order_of_decision(
    expected: list[Any], made: list[Any], order: list[int]
) -> None:
    shuffled = [expected[place] for place in order if place < len(expected)]
    for calls in (made, shuffled, expected + made[:1], expected[:1] + expected):
        run = make_run(expected, calls)
        fast, slow = match_single(run, NO_WRITES), judge(run, NO_RULES, NO_WRITES, "rules")
        if fast is not None:
            assert fast == slow
