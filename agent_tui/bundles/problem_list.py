"""The problems of a bundle: the first of each kind of each file, and how many more there are of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from agent_tui.errors import Problem

KEPT = 1000
"""How many problems of one kind and file are kept as they are (a count)."""


class ProblemList:
    """Problems in the order in which they are met; a file of millions of bad lines does not fill the memory."""

    def __init__(self, problems: Iterable[Problem] = ()) -> None:
        self._kept: list[Problem] = []
        self._counts: Counter[tuple[str, str]] = Counter()
        for problem in problems:
            self.add(problem)

    def add(self, problem: Problem) -> None:
        """Keep a problem, or count it."""
        key = problem.file, problem.kind
        self._counts[key] += 1
        if self._counts[key] <= KEPT:
            self._kept.append(problem)

    def all(self) -> list[Problem]:
        """Those that are kept, and one for each kind and file that there is more of."""
        more = ((file, kind, count - KEPT) for (file, kind), count in self._counts.items() if count > KEPT)
        rest = (Problem(file, f"{count:,} more like these", kind=kind, count=count) for file, kind, count in more)
        return [*self._kept, *rest]
