"""Calls that a run has no use for, to be made instead of the right ones or beside them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Raw

from agent_tui.runs import ExpectedCall, JsonValue, RequiredTool, Run, ToolCall
from agent_tui.runs.json_values import canonical_of
from agent_tui.scoring.plan import Plan

_MADE_UP = "some_other_tool"


class StrangeCalls:
    """Calls that a run has no use for: of the described tools that it neither expects nor made, or of a made-up one."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._spare = [ToolCall(name=name, args=_fitting(name, plan)) for name in sorted(plan.tools.names)]

    def of(self, run: Run) -> list[ToolCall]:
        """The calls that are strange to a run; at least one."""
        rules = self._plan.rules
        known = {rules.name_of(name) for name in _names(run)}
        strange = [
            call for call in self._spare if rules.name_of(call.name) not in known and not rules.leaves_out(call.name)
        ]
        return strange or [ToolCall(name=_unused(_MADE_UP, known))]


def _unused(name: str, known: set[str]) -> str:
    return name if name not in known else _unused(f"{name}_2", known)


def _names(run: Run) -> Iterator[str]:
    """Every tool that a run called, or that is expected of it."""
    yield from (call.name for call in run.calls or ())
    expected = run.expected
    if expected is None:
        return
    for calls in (expected.calls or (), *(reference.calls for reference in expected.any or ())):
        yield from _expected_names(calls)
    yield from (tool.name if isinstance(tool, RequiredTool) else tool for tool in expected.required_tools or ())


def _expected_names(calls: Iterable[ExpectedCall]) -> Iterator[str]:
    for call in calls:
        yield call.name
        yield from _expected_names(call.parallel or ())


_SORTS: tuple[JsonValue, ...] = ("x", 1, True, None, [], {})


def _fitting(tool: str, plan: Plan) -> Raw:
    """Arguments that fit a tool's schema as far as one value of some kind for each parameter does."""
    args: dict[str, JsonValue] = {}
    validator = plan.tools.validators.get(tool)
    if validator is not None:
        for name in sorted(plan.tools.arguments(tool)):
            faults = [len(list(validator.iter_errors({**args, name: value}))) for value in _SORTS]
            args[name] = _SORTS[faults.index(min(faults))]
    return Raw(canonical_of(args))
