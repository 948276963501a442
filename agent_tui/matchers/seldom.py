"""Doors to what few bundles need: rules, optional calls, tool lists. What is behind one is loaded when it is opened.

A plain bundle is scored without half of this package, and a command starts so much sooner.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec import Raw

from agent_tui.matchers.redundancy import Trajectory
from agent_tui.matchers.rules import Rules
from agent_tui.runs import ExpectedCall, JsonValue, Run

if TYPE_CHECKING:
    from agent_tui.matchers.figures import Figures


def parse_rules(raw: Raw | bytes | JsonValue, where: str = "rules") -> Rules:
    """The compiled rules of a bundle, from JSON text or from a value (None: no rules). Raises `BadRules`."""
    from agent_tui.matchers import rule_parsing

    return rule_parsing.parse_rules(raw, where)


def tool_states(run: Run, rules: Rules) -> bytes:
    """The verdicts of the two tool lists."""
    from agent_tui.matchers import tool_lists

    return tool_lists.tool_states(run, rules)


def figures_by_slots(calls: Sequence[ExpectedCall], trajectory: Trajectory, rules: Rules, mode: str) -> Figures:
    """The figures of one reference under any rules, in any argument mode. Raises `BrokenReference`."""
    from agent_tui.matchers import general

    return general.figures_by_slots(calls, trajectory, rules, mode)


def unasked_by_slots(calls: Sequence[ExpectedCall], trajectory: Trajectory, rules: Rules, mode: str) -> int:
    """The repeats that a reference does not ask for, under any rules."""
    from agent_tui.matchers import general

    return general.unasked_by_slots(calls, trajectory, rules, mode)
