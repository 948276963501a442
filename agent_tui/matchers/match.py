"""All matchers of one run: the order of decision, and the way of least work to each verdict."""

from __future__ import annotations

from collections.abc import Sequence

from agent_tui.matchers import seldom
from agent_tui.matchers.compiled import decide
from agent_tui.matchers.figures import Figures
from agent_tui.matchers.names import MATCHERS, split_mode
from agent_tui.matchers.plain import plain_figures, unasked
from agent_tui.matchers.redundancy import NONE_REPEATED, Trajectory
from agent_tui.matchers.reference import BrokenReference, is_plain, open_groups, references
from agent_tui.matchers.result import TOOLS_NOT_KNOWN, Match, best_reference, scored_best, unscored
from agent_tui.matchers.rules import NO_RULES, Rules
from agent_tui.matchers.single import all_parsed, match_single
from agent_tui.runs import ExpectedCall, Run, State, ToolCall
from agent_tui.safety.patterns import TooSlow

NO_WRITES: frozenset[str] = frozenset()


def match(run: Run, rules: Rules = NO_RULES, writes: frozenset[str] = NO_WRITES) -> Match:
    """The verdicts of one run; `writes` are the tools that change state (a call of one breaks repeats)."""
    decided = decide(run, writes) if rules is NO_RULES else None
    return match_in_python(run, rules, writes) if decided is None else decided.match


def match_in_python(run: Run, rules: Rules, writes: frozenset[str]) -> Match:
    """`match` where the compiled core has left a run to Python, or was not asked."""
    found = match_single(run, writes) if rules is NO_RULES else None
    return found if found is not None else judge(run, rules, writes, "rules")


def match_mode(run: Run, name: str, rules: Rules = NO_RULES) -> State:
    """The verdict of any matcher in any argument mode (`any_order+args_superset`). Raises `UnknownName`."""
    matcher, mode = split_mode(name)
    found = match(run, rules) if mode == "rules" else judge(run, rules, NO_WRITES, mode)
    return State(found.states[MATCHERS.index(matcher)])


def judge(run: Run, rules: Rules, writes: frozenset[str], mode: str) -> Match:
    """The order of decision: not finished; nothing known; ended in an error, or not recorded; else scored."""
    if not run.is_finished:
        return unscored(State.PENDING, _TOOLS_PENDING, NONE_REPEATED, parsed=True)
    trajectory = trajectory_of(run, rules, writes)
    tools = _tool_states(run, rules)
    parsed = all_parsed(trajectory.calls)
    try:
        wanted = references(run.expected)
        if wanted is None:
            return unscored(State.NOT_KNOWN, tools, trajectory.redundancy, parsed)
        found = [figures_of(calls, trajectory, rules, mode) for calls in wanted]
        if run.status == "error" or run.calls is None:
            return unscored(State.ERROR, tools, trajectory.redundancy, parsed)
        best = best_reference(found)
        if not found[best].may_repeat:
            return scored_best(found, best, tools, 0, parsed)
        beyond_asked = _unasked(wanted[best], trajectory, rules, mode) if trajectory.redundancy.repeats else 0
        return scored_best(found, best, tools, beyond_asked, parsed)
    except BrokenReference:
        return unscored(State.BROKEN, tools, trajectory.redundancy, parsed)
    except TooSlow:
        state = State.ERROR if run.status == "error" else State.BROKEN
        return unscored(state, tools, trajectory.redundancy, parsed)


def trajectory_of(run: Run, rules: Rules, writes: frozenset[str] = NO_WRITES) -> Trajectory:
    """The calls that are compared, by the names that they go by."""
    calls: Sequence[ToolCall] = run.calls or ()
    if rules.ignore_tools or rules.drop_failed:
        calls = [call for call in calls if counts(call, rules)]
    if rules.aliases:
        return Trajectory(calls, [rules.name_of(call.name) for call in calls], writes)
    return Trajectory(calls, [call.name for call in calls], writes)


def counts(call: ToolCall, rules: Rules) -> bool:
    """Whether a call is compared: its tool is not to be ignored, and it did not fail where the rules drop those."""
    return not (rules.leaves_out(call.name) or (rules.drop_failed and call.failed()))


def figures_of(calls: Sequence[ExpectedCall], trajectory: Trajectory, rules: Rules, mode: str) -> Figures:
    """The figures of one reference, by the plain way where that is sound. Raises `BrokenReference`."""
    if rules.is_plain and (mode == "rules" or mode == "exact"):
        opened, groups = calls, None
        if has_groups(calls):
            both = open_groups(calls)
            opened, groups = [call for call, _ in both], [group for _, group in both]
        if is_plain(opened):
            return plain_figures(opened, trajectory, groups)
    return seldom.figures_by_slots(calls, trajectory, rules, mode)


def has_groups(calls: Sequence[ExpectedCall]) -> bool:
    """Whether some calls are said to be issued together."""
    for call in calls:  # noqa: SIM110 - a loop takes a third of the time of any(), and this is asked of every run
        if call.group is not None or call.parallel is not None:
            return True
    return False


_TOOLS_PENDING = bytes((State.PENDING, State.PENDING))


def _tool_states(run: Run, rules: Rules) -> bytes:
    """The verdicts of the two tool lists; a list that makes no sense is a broken check."""
    own = run.expected
    no_general = rules.required_tools is None and rules.forbidden_tools is None
    if no_general and (own is None or (own.required_tools is None and own.forbidden_tools is None)):
        return TOOLS_NOT_KNOWN
    return seldom.tool_states(run, rules)


def _unasked(calls: Sequence[ExpectedCall], trajectory: Trajectory, rules: Rules, mode: str) -> int:
    """The repeats that the reference does not ask for: it asks as often as its calls agree with the repeated one."""
    if rules.is_plain and is_plain(calls):
        return unasked(calls, trajectory)
    return seldom.unasked_by_slots(calls, trajectory, rules, mode)
