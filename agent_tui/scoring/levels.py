"""Levels 2 and 3 for any bundle: were the calls right, and was the way?

Definitions: bundle.levels of kind `calls` in the bundle format.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from agent_tui.matchers import MATCHERS, Match, Rules
from agent_tui.runs import ExpectedCall, Run, State, ToolCall
from agent_tui.scoring.plan import Plan

EXACT, NAME_ONLY, ANY_ORDER = (MATCHERS.index(name) for name in ("exact", "name_only", "any_order"))
_PASS = int(State.PASS)


class Levels(Struct, frozen=True, gc=False):
    """The two levels and the figures beside them; None is not known."""

    tools: int
    """State of tool-call correctness."""
    trajectory: int
    """State of trajectory quality."""
    called: bool | None = None
    valid: bool | None = None
    query_quality: float | None = None
    """Mean share of the question's words in the queries, unrounded, 0..1 (kind search only)."""
    redundancy: int | None = None
    """Calls that repeat an earlier one without need."""
    matches_reference: bool | None = None
    document_surfaced: bool | None = None
    """Whether any call returned a document that holds the answer (kind search only)."""


PENDING = Levels(State.PENDING, State.PENDING)
NOT_KNOWN = Levels(State.NOT_KNOWN, State.NOT_KNOWN)
ALL_RIGHT = Levels(State.PASS, State.PASS, True, True, None, 0, True)


def call_levels(run: Run, match: Match, plan: Plan) -> Levels:
    """Levels of kind `calls`, from the trajectory's verdicts."""
    validators = plan.tools.validators
    made = _without_ignored(run.calls, plan.rules) if run.calls and plan.rules.ignore_tools else run.calls
    valid = match.parsed if not validators else all(plan.tools.misfit(call) is None for call in run.calls or ())
    return levels_of(match, made is not None, bool(made), valid, names_suffice(run, match, made or (), plan.rules))


def levels_of(match: Match, is_recorded: bool, has_calls: bool, valid: bool, names_suffice: bool) -> Levels:
    """Levels of kind `calls`, from what is known of the calls: whether there are any, fit, and call what is needed."""
    exact, redundancy = match.states[EXACT], match.redundancy
    if exact > _PASS:
        return _undecided(exact, redundancy if is_recorded else None)
    if exact == _PASS and redundancy == 0 and has_calls and valid:
        return ALL_RIGHT
    called = has_calls if match.expected else None
    right = called is not False and valid and names_suffice
    is_exact = exact == _PASS
    return Levels(int(right), int(is_exact and redundancy == 0), called, valid, None, redundancy, is_exact)


def _undecided(state: int, redundancy: int | None) -> Levels:
    return PENDING if state == State.PENDING else Levels(state, state, redundancy=redundancy)


def _without_ignored(calls: Sequence[ToolCall], rules: Rules) -> Sequence[ToolCall]:
    return [call for call in calls if not rules.leaves_out(call.name)]


def names_suffice(run: Run, match: Match, calls: Sequence[ToolCall], rules: Rules) -> bool:
    """Whether every expected name was called as often as expected at least; what was not judged needs no answer."""
    states = match.states
    if states[NAME_ONLY] == _PASS or states[ANY_ORDER] == _PASS or states[EXACT] > _PASS:
        return True
    wanted = expected_names(run, match, rules)
    if sum(wanted.values()) > len(calls):
        return False
    made = [rules.name_of(call.name) for call in calls]
    return all(made.count(name) >= times for name, times in wanted.items())


def expected_names(run: Run, match: Match, rules: Rules) -> dict[str, int]:
    """How often the reference that the match went by asks for each tool at least, by the names they go by."""
    counts: dict[str, int] = {}
    if run.expected is None:
        return counts
    calls = run.expected.calls
    if calls is None and run.expected.any:
        calls = run.expected.any[match.reference].calls
    _count_minimums(calls or (), counts, rules)
    return counts


def _count_minimums(calls: Iterable[ExpectedCall], counts: dict[str, int], rules: Rules) -> None:
    for call in calls:
        if call.parallel is not None:
            _count_minimums(call.parallel, counts, rules)
        elif not (call.optional or (rules.ignore_tools and rules.leaves_out(call.name))):
            name = rules.name_of(call.name) if rules.aliases else call.name
            counts[name] = counts.get(name, 0) + (1 if call.times is None else call.times.min)
