"""What was skipped and what looks odd, a line each."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

from agent_tui.errors import LOSSES, Problem
from agent_tui.tui.present.words import safe

_WORD = 9


def problem_lines(problems: Sequence[Problem]) -> list[Text]:
    """Losses first, each with its place."""
    ordered = sorted(problems, key=lambda problem: problem.kind not in LOSSES)
    return [_line(problem) for problem in ordered] or [Text(" nothing was skipped", "label")]


def _line(problem: Problem) -> Text:
    lost = problem.kind in LOSSES
    word = Text(f" {'skipped' if lost else 'note':<{_WORD}}", "notice" if lost else "label")
    return word.append(safe(str(problem), 500), "text" if lost else "label")
