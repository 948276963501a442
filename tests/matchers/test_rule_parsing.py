"""Rules that mean nothing are refused with their path and what exists."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import Raw

from agent_tui.errors import BadRules
from agent_tui.matchers import NO_RULES, parse_rules

BAD: list[tuple[Any, str]] = [
    ({"tool": {}}, "rules.tool: unknown name; there are tools, aliases"),
    ([], "rules: an object is needed, not a list"),
    ({"tools": {"pay": {"arg": {}}}}, "rules.tools.pay.arg: unknown name; there are extra_args, args"),
    (
        {"tools": {"pay": {"extra_args": "maybe"}}},
        "rules.tools.pay.extra_args: 'maybe' is not known; there are forbid, allow",
    ),
    (
        {"tools": {"pay": {"args": {"a": "skip"}}}},
        "rules.tools.pay.args.a: 'skip' is not known; there are ignore, present",
    ),
    ({"tools": {"pay": {"args": {"a": {"near": 1}}}}}, "rules.tools.pay.args.a.near: unknown name; there are number"),
    ({"tools": {"pay": {"args": {"a": {}}}}}, "rules.tools.pay.args.a: an empty rule"),
    ({"tools": {"pay": {"args": {"a": {"number": {"absolute": 1}}}}}}, "args.a.number.absolute: unknown name"),
    ({"tools": {"pay": {"args": {"a": {"number": {"abs": -1}}}}}}, "args.a.number.abs: a number from 0"),
    ({"tools": {"pay": {"args": {"a": {"number": {"parse": 1}}}}}}, "args.a.number.parse: true or false"),
    ({"tools": {"pay": {"args": {"a": {"text": ["lower"]}}}}}, "args.a.text[0]: 'lower' is not known; there are trim"),
    ({"tools": {"pay": {"args": {"a": {"list": "bag"}}}}}, "args.a.list: 'bag' is not known; there are set"),
    ({"tools": {"pay": {"args": {"a": {"regex": "("}}}}}, "args.a.regex:"),
    ({"tools": {"pay": {"args": {"a": {"one_of": 3}}}}}, "args.a.one_of: a list is needed, not a number"),
    ({"tools": {"pay": {"args": {"a..b": "ignore"}}}}, 'args["a..b"]: a path is keys'),
    ({"tools": {"pay": {"args": {"a": "ignore", "a.b": "ignore"}}}}, 'args["a.b"]: lies inside an argument'),
    ({"aliases": {"x": "*"}}, "rules.aliases.x: '*' has more stars"),
    ({"aliases": {"x": 1}}, "rules.aliases.x: an alias is a name"),
    ({"ignore_tools": "think"}, "rules.ignore_tools: a list is needed, not a text"),
    ({"ignore_tools": [1]}, "rules.ignore_tools[0]: a name"),
    ({"failed_calls": "no"}, "rules.failed_calls: 'no' is not known; there are keep, drop"),
    ({"required_tools": [{"name": "a", "least": 1}]}, "rules.required_tools[0].least: unknown name"),
    ({"required_tools": [{"name": "a", "min": 2, "max": 1}]}, "rules.required_tools[0]: min 2 and max 1"),
    ({"required_tools": [{"min": 2}]}, "rules.required_tools[0]: a required tool needs a name"),
    (
        {"forbidden_tools": [{"name": "a", "args": {"x": {"number": {"abs": 1}}}}]},
        "forbidden_tools[0].args.x: nothing to",
    ),
    ({"forbidden_tools": [{}]}, "rules.forbidden_tools[0]: a forbidden tool needs a name"),
]


def test_a_key_that_stands_twice_is_refused() -> None:
    for text in (b'{"tools": {"pay": {}, "pay": {}}}', b'{"tools": {}, "tools": {}}'):
        with pytest.raises(BadRules, match="stands twice in one object: keep one"):
            parse_rules(text)


@pytest.mark.parametrize(("rules", "said"), BAD)
def test_a_mistake_is_told_with_its_path_and_what_exists(rules: Any, said: str) -> None:
    with pytest.raises(BadRules) as caught:
        parse_rules(rules)
    assert said in str(caught.value)


def test_text_that_is_no_json_is_a_mistake_of_the_rules() -> None:
    with pytest.raises(BadRules, match=r"arguments\.toml: not JSON"):
        parse_rules(b"{", "arguments.toml")


def test_absent_rules_are_no_rules() -> None:
    assert parse_rules(None) is parse_rules(b"null") is NO_RULES
    assert parse_rules({}) == NO_RULES
    assert parse_rules(Raw(b'{"tools": {}}')).is_plain


def test_every_tool_named_can_be_asked_for() -> None:
    rules = parse_rules(
        {
            "tools": {"pay": {"args": {"amount": "ignore"}}},
            "aliases": {"mcp__*": "*"},
            "ignore_tools": ["think"],
            "required_tools": ["look"],
            "forbidden_tools": [{"name": "rm*"}],
        }
    )
    assert rules.tools_named() == ("pay", "mcp__*", "think", "look", "rm*")
    assert rules.arguments_named() == (("pay", "amount"),)
    assert rules.fits_any("pay", ["mcp__pay"])
    assert not rules.fits_any("pay", ["paid"])
