"""Required and forbidden tools: counted over every recorded call, whatever else the rules leave out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fnmatch import fnmatchcase
from typing import TypeVar

from agent_tui.errors import BadRules
from agent_tui.matchers.banned import BannedTool
from agent_tui.matchers.reference import BrokenReference
from agent_tui.matchers.rule_parsing import parse_forbidden, parse_required
from agent_tui.matchers.rules import Rules
from agent_tui.runs import RequiredTool, Run, State, ToolCall
from agent_tui.runs.json_values import args_value
from agent_tui.safety.patterns import TooSlow


def required_of(run: Run, rules: Rules) -> tuple[RequiredTool, ...] | None:
    """The tools that a run must call, its own and the bundle's; None: no list is given. Raises `BrokenReference`."""
    own = run.expected.required_tools if run.expected is not None else None
    try:
        mine = parse_required(own, "expected.required_tools")
    except BadRules as error:
        raise BrokenReference(str(error)) from error
    return _joined(rules.required_tools, mine)


def forbidden_of(run: Run, rules: Rules) -> tuple[BannedTool, ...] | None:
    """The calls that a run must not make, its own and the bundle's; None: no list is given.

    Raises `BrokenReference`.
    """
    own = run.expected.forbidden_tools if run.expected is not None else None
    try:
        mine = parse_forbidden(own, "expected.forbidden_tools")
    except BadRules as error:
        raise BrokenReference(str(error)) from error
    return _joined(rules.forbidden_tools, mine)


T = TypeVar("T")


def _joined(general: tuple[T, ...] | None, own: tuple[T, ...] | None) -> tuple[T, ...] | None:
    return None if general is None and own is None else (general or ()) + (own or ())


def unmet(required: RequiredTool, calls: Sequence[ToolCall], rules: Rules) -> str | None:
    """What is wrong with how often a required tool was called, in words; None: nothing."""
    made = sum(
        any(fnmatchcase(name, required.name) for name in (call.name, rules.name_of(call.name))) for call in calls
    )
    if made < required.min:
        return f"required tool {required.name}: called {made} of {required.min} times"
    if required.max is not None and made > required.max:
        return f"required tool {required.name}: called {made} times, {required.max} at most"
    return None


def banned_calls(forbidden: Sequence[BannedTool], calls: Sequence[ToolCall], rules: Rules) -> list[int]:
    """The calls that must not have been made."""
    return [
        j
        for j, call in enumerate(calls)
        if any(ban.bans((call.name, rules.name_of(call.name)), args_value(call.args)) for ban in forbidden)
    ]


def tool_states(run: Run, rules: Rules) -> bytes:
    """The verdicts of the two lists; one that makes no sense or cannot be told in time is a broken check."""
    return bytes((_or_broken(required_state, run, rules), _or_broken(forbidden_state, run, rules)))


def _or_broken(decide: Callable[[Run, Rules], State], run: Run, rules: Rules) -> State:
    try:
        return decide(run, rules)
    except (BrokenReference, TooSlow):
        return State.BROKEN


def required_state(run: Run, rules: Rules) -> State:
    """Whether each required tool was called within its bounds; a list that names none is vacuous."""
    required = required_of(run, rules)
    if required is None:
        return State.NOT_KNOWN
    state = _undecided(run, has_own_list=run.expected is not None and run.expected.required_tools is not None)
    if state is not None:
        return state
    if not required:
        return State.VACUOUS
    return State.FAIL if any(unmet(tool, run.calls or (), rules) for tool in required) else State.PASS


def forbidden_state(run: Run, rules: Rules) -> State:
    """Whether no forbidden call was made; a list that names none is vacuous."""
    forbidden = forbidden_of(run, rules)
    if forbidden is None:
        return State.NOT_KNOWN
    state = _undecided(run, has_own_list=run.expected is not None and run.expected.forbidden_tools is not None)
    if state is not None:
        return state
    if not forbidden:
        return State.VACUOUS
    return State.FAIL if banned_calls(forbidden, run.calls or (), rules) else State.PASS


def _undecided(run: Run, has_own_list: bool) -> State | None:
    """The state where nothing can be judged: no trajectory though one was expected, or the run ended in an error."""
    if run.status == "error":
        return State.ERROR
    if run.calls is not None:
        return None
    expected = run.expected
    stated = expected is not None and (expected.calls is not None or expected.any is not None)
    return State.ERROR if stated or has_own_list else State.NOT_KNOWN


def broken_promises(run: Run, rules: Rules) -> list[str]:
    """What the tool lists object to, in words; nothing where no trajectory is recorded."""
    return required_objections(run, rules) + forbidden_objections(run, rules)


def required_objections(run: Run, rules: Rules) -> list[str]:
    """What was called too seldom or too often, in words; why that cannot be told, where it cannot."""
    try:
        required = required_of(run, rules) or ()
    except BrokenReference as error:
        return [str(error)]
    calls = run.calls
    if calls is None:
        return []
    return [said for tool in required if (said := unmet(tool, calls, rules)) is not None]


def forbidden_objections(run: Run, rules: Rules) -> list[str]:
    """What should not have been called, in words; why that cannot be told, where it cannot."""
    calls = run.calls or ()
    try:
        banned = banned_calls(forbidden_of(run, rules) or (), calls, rules)
    except (BrokenReference, TooSlow) as error:
        return [str(error)]
    return [f"call {j + 1} {calls[j].name}: forbidden" for j in banned]
