"""Is the result right: checks of a recorded truth against the answer of a run."""

from agent_tui.answers.evaluate import check_answer, evaluate, verdict_on
from agent_tui.answers.outcome import Check
from agent_tui.answers.parse import CHECKS, parse_check
from agent_tui.answers.verdict import AnswerState, AnswerVerdict

__all__ = [
    "CHECKS",
    "AnswerState",
    "AnswerVerdict",
    "Check",
    "check_answer",
    "evaluate",
    "parse_check",
    "verdict_on",
]
