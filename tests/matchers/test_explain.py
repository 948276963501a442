"""A run explained: pairs, aligned rows, the first difference and notes in words."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import Raw, structs

from agent_tui.matchers import match, parse_rules
from agent_tui.matchers.explain import explain
from agent_tui.runs import Expected, Reference, ToolCall
from tests.make_run import make_expected_call, make_run

LOOK, PAY = ("look", {"id": "BK-9001"}), ("refund", {"id": "BK-9001", "amount": 140})
FIRST: dict[str, tuple[list[Any], list[Any], str | None]] = {
    "the same": ([LOOK, PAY], [LOOK, PAY], None),
    "an argument": ([LOOK, PAY], [LOOK, ("refund", {"id": "BK-9001", "amount": 1400})],
                    "call 2 refund: amount expected 140, got 1400"),
    "another tool": ([LOOK, PAY], [LOOK, "cancel"], "call 2: expected refund, got cancel"),
    "a tool in another case": (["look"], ["Look"], "call 1: expected look, got Look (differs in letter case only)"),
    "a call too many": ([LOOK, PAY], [LOOK, "mail", PAY], "call 2 mail: not expected"),
    "a call less": ([LOOK, PAY], [PAY], "call 1 look: missing"),
    "another order": ([LOOK, PAY], [PAY, LOOK], "call 1: expected look, got refund (other order)"),
    "letter case": ([("look", {"city": "Berlin"})], [("look", {"city": "berlin"})],
                    'call 1 look: city expected "Berlin", got "berlin" '
                    "(differs in letter case only; forgiven by text: [casefold])"),
    "type": ([("look", {"n": 1})], [("look", {"n": "1"})],
             'call 1 look: n expected 1, got "1" (type differs; forgiven by number: {parse: true})'),
    "null and absent": ([("look", {"n": None})], [("look", {})],
                        "call 1 look: n expected null, got absent (absent vs null; forgiven by default: null)"),
    "inside": ([("look", {"a": {"b": [{"c": 1}]}})], [("look", {"a": {"b": [{"c": 2}]}})],
               "call 1 look: a.b[0].c expected 1, got 2"),
    "text that is no JSON": ([("look", {"n": 1})], [("look", '{"n": 1')], "call 1 look: arguments are not valid JSON"),
}  # fmt: skip


@pytest.mark.parametrize(("expected", "made", "said"), FIRST.values(), ids=FIRST)
def test_the_first_difference_is_told_in_words(expected: list[Any], made: list[Any], said: str | None) -> None:
    assert explain(make_run(expected, made)).first_difference == said


NOTES: list[tuple[Any, Any, str, str | None]] = [
    ("Café", "Cafe\u0301", "differs in Unicode form only", "text: [nfc]"),
    ("a b", "a  b", "differs in white space only", "text: [collapse_space]"),
    ("a", " a ", "differs in white space only", "text: [trim]"),
    ("Straße ", "strasse", "differs in letter case, white space or Unicode form only",
     "text: [trim, casefold, nfc, collapse_space]"),
    ("140", "140.00", "same number, other text", "number: {parse: true}"),
    ('{"a":1,"b":2}', '{"b": 2, "a": 1}', "same JSON, other text", None),
    ([1, 2], [2, 1], "same items, other order", "list: multiset"),
    ([1, 2], [1, 2, 2], "same items, other counts", "list: set"),
    (True, 1, "type differs", None),
]  # fmt: skip


@pytest.mark.parametrize(("expected", "actual", "note", "rule"), NOTES)
def test_a_near_miss_says_of_what_kind_it_is_and_which_rule_forgives_it(
    expected: Any, actual: Any, note: str, rule: str | None
) -> None:
    found = explain(make_run([("f", {"x": expected})], [("f", {"x": actual})]))
    (difference,) = found.differences[0]
    assert (difference.path, difference.note, difference.forgiven_by) == ("x", note, rule)
    assert note in found.notes


@pytest.mark.parametrize(("expected", "actual", "note", "rule"), [near for near in NOTES if near[3]])
def test_the_rule_that_is_named_does_forgive(expected: Any, actual: Any, note: str, rule: str) -> None:
    kind, _, value = rule.partition(": ")
    given = {"parse": True} if kind == "number" else value.strip("[]").split(", ") if kind == "text" else value
    rules = parse_rules({"tools": {"f": {"args": {"x": {kind: given}}}}})
    assert match(make_run([("f", {"x": expected})], [("f", {"x": actual})]), rules).strictest == "exact"


def test_pairs_are_the_most_equal_calls_and_then_the_most_equal_arguments() -> None:
    expected = [("book", {"a": 1, "b": 1, "c": 1}), ("book", {"a": 1, "b": 1, "c": 2})]
    made = [("book", {"a": 1, "b": 1, "c": 2}), ("book", {"a": 1, "b": 5, "c": 5})]
    assert explain(make_run(expected, made)).pairs == [(0, 1), (1, 0)]
    assert explain(make_run(expected[::-1], made)).pairs == [(0, 0), (1, 1)]
    assert explain(make_run(expected, made)).arguments == (4, 6)


def test_rows_show_both_sides_in_order() -> None:
    found = explain(make_run([LOOK, PAY, "mail"], [LOOK, ("refund", {"id": 1}), "rest"]))
    assert [(row.mark, row.expected_index, row.actual_index) for row in found.rows] == [
        ("=", 0, 0),
        ("≠", 1, 1),
        ("−", 2, None),
        ("+", None, 2),
    ]
    assert found.rows[1].expected == 'refund {"id": "BK-9001", "amount": 140}'
    assert next(str(one) for one in found.rows[1].differences) == 'id expected "BK-9001", got 1 (type differs)'


def test_calls_of_one_tool_stand_side_by_side_even_if_no_argument_agrees() -> None:
    found = explain(make_run([("f", {"n": 1})], [("f", {"n": 2})]))
    assert ([row.mark for row in found.rows], found.pairs) == (["≠"], [(0, 0)])


def test_numbers_of_calls_are_those_of_the_record_though_some_are_left_out() -> None:
    rules = parse_rules({"ignore_tools": ["think"]})
    found = explain(make_run(["think", LOOK], ["think", "think", LOOK]), rules)
    assert found.pairs == [(1, 2)]
    assert found.notes == ["2 ignored calls left out"]


def test_an_optional_call_that_was_not_made_is_no_line() -> None:
    expected = [LOOK, {"name": "mail", "optional": True}, PAY]
    assert [row.mark for row in explain(make_run(expected, [LOOK, PAY])).rows] == ["=", "="]
    assert [row.mark for row in explain(make_run(expected, [LOOK, "mail", PAY])).rows] == ["=", "=", "="]


def test_the_reference_that_counts_is_named() -> None:
    expected = Expected(any=[Reference([], "idle"), Reference([make_expected_call("look")], "short")])
    found = explain(structs.replace(make_run(None, ["look"]), expected=expected))
    assert (found.reference, found.reference_name) == (1, "short")
    assert found.notes == ["reference 2 of 2 counts: short"]


def test_a_key_that_stands_twice_is_said() -> None:
    run = structs.replace(make_run(["f"], []), calls=[ToolCall(name="f", args=Raw(b'{"a":1,"a":2}'))])
    assert explain(run).notes == ["call 1 f: a key stands twice in the arguments, the last counts"]


def test_tool_lists_say_what_they_object_to() -> None:
    rules = parse_rules({"required_tools": [{"name": "look", "min": 2}], "forbidden_tools": ["rm*"]})
    notes = explain(make_run([], ["look", "rmdir"]), rules).notes
    assert notes[1:] == ["required tool look: called 1 of 2 times", "call 2 rmdir: forbidden"]


def test_a_broken_expectation_says_why() -> None:
    run = make_run([{"name": "f", "rules": {"args": {"x": "skip"}}}], ["f"])
    assert explain(run).notes == [
        "expected call 1: rules.args.x: 'skip' is not known; "
        "there are ignore, present, number, one_of, text, regex, list, default"
    ]
