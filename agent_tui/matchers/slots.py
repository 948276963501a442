"""A reference trajectory as a list of slots: what should have been called, how often, by which rules."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Raw, Struct, UnsetType

from agent_tui.errors import BadRules
from agent_tui.matchers.argument_rules import ToolRules
from agent_tui.matchers.reference import BrokenReference, open_groups
from agent_tui.matchers.rule_parsing import parse_call_rules
from agent_tui.matchers.rules import Rules
from agent_tui.runs import ExpectedCall, Times


class Slot(Struct, frozen=True, gc=False):
    """One expected call: it may stand from `least` to `most` times (None: no bound)."""

    index: int
    """Its number among the expected calls, groups opened, from 0."""
    name: str
    """The name it goes by, after aliases."""
    args: Raw
    rules: ToolRules | None
    group: int
    """Slots with one number may stand in any order among themselves; numbers rise."""
    least: int = 1
    most: int | None = 1


def slots_of(calls: Sequence[ExpectedCall], rules: Rules) -> list[Slot]:
    """The slots of a reference, tools to ignore left out. Raises `BrokenReference`."""
    return [
        _slot(index, call, group, rules)
        for index, (call, group) in enumerate(open_groups(calls))
        if not rules.ignore_tools or not rules.leaves_out(call.name)
    ]


def _slot(index: int, call: ExpectedCall, group: int, rules: Rules) -> Slot:
    name = rules.name_of(call.name) if rules.aliases else call.name
    entry = rules.of_tool(name) if rules.tools else None
    if not isinstance(call.rules, UnsetType):
        try:
            own, says_extra = parse_call_rules(bytes(call.rules))
        except BadRules as error:
            raise BrokenReference(f"expected call {index + 1}: {error}") from error
        entry = own.over(entry, says_extra)
    times = call.times or Times(1, 1)
    if times.min < 0 or (times.max is not None and times.max < times.min):
        raise BrokenReference(f"expected call {index + 1}: times from {times.min} to {times.max} leaves no number")
    return Slot(index, name, call.args, entry, group, 0 if call.optional else times.min, times.max)
