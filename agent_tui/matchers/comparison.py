"""Whether an expected and an actual call agree, and how far, under the rules and in an argument mode."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from agent_tui.matchers.argument_rules import STRICT, ToolRules, equal
from agent_tui.matchers.slots import Slot
from agent_tui.runs import JsonValue, ToolCall
from agent_tui.runs.json_values import args_value

if TYPE_CHECKING:
    from agent_tui.matchers.agreements import Agreements

LONG = 10_000
"""Pairs of calls from which whole rows of them are compared (a count): loading what does it takes as long as these."""


class Comparison:
    """The slots of a reference against the calls of a trajectory; every pair is compared once at most."""

    def __init__(
        self, slots: Sequence[Slot], calls: Sequence[ToolCall], names: Sequence[str], mode: str = "rules"
    ) -> None:
        self.slots = slots
        self.calls = calls
        self.names = names
        """The names that the calls go by, after aliases."""
        self._mode = mode
        self._expected: dict[int, JsonValue] = {}
        self._actual: dict[int, JsonValue] = {}
        self._known: dict[tuple[int, int], tuple[int, int]] = {}

    @property
    def is_long(self) -> bool:
        """Whether there are so many pairs that `table` is quicker than to look at each."""
        return len(self.slots) * len(self.calls) > LONG

    @cached_property
    def table(self) -> Agreements:
        """All pairs, row by row."""
        from agent_tui.matchers.agreements import Agreements, Wanted  # here, since few runs are long

        wanted = [Wanted(slot.name, bytes(slot.args), slot.rules) for slot in self.slots]
        calls = zip(self.names, (call.args for call in self.calls), strict=True)
        return Agreements(wanted, list(calls), self._mode)

    def names_fit(self, i: int, j: int) -> bool:
        """Whether slot i and call j are of one tool."""
        return self.slots[i].name == self.names[j]

    def fits(self, i: int, j: int) -> bool:
        """Whether slot i and call j agree in name and arguments."""
        if self.slots[i].name != self.names[j]:
            return False
        agreed, counted = self.agreement(i, j)
        return agreed == counted

    def credit(self, i: int, j: int) -> float:
        """Share of the argument keys of both sides that agree, from 0 to 1; 0 where the names differ."""
        if self.slots[i].name != self.names[j]:
            return 0.0
        agreed, counted = self.agreement(i, j)
        return agreed / counted if counted else 1.0

    def agreement(self, i: int, j: int) -> tuple[int, int]:
        """How many arguments of slot i and call j agree, of how many; the tools are taken to be the same."""
        found = self._known.get((i, j))
        if found is None:
            found = self._known[i, j] = self._agree(i, j)
        return found

    def rules_of(self, i: int) -> ToolRules:
        """The argument rules that slot i compares by."""
        return (self.slots[i].rules if self._mode == "rules" else None) or STRICT

    def expected_args(self, i: int) -> JsonValue:
        """The arguments of slot i as a value."""
        if i not in self._expected:
            self._expected[i] = args_value(self.slots[i].args)
        return self._expected[i]

    def actual_args(self, j: int) -> JsonValue:
        """The arguments of call j as a value."""
        if j not in self._actual:
            self._actual[j] = args_value(self.calls[j].args)
        return self._actual[j]

    def _agree(self, i: int, j: int) -> tuple[int, int]:
        if self._mode == "ignore":
            return 1, 1
        rules = self.rules_of(i)
        if rules is STRICT and self.slots[i].args == self.calls[j].args:
            return 1, 1
        expected, actual = self.expected_args(i), self.actual_args(j)
        if self._mode == "superset":
            return shared_keys(expected, actual)
        if self._mode == "subset":
            return shared_keys(actual, expected)
        return rules.agreement(expected, actual)


def shared_keys(part: JsonValue, whole: JsonValue) -> tuple[int, int]:
    """How many keys of `part` have an equal value in `whole`, of how many; values that are no objects: 0 or 1 of 1."""
    if not (isinstance(part, dict) and isinstance(whole, dict)):
        return (1, 1) if equal(part, whole) else (0, 1)
    return sum(key in whole and equal(value, whole[key]) for key, value in part.items()), len(part)
