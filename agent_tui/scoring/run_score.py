"""The one scoring path: a run and a plan in, everything that judges the run out."""

from __future__ import annotations

from msgspec import Struct

from agent_tui.answers import AnswerVerdict, check_answer
from agent_tui.matchers import MATCHERS, Match, match
from agent_tui.runs import Run, State
from agent_tui.scoring.levels import Levels, call_levels
from agent_tui.scoring.plan import Plan
from agent_tui.scoring.search_levels import search_levels
from agent_tui.scoring.success import Success, task_success

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
    found = match(run, plan.rules, plan.tools.writes)
    answer = check_answer(run)
    success = task_success(run, answer, plan.success_scores)
    levels = search_levels(run, plan) if plan.levels.kind == "search" else call_levels(run, found, plan)
    states = found.states + bytes((_OUTPUT[answer.state], success.state, levels.tools, levels.trajectory))
    return RunScore(states, found, answer, success, levels, len(run.calls or ()))


def count_failed(run: Run) -> int:
    """How many calls of a run failed (a count); what is not known to have failed does not count.

    It reads every result, which costs as much as all verdicts together: whoever shows the number asks for it.
    """
    return sum(1 for call in run.calls or () if call.failed())
