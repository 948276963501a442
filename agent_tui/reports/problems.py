"""What was skipped or looks wrong, in lines for people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from agent_tui.errors import LOSSES, Problem, how_many
from agent_tui.safety import sanitise_line

_SHOWN = 20

_KINDS = {
    "malformed": ("malformed record", "malformed records"),
    "incomplete": ("incomplete line", "incomplete lines"),
    "not_a_record": ("line that is no record", "lines that are no records"),
    "unknown_record": ("record of unknown kind", "records of unknown kind"),
    "missing_file": ("missing file", "missing files"),
    "empty_file": ("empty file", "empty files"),
    "unreadable": ("unreadable file", "unreadable files"),
    "clash": ("clash", "clashes"),
    "bundle": ("bad fact of a bundle", "bad facts of bundles"),
    "warning": ("warning", "warnings"),
}


def count_problems(problems: Iterable[Problem]) -> str:
    """The problems by kind in one phrase: `2 malformed records, 1 missing file`; empty where there are none."""
    counts: Counter[str] = Counter()
    for problem in problems:
        counts[problem.kind] += problem.count
    return ", ".join(f"{n:,} {_kind(kind, n)}" for kind, n in counts.items())


def _kind(kind: str, count: int) -> str:
    one, several = _KINDS.get(kind, (kind, kind))
    return one if count == 1 else several


def problem_lines(problems: list[Problem], shown: int = _SHOWN) -> Iterator[str]:
    """A line a problem, losses first, made safe for a terminal; beyond `shown` only how many; their count last."""
    ordered = sorted(problems, key=lambda problem: problem.kind not in LOSSES)
    for problem in ordered[:shown]:
        word = "skipped" if problem.kind in LOSSES else "note"
        yield sanitise_line(f"{word}: {problem}")
    if len(ordered) > shown:
        yield f"… and {how_many(ordered[shown:]):,} more; `agent-tui check` lists them"
    if len(ordered) > 1:
        yield f"in all {count_problems(ordered)}"
