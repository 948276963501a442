"""Every problem of a bundle: what the reader met, what the format forbids, what scoring cannot use."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from msgspec import Struct

from agent_tui.bundles.bundle import Bundle
from agent_tui.bundles.loading import add, scored
from agent_tui.bundles.problem_list import ProblemList
from agent_tui.errors import AgentTuiError, Problem
from agent_tui.readers import Item, read
from agent_tui.readers.checking import Seen, problems_of_item
from agent_tui.runs import State


class Checked(Struct, frozen=True):
    """The problems in the order of the files, and how many runs could be read (a count)."""

    problems: list[Problem]
    runs: int


def check(paths: Sequence[str], also: Callable[[Bundle], Iterable[Problem]] = lambda _: ()) -> Checked:
    """Validate what is at `paths`; `also` gives the problems that only rooms above this one can find."""
    bundle = Bundle()
    told = _Told()
    items = told.passed(read(paths))
    found: dict[Problem, None] = {}
    try:
        for fact in scored(items):
            if not (isinstance(fact, Problem) and told.is_last_told):
                add(bundle, fact)
    except AgentTuiError as error:
        found[Problem(", ".join(paths), str(error), kind="rules")] = None
    for _ in items:  # what is left where the rules were refused
        pass
    unusable = ProblemList(_unusable(bundle)).all()
    found.update(dict.fromkeys([*bundle.problems, *told.problems.all(), *unusable, *also(bundle)]))
    return Checked(list(found), len(bundle))


class _Told:
    """The problems of the items that pass. They are read once: standard input comes only once."""

    def __init__(self) -> None:
        self.problems = ProblemList()
        self.is_last_told = False
        """Whether all that is wrong with the last item is told, so that what scoring says of it is nothing new."""

    def passed(self, items: Iterable[Item]) -> Iterator[Item]:
        """The items as they are."""
        seen: Seen = {}
        for item in items:
            # the bundle finds the clashes: it knows the headers too
            problems = [problem for problem in problems_of_item(item, seen) if problem.kind != "clash"]
            self.is_last_told = isinstance(item, Problem) or any(each.kind == "malformed" for each in problems)
            for problem in problems:
                self.problems.add(problem)
            yield item


def _unusable(bundle: Bundle) -> Iterator[Problem]:
    """Checks and per-call rules that cannot be used, and recorded scores that are no numbers."""
    table = bundle.table
    for row in range(len(bundle)):
        place = bundle.place(row)
        if table.output(row) == "check_error":
            reason = f"run {bundle.names.name(row)}: {bundle.score(row).answer.why}"
            yield Problem(place.file, reason, place.line, "$.expected.answer", "check_error")
        if table.state(row, "exact") is State.BROKEN:
            reason = f"run {bundle.names.name(row)}: " + "; ".join(bundle.explain(row).notes)
            yield Problem(place.file, reason, place.line, "$.expected.calls", "rules")
