"""Levels 2 and 3 for any bundle: were the calls right, and was the way?

Definitions: bundle.levels of kind `calls` in the bundle format.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from msgspec import Struct

from agent_tui.matchers import MATCHERS, Match
from agent_tui.runs import ExpectedCall, Run, State
from agent_tui.scoring.plan import Plan

EXACT, NAME_ONLY = MATCHERS.index("exact"), MATCHERS.index("name_only")


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
    exact = match.states[EXACT]
    if exact == State.PASS and match.redundancy == 0 and not plan.tools.validators and run.calls and match.parsed:
        return ALL_RIGHT
    if exact not in (State.PASS, State.FAIL):
        return _undecided(run, match, exact)
    called = bool(run.calls) if match.expected else None
    valid = (
        match.parsed if not plan.tools.validators else all(plan.tools.misfit(call) is None for call in run.calls or ())
    )
    enough = match.states[NAME_ONLY] == State.PASS or _covers_names(run, match, plan)
    right = called is not False and valid and enough
    is_exact = exact == State.PASS
    path = is_exact and match.redundancy == 0
    return Levels(int(right), int(path), called, valid, None, match.redundancy, is_exact)


def _undecided(run: Run, match: Match, state: int) -> Levels:
    if state == State.PENDING:
        return PENDING
    redundancy = match.redundancy if run.calls is not None else None
    return Levels(state, state, redundancy=redundancy)


def _covers_names(run: Run, match: Match, plan: Plan) -> bool:
    made = Counter([plan.rules.name_of(call.name) for call in run.calls or ()])
    return _covers(made, expected_names(run, match))


def _covers(have: Counter[str], need: Counter[str]) -> bool:
    return all(have[name] >= times for name, times in need.items())


def expected_names(run: Run, match: Match) -> Counter[str]:
    """How often the reference that the match went by asks for each tool at least (a multiset of names)."""
    if run.expected is None:
        return Counter()
    calls = run.expected.calls
    if calls is None and run.expected.any:
        calls = run.expected.any[match.reference].calls
    return Counter(dict(_minimums(calls or ())))


def _minimums(calls: Iterable[ExpectedCall]) -> Iterable[tuple[str, int]]:
    counts: Counter[str] = Counter()
    for call in calls:
        if call.parallel is not None:
            counts.update(dict(_minimums(call.parallel)))
        elif not call.optional:
            counts[call.name] += 1 if call.times is None else call.times.min
    return counts.items()
