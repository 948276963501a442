"""The verdict on a run's answer."""

from __future__ import annotations

from msgspec import UNSET, Raw

from agent_tui.answers.combine import Nothing
from agent_tui.answers.outcome import Check
from agent_tui.answers.parse import parse_check
from agent_tui.answers.verdict import AnswerVerdict, quote
from agent_tui.runs import Run

_PENDING = AnswerVerdict("pending", "", "the run is not finished")
_UNKNOWN = AnswerVerdict("unscoreable", "", "no truth is recorded")


def check_answer(run: Run) -> AnswerVerdict:
    """Whether the run's answer is right, in the order of decision of every surface.

    Not finished: pending. Nothing known: unscoreable, even if the run errored. Errored: run_error. Then the check.
    """
    status = run.status
    if status != "done" and status != "error":
        return _PENDING
    expected = run.expected
    if expected is None or expected.answer is UNSET:
        return _UNKNOWN
    check = parse_check(expected.answer)
    if status == "error" and not isinstance(check, Nothing):
        said = f": {quote(run.error.message)}" if run.error and run.error.message else ""
        return AnswerVerdict("run_error", check.name, f"the run ended in an error{said}")
    return verdict_on(check, run.answer)


def evaluate(truth: Raw | bytes | str, answer: str | None) -> AnswerVerdict:
    """The verdict of a truth, given as JSON text, on an answer; None: there is no answer."""
    return verdict_on(parse_check(truth), answer)


def verdict_on(check: Check, answer: str | None) -> AnswerVerdict:
    """The verdict of a check. A missing or empty answer is wrong, unless the truth says that it may be empty."""
    if answer is not None and answer.strip():
        return check.verdict(answer)
    if check.takes_blank:
        return check.verdict(answer or "")
    if answer is None:
        return AnswerVerdict("no_answer", check.name, "the run ended well and gave no answer")
    return AnswerVerdict("wrong", check.name, "the answer is empty")
