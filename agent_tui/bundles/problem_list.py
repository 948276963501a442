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
        self._told: Counter[tuple[str, str]] = Counter()
        for problem in problems:
            self.add(problem)

    def add(self, problem: Problem) -> None:
        """Keep a problem, or count it."""
        key = problem.file, problem.kind
        self._counts[key] += problem.count
        if self._counts[key] <= KEPT:
            self._kept.append(problem)
            self._told[key] += problem.count

    def all(self) -> list[Problem]:
        """Those that are kept, and one for each kind and file that there is more of."""
        more = self._counts - self._told
        rest = (Problem(key[0], f"{n:,} more like these", kind=key[1], count=n) for key, n in more.items())
        return [*self._kept, *rest]
