"""Level 1: did the run do its task?"""

from __future__ import annotations

from msgspec import Struct

from agent_tui.answers import AnswerVerdict
from agent_tui.runs import Run, State

CHECK, RECORDED, NOTHING = "check", "recorded", ""


class Success(Struct, frozen=True, gc=False):
    """Task success, who said so (our check or the recorded score), and what the other one said if it differs."""

    state: State
    source: str = NOTHING
    finding: str | None = None


def recorded_success(run: Run, names: tuple[str, ...]) -> tuple[State, str | None]:
    """What the bundle's own scorer said, from the first of `names` that the run carries, and a finding about it.

    A score passes at 1; other numbers in 0..1 fail; outside 0..1, null or no number: nothing is known.
    """
    for name in names:
        if name not in run.scores:
            continue
        score = run.scores[name]
        if not isinstance(score, float | int):
            return State.NOT_KNOWN, None if score is None else f"score {name} is not usable: {score}"
        if not 0 <= score <= 1:
            return State.NOT_KNOWN, f"score {name} is outside 0..1: {score:g}"
        return (State.PASS if score == 1 else State.FAIL), None
    return State.NOT_KNOWN, None


_FROM_CHECK = {"correct": State.PASS, "wrong": State.FAIL, "no_answer": State.FAIL}


def task_success(run: Run, answer: AnswerVerdict, names: tuple[str, ...]) -> Success:
    """Our check where one applies, else the recorded score; an errored run without a score is an error."""
    if not run.scores:
        return without_score(answer.state, run.status == "error")
    if answer.state == "pending":
        return Success(State.PENDING)
    recorded, finding = recorded_success(run, names)
    checked = _FROM_CHECK.get(answer.state)
    if checked is None:
        if recorded is not State.NOT_KNOWN:
            return Success(recorded, RECORDED, finding)
        return Success(without_score(answer.state, run.status == "error").state, NOTHING, finding)
    if recorded is not State.NOT_KNOWN and recorded is not checked:
        finding = f"recorded score says {recorded.word}, our check says {checked.word}"
    return Success(checked, CHECK, finding)


_BY_CHECK = {
    "correct": Success(State.PASS, CHECK),
    "wrong": Success(State.FAIL, CHECK),
    "no_answer": Success(State.FAIL, CHECK),
    "pending": Success(State.PENDING),
    "run_error": Success(State.ERROR),
    "unscoreable": Success(State.NOT_KNOWN),
    "check_error": Success(State.BROKEN),
}
_ERRORED = Success(State.ERROR)


def without_score(answer: str, errored: bool) -> Success:
    """Task success where the run has no score of its own: the state of the answer, or that the run errored."""
    return _ERRORED if errored and answer != "pending" else _BY_CHECK[answer]
