"""The one scoring path: a run and a plan in, everything that judges the run out."""

from __future__ import annotations

from functools import lru_cache
from typing import TypeAlias

from msgspec import Struct

from agent_tui.answers import AnswerVerdict, check_answer
from agent_tui.matchers import MATCHERS, NO_RULES, Decided, Match, decide, match, match_in_python
from agent_tui.runs import Run, State
from agent_tui.scoring.levels import Levels, call_levels, levels_of, names_suffice
from agent_tui.scoring.plan import Plan
from agent_tui.scoring.row_values import codes_of, numbers_of
from agent_tui.scoring.search_levels import search_levels
from agent_tui.scoring.success import Success, task_success, without_score

LEVELS = ("task_success", "tool_call_correctness", "trajectory_quality")
MEASURES = (*MATCHERS, "output", *LEVELS)
"""Everything that says pass or fail of a run, in the order of `RunScore.states`."""


class RunScore(Struct, frozen=True, gc=False):
    """All verdicts of one run. `states` has one `State` code a measure, in the order of MEASURES."""

    states: bytes
    match: Match
    answer: AnswerVerdict
    success: Success
    levels: Levels
    calls: int
    """How many calls the run made (a count)."""
    codes: bytes
    numbers: bytes
    """What of it stands in columns: see `row_values`."""

    def state(self, measure: str) -> State:
        """The verdict of one measure."""
        return State(self.states[MEASURES.index(measure)])


_OUTPUT = {
    "correct": State.PASS,
    "wrong": State.FAIL,
    "no_answer": State.FAIL,
    "run_error": State.ERROR,
    "unscoreable": State.NOT_KNOWN,
    "check_error": State.BROKEN,
    "pending": State.PENDING,
}


def score_run(run: Run, plan: Plan) -> RunScore:
    """Everything that judges `run`, a pure function of run and plan."""
    is_plain = not run.scores and plan.is_plain
    decided = decide(run, plan.tools.writes) if is_plain else None
    answer = check_answer(run)
    calls = run.calls
    if decided is not None:
        found = decided.match
        states, success, levels, codes, numbers = _as_decided(decided, answer.state)
        return RunScore(states, found, answer, success, levels, len(calls or ()), codes, numbers)
    found = (match_in_python if is_plain else match)(run, plan.rules, plan.tools.writes)
    if is_plain:
        suffice = names_suffice(run, found, calls or (), NO_RULES)
        judged = _plainly(found, answer.state, run.status == "error", calls is not None, bool(calls), suffice)
    else:
        success = task_success(run, answer, plan.success_scores)
        levels = search_levels(run, plan) if plan.levels.kind == "search" else call_levels(run, found, plan)
        judged = _judged(found, answer.state, success, levels)
    states, success, levels, codes, numbers = judged
    return RunScore(states, found, answer, success, levels, len(calls or ()), codes, numbers)


_Judged: TypeAlias = tuple[bytes, Success, Levels, bytes, bytes]
"""States, levels and what stands in columns: the same of many runs."""


@lru_cache(maxsize=4096)
def _as_decided(decided: Decided, output: str) -> _Judged:
    """What follows of a finished run without scores of its own, where there are no rules and calls were made."""
    return _plainly(decided.match, output, False, True, True, decided.names_suffice)


@lru_cache(maxsize=4096)
def _plainly(match: Match, output: str, errored: bool, is_recorded: bool, has_calls: bool, suffice: bool) -> _Judged:
    """What follows of a run without scores of its own, where there are no rules."""
    levels = levels_of(match, is_recorded, has_calls, match.parsed, suffice)
    return _judged(match, output, without_score(output, errored), levels)


def _judged(match: Match, output: str, success: Success, levels: Levels) -> _Judged:
    states = match.states + bytes((_OUTPUT[output], success.state, levels.tools, levels.trajectory))
    return states, success, levels, codes_of(match, output, levels), numbers_of(match, levels)


def count_failed(run: Run) -> int:
    """How many calls of a run failed (a count); what is not known to have failed does not count.

    It reads every result, which costs as much as all verdicts together: whoever shows the number asks for it.
    """
    return sum(1 for call in run.calls or () if call.failed())
