"""Argument rules: when two values of one argument count as equal (design/matchers.md section 6).

A rule tree is compiled into nodes: one node a key of the path (`meta.trace`), `items` for what stands at `*`.
Without a rule, values compare as JSON values. Whoever compares gets `TooSlow` where a pattern cannot tell in time.
"""

from __future__ import annotations

import re
import unicodedata
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, InvalidOperation
from enum import Enum
from typing import Final

from msgspec import Struct

from agent_tui.matchers.pairing import Matching
from agent_tui.runs.json_values import JsonValue, canonical_of
from agent_tui.safety.patterns import PATTERNS


class Absent(Enum):
    """The value of a key that is not there; null is a value, absent is none."""

    ABSENT = "absent"


ABSENT: Final = Absent.ABSENT
Value = JsonValue | Absent

_EXACT = Context(prec=60, Emax=MAX_EMAX, Emin=MIN_EMIN, traps=[])


def equal(left: Value, right: Value) -> bool:
    """Whether two values are the same JSON; absent equals absent only."""
    if left is ABSENT or right is ABSENT:
        return left is right
    if left != right:  # equal JSON is equal in Python; the converse fails for true and 1
        return False
    return type(left) is str or canonical_of(left) == canonical_of(right)


class NumberRule(Struct, frozen=True):
    """Numbers are equal within `absolute`, or within `relative` x |expected|; `parse` reads a text as a number."""

    absolute: Decimal = Decimal(0)
    relative: Decimal = Decimal(0)
    parse: bool = False

    def value(self, value: Value) -> Decimal | None:
        """The number a value is, if it is one."""
        if isinstance(value, bool):
            return None
        if isinstance(value, (int, float, Decimal)):
            return Decimal(str(value)) if isinstance(value, float) else Decimal(value)
        if not (self.parse and isinstance(value, str)):
            return None
        try:
            number = Decimal(value.strip())
        except InvalidOperation:
            return None
        return number if number.is_finite() and "_" not in value else None

    def accepts(self, expected: Value, actual: Value) -> bool:
        """Whether both are numbers close enough to each other."""
        left, right = self.value(expected), self.value(actual)
        if left is None or right is None:
            return False
        distance = _EXACT.abs(_EXACT.subtract(left, right))
        return distance <= self.absolute or distance <= _EXACT.multiply(self.relative, _EXACT.abs(left))


TEXT_STEPS = ("trim", "casefold", "nfc", "collapse_space")


def normalise(text: str, steps: frozenset[str]) -> str:
    """A text after `steps`; their order in the rule does not matter."""
    if "nfc" in steps:
        text = unicodedata.normalize("NFC", text)
    if "casefold" in steps:
        text = text.casefold()
        text = unicodedata.normalize("NFC", text) if "nfc" in steps else text
    if "collapse_space" in steps:
        text = re.sub(r"\s+", " ", text)
    return text.strip() if "trim" in steps else text


class ArgRule(Struct, frozen=True):
    """What is asked of one argument. `regex` and `one_of` judge the actual value alone; the others compare two."""

    ignore: bool = False
    present: bool = False
    number: NumberRule | None = None
    text: frozenset[str] | None = None
    one_of: tuple[JsonValue, ...] | None = None
    regex: str | None = None
    list: str | None = None
    default: Value = ABSENT
    required: bool = False
    """The rule stands on one expected call: the argument must be there even if the call does not write it."""

    @property
    def judges_alone(self) -> bool:
        """Whether the rule says something about an argument that the expected call does not write."""
        return self.present or self.one_of is not None or self.regex is not None or self.default is not ABSENT

    def accepts(self, expected: Value, actual: Value, items: Node | None) -> bool:
        """Whether the actual value does for the expected one; `items` is the rule of list items."""
        if self.ignore:
            return True
        if self.present:
            return actual is not ABSENT
        expected = self.default if expected is ABSENT else expected
        actual = self.default if actual is ABSENT else actual
        alone = self.one_of is not None or self.regex is not None
        if expected is ABSENT and actual is ABSENT:
            return not (alone and self.required)
        if alone:
            return self._accepts_alone(actual)
        return self._same(expected, actual, items)

    def _accepts_alone(self, actual: Value) -> bool:
        if actual is ABSENT or (self.regex is not None and not _is_text_that_fits(self.regex, actual)):
            return False
        return self.one_of is None or any(self._same(allowed, actual, None) for allowed in self.one_of)

    def _same(self, expected: Value, actual: Value, items: Node | None) -> bool:
        if self.number is not None and self.number.accepts(expected, actual):
            return True
        if self.text is not None and isinstance(expected, str) and isinstance(actual, str):
            return normalise(expected, self.text) == normalise(actual, self.text)
        if self.list is not None and isinstance(expected, list) and isinstance(actual, list):
            return lists_agree(self.list, expected, actual, items)
        return equal(expected, actual)


def _is_text_that_fits(pattern: str, value: Value) -> bool:
    return isinstance(value, str) and PATTERNS.fits_whole(pattern, value)


LIST_MODES = ("set", "multiset", "ordered")


def lists_agree(mode: str, expected: list[JsonValue], actual: list[JsonValue], items: Node | None) -> bool:
    """Whether two lists agree item by item (ordered), one to one in any order (multiset), or as sets."""
    if mode == "ordered":
        return len(expected) == len(actual) and all(
            holds(items, one, other) for one, other in zip(expected, actual, strict=True)
        )
    if mode == "multiset":
        if len(expected) != len(actual):
            return False
        pairing = Matching(len(expected), len(actual), lambda i, j: holds(items, expected[i], actual[j]))
        return all(pairing.augment(i) for i in range(len(expected)))
    return all(any(holds(items, one, other) for other in actual) for one in expected) and all(
        any(holds(items, one, other) for one in expected) for other in actual
    )


class Node(Struct, frozen=True):
    """A place in an arguments tree: its own rule, the rules of its keys, the rule of its list items."""

    rule: ArgRule | None = None
    keys: dict[str, Node] = {}
    items: Node | None = None

    @property
    def judges_alone(self) -> bool:
        """Whether something is asked here even where the expected call writes nothing."""
        own = self.rule is not None and self.rule.judges_alone
        return own or any(node.judges_alone for node in self.keys.values())


def holds(node: Node | None, expected: Value, actual: Value) -> bool:
    """Whether two values agree under the rules of a place."""
    if node is None:
        return equal(expected, actual)
    if node.rule is not None:
        return node.rule.accepts(expected, actual, node.items)
    if expected is ABSENT and actual is ABSENT:
        return all(holds(inner, ABSENT, ABSENT) for inner in node.keys.values())
    if isinstance(expected, dict) and isinstance(actual, dict):
        return all(
            holds(node.keys.get(key), expected.get(key, ABSENT), actual.get(key, ABSENT))
            for key in {**expected, **actual, **node.keys}
        )
    if node.items is not None and isinstance(expected, list) and isinstance(actual, list):
        return lists_agree("ordered", expected, actual, node.items)
    return equal(expected, actual)


class ToolRules(Struct, frozen=True):
    """The rules of one tool: whether arguments beyond the expected ones are allowed, and the tree of its arguments."""

    allow_extra: bool = False
    args: Node = Node()

    def agreement(self, expected: JsonValue, actual: JsonValue) -> tuple[int, int]:
        """How many arguments agree, of how many looked at: the keys of both sides, less ignored and allowed extra ones.

        Arguments that are no object count as one argument. All agree exactly when the two calls' arguments are equal
        under the rules.
        """
        if not (isinstance(expected, dict) and isinstance(actual, dict)):
            return (1, 1) if equal(expected, actual) else (0, 1)
        agreed = counted = 0
        for key in {**expected, **actual, **self.args.keys}:
            node = self.args.keys.get(key)
            if self.is_skipped(node, key in expected, key in actual):
                continue
            good = holds(node, expected.get(key, ABSENT), actual.get(key, ABSENT))
            if key in expected or key in actual or not good:
                counted += 1
                agreed += good
        return agreed, counted

    def is_skipped(self, node: Node | None, is_expected: bool, is_given: bool) -> bool:
        """Whether an argument is not looked at: it is ignored, or extra where extra ones are allowed."""
        if node is not None and node.rule is not None and node.rule.ignore:
            return True
        is_extra = is_given and not is_expected
        return is_extra and self.allow_extra and not (node is not None and node.judges_alone)

    def over(self, general: ToolRules | None, says_extra: bool) -> ToolRules:
        """These rules, and where they are silent those of `general`."""
        if general is None:
            return self
        extra = self.allow_extra if says_extra else general.allow_extra
        keys = {**general.args.keys, **self.args.keys}
        return ToolRules(extra, Node(keys=keys))


STRICT = ToolRules()
"""Plain JSON equality of arguments."""
