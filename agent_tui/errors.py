"""Every error a user can meet.

    AgentTuiError               exit status
    ├── GateNotMet              1   a gate was not met
    ├── NotPossible             2   not possible as asked
    │   ├── UnknownName             a matcher, measure, rule, run or path that does not exist
    │   ├── BadRules                argument rules that mean nothing
    │   ├── BadExpression           a filter that does not parse
    │   ├── BadEdit                 a change that cannot be made
    │   ├── BadPatch                a what-if patch that does not fit the bundle
    │   └── NotPermitted            verdicts of a judge that is not validated
    ├── NothingReadable         3   nothing could be read
    ├── BudgetReached           4   a judge's budget is spent; what was judged is kept
    ├── ProviderFailed          5   the model service failed; what was judged is kept
    └── Broken                 70   the screen ended by an error of ours

Any other error that nobody foresaw is none of these: the command line tells it in a line and leaves with 70 too.

A message says in one line what is wrong, where, and what to do. A `Problem` is not an exception: it is a
value, for what was skipped while the rest went on.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct


class AgentTuiError(Exception):
    """An error of the user's making or of the input's, told in one line."""

    exit_status = 2


class GateNotMet(AgentTuiError):
    """A gate that was asked for does not hold."""

    exit_status = 1


class NotPossible(AgentTuiError):
    """What was asked for cannot be done as asked."""


class UnknownName(NotPossible):
    """A name that is not one of those that exist."""

    def __init__(self, kind: str, name: str, known: Iterable[str], unnamed: int = 0) -> None:
        from difflib import get_close_matches  # here, since few commands end so and every one starts with this module

        names = sorted(known)
        near = get_close_matches(name, names, n=1, cutoff=0.6)
        hint = f"did you mean {near[0]}? " if near else ""
        more = max(0, len(names) - 30) + unnamed
        shown = ", ".join(names[:30]) + (f", … {more:,} more" if more else "")
        super().__init__(f"unknown {kind} {name!r}: {hint}there are {shown or 'none'}")


class BadRules(NotPossible):
    """Argument rules that name something unknown or do not make sense."""


class BadExpression(NotPossible):
    """A filter expression that does not parse."""


class BadEdit(NotPossible):
    """An edit that cannot be applied."""


class BadPatch(NotPossible):
    """A what-if patch that is none, is for another bundle, or expects what does not stand there."""


class NotPermitted(NotPossible):
    """Verdicts on unlabelled runs were asked for without a permit that opens them."""


class BudgetReached(AgentTuiError):
    """The cap on what judging may cost was met."""

    exit_status = 4


class ProviderFailed(AgentTuiError):
    """The model service cannot go on: refused, unreachable, or limited for too long."""

    exit_status = 5


class NothingReadable(AgentTuiError):
    """No run could be read from what was named."""

    exit_status = 3


class Broken(AgentTuiError):
    """The screen ended by an error that is ours."""

    exit_status = 70


class Problem(Struct, frozen=True):
    """Something that was skipped or looks wrong, with its place.

    `line` counts from 1, `path` is a JSON path (`$.steps[3].tool`). `kind` is a word for programs: "malformed",
    "incomplete", "unknown_record", "not_a_record", "missing_file", "empty_file", "unreadable", "clash", "bundle",
    "warning".
    Kinds of `LOSSES` mean that something of the input is not in the result.
    """

    file: str
    reason: str
    line: int | None = None
    path: str | None = None
    kind: str = "malformed"
    count: int = 1
    """How many this one stands for: of very many alike the first are told one by one."""

    def __str__(self) -> str:
        line = f":{self.line}" if self.line is not None else ""
        path = f" @ {self.path}" if self.path else ""
        return f"{self.file}{line}{path}: {self.reason}"


LOSSES = frozenset({"malformed", "incomplete", "not_a_record", "missing_file", "empty_file", "unreadable"})


def how_many(problems: Iterable[Problem]) -> int:
    """How many problems there are, those too that are only counted."""
    return sum(problem.count for problem in problems)
