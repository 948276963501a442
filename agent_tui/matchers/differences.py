"""Where the arguments of two calls differ, in words: path, both values, a note, and the rule that would forgive it."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from functools import partial

from msgspec import Struct

from agent_tui.matchers.argument_rules import (
    ABSENT,
    Node,
    NumberRule,
    ToolRules,
    Value,
    equal,
    holds,
    lists_agree,
    normalise,
)
from agent_tui.matchers.parting import left_out, without_front
from agent_tui.runs import JsonValue, parse
from agent_tui.runs.json_values import canonical_of

NOT_JSON = "arguments are not valid JSON"
_SHOWN = 60

Remark = tuple[str | None, str | None]
"""A note in fixed words, and the rule that would forgive the difference."""


class ArgDifference(Struct, frozen=True, gc=False):
    """One place where two calls differ in their arguments."""

    path: str
    """`amount`, `meta.trace`, `items[0].price`; empty: the arguments as a whole."""
    expected: str
    """JSON text of the expected value, or `absent`."""
    actual: str
    note: str | None = None
    """What kind of difference it is, in fixed words."""
    forgiven_by: str | None = None
    """The argument rule that would let it pass."""

    def __str__(self) -> str:
        if self.note == NOT_JSON:
            return NOT_JSON
        skipped = left_out(self.expected, self.actual, _SHOWN)
        expected, actual = (short(without_front(text, skipped)) for text in (self.expected, self.actual))
        said = f"{self.path or 'arguments'} expected {expected}, got {actual}"
        if self.note is None:
            return said
        rule = f"; forgiven by {self.forgiven_by}" if self.forgiven_by else ""
        return f"{said} ({self.note}{rule})"


def short(text: str) -> str:
    """A text cut to what fits in a line."""
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"


def argument_differences(expected: JsonValue, actual: JsonValue, rules: ToolRules) -> Iterator[ArgDifference]:
    """Every place where the arguments of two calls do not agree under the rules, in the order of the expected keys."""
    if not (isinstance(expected, dict) and isinstance(actual, dict)):
        if not equal(expected, actual):
            whole = isinstance(expected, str) or isinstance(actual, str)
            remark: Remark = (NOT_JSON, None) if whole else remark_on(expected, actual)
            yield ArgDifference("", _text(expected), _text(actual), *remark)
        return
    for key in {**expected, **actual, **rules.args.keys}:
        node = rules.args.keys.get(key)
        if not rules.is_skipped(node, key in expected, key in actual):
            yield from _differences(node, expected.get(key, ABSENT), actual.get(key, ABSENT), key)


def _differences(
    node: Node | None, expected: Value, actual: Value, path: str, is_inside: bool = False
) -> Iterator[ArgDifference]:
    if holds(node, expected, actual):
        return
    has_rule = node is not None and node.rule is not None
    if not has_rule and isinstance(expected, dict) and isinstance(actual, dict):
        keys = node.keys if node is not None else {}
        for key in {**expected, **actual, **keys}:
            inner = expected.get(key, ABSENT), actual.get(key, ABSENT)
            yield from _differences(keys.get(key), *inner, f"{path}.{key}", True)
    elif not has_rule and _alike_lists(expected, actual):
        items = node.items if node is not None else None
        for i, (one, other) in enumerate(zip(expected, actual, strict=True)):  # type: ignore[arg-type]
            yield from _differences(items, one, other, f"{path}[{i}]", True)
    else:
        note, rule = remark_on(expected, actual)
        if expected is ABSENT and is_inside:
            rule = "ignore"  # extra arguments can be allowed at the top only
        yield ArgDifference(path, _text(expected), _text(actual), note, rule)


def _alike_lists(expected: Value, actual: Value) -> bool:
    """Whether two lists differ item by item rather than in order or length."""
    if not (isinstance(expected, list) and isinstance(actual, list)) or len(expected) != len(actual):
        return False
    return remark_on(expected, actual)[0] is None


def remark_on(expected: Value, actual: Value) -> Remark:
    """What kind of difference two unequal values have, where there are words for it."""
    if expected is ABSENT:
        return ("absent vs null" if actual is None else None), "extra_args: allow"
    if actual is ABSENT:
        return ("absent vs null" if expected is None else None), f"default: {short(_text(expected))}"
    if isinstance(expected, str) and isinstance(actual, str):
        return _texts(expected, actual)
    if isinstance(expected, list) and isinstance(actual, list):
        return _lists(expected, actual)
    if _kind(expected) != _kind(actual):
        return "type differs", _PARSE if NumberRule(parse=True).accepts(expected, actual) else None
    return None, None


_PARSE = "number: {parse: true}"
_TEXT_NOTES = (
    (("nfc",), "differs in Unicode form only"),
    (("casefold",), "differs in letter case only"),
    (("trim",), "differs in white space only"),
    (("collapse_space",), "differs in white space only"),
    (("trim", "collapse_space"), "differs in white space only"),
    (("trim", "casefold", "nfc", "collapse_space"), "differs in letter case, white space or Unicode form only"),
)


def _texts(expected: str, actual: str) -> Remark:
    for steps, note in _TEXT_NOTES:
        chosen = frozenset(steps)
        if normalise(expected, chosen) == normalise(actual, chosen):
            return note, f"text: [{', '.join(steps)}]"
    if NumberRule(parse=True).accepts(expected, actual):
        return "same number, other text", _PARSE
    if _same_json(expected, actual):
        return "same JSON, other text", None
    return None, None


def _same_json(expected: str, actual: str) -> bool:
    """Whether two texts hold the same JSON object or list."""
    try:
        one, other = parse(expected), parse(actual)
    except ValueError:
        return False
    return isinstance(one, (dict, list)) and equal(one, other)


def _lists(expected: list[JsonValue], actual: list[JsonValue]) -> Remark:
    agree = partial(lists_agree, expected=expected, actual=actual, items=None)
    if agree("multiset"):
        return "same items, other order", "list: multiset"
    return ("same items, other counts", "list: set") if agree("set") else (None, None)


def _kind(value: Value) -> str:
    if isinstance(value, bool) or value is None:
        return str(type(value))
    return "number" if isinstance(value, (int, float, Decimal)) else str(type(value))


def _text(value: Value) -> str:
    return "absent" if value is ABSENT else canonical_of(value).decode("utf-8", "replace")


def name_remark(expected: str, actual: str) -> str:
    """What to say where two tool names differ in spelling only; empty: nothing."""
    if expected.casefold() == actual.casefold():
        return " (differs in letter case only)"
    return " (differs in white space only)" if expected.strip() == actual.strip() else ""
