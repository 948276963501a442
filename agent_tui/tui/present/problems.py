"""What was skipped and what looks odd: a line each, and in a phrase beside a run that one file holds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import msgspec
from rich.text import Text

from agent_tui.bundles import Bundle
from agent_tui.errors import LOSSES, Problem, how_many
from agent_tui.reports.figures import count
from agent_tui.runs import surrogates
from agent_tui.tui.present.words import safe, safe_name

HANG = 10
"""Where the words of a problem begin."""
_BAD = ("malformed", "incomplete", "not_a_record")


class _Messages(msgspec.Struct):
    messages: list[msgspec.Raw] | None = None


_decode = msgspec.json.Decoder(_Messages).decode


def ordered(problems: Sequence[Problem]) -> list[Problem]:
    """Losses first."""
    return sorted(problems, key=lambda problem: problem.kind not in LOSSES)


def problem_lines(problems: Sequence[Problem]) -> list[Text]:
    """A line a problem, with its place, in the order given."""
    return [_line(problem) for problem in problems] or [Text(" nothing was skipped", "label")]


def _line(problem: Problem) -> Text:
    lost = problem.kind in LOSSES
    word = Text(f" {'skipped' if lost else 'note':<{HANG - 1}}", "notice" if lost else "label")
    return word.append(safe(str(problem), 500), "text" if lost else "label")


def place_of(problem: Problem) -> str:
    """File and line, as a title."""
    return safe_name(problem.file if problem.line is None else f"{problem.file}:{problem.line}")


def file_counts(bundle: Bundle, row: int) -> str:
    """Of a run that is a file of messages: `8 messages, 2 bad lines, 2 unknown records`; empty where nothing is odd."""
    place = bundle.place(row)
    if bundle.source(row).runs != 1 or place.line is not None:
        return ""
    kinds: Counter[str] = Counter()
    for problem in bundle.problems:
        if problem.file == place.file:
            kinds[problem.kind] += problem.count
    bad, unknown = sum(kinds[kind] for kind in _BAD), kinds["unknown_record"]
    if not bad and not unknown:
        return ""
    messages = surrogates.decode(_decode, place.text).messages
    told = (
        (len(messages or ()), "message", "messages"),
        (bad, "bad line", "bad lines"),
        (unknown, "unknown record", "unknown records"),
    )
    return ", ".join(count(number, one, several) for number, one, several in told if number)


def skipped_words(problems: Sequence[Problem]) -> str:
    """How much of the input is not among the runs: `2 skipped`; empty where all is."""
    lost = how_many(problem for problem in problems if problem.kind in LOSSES)
    return f"{lost:,} skipped" if lost else ""
