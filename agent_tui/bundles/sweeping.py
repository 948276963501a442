"""Sweep the runs of a bundle with mutations, row after row."""

from __future__ import annotations

from collections.abc import Iterator

from agent_tui.bundles.bundle import Bundle
from agent_tui.scoring.mutate import Subject, sweeping
from agent_tui.scoring.sweep import Sweep


def sweep_rows(bundle: Bundle, sweep: Sweep) -> Iterator[int]:
    """Sweep the rows that `sweep` does not hold yet; gives how many runs are swept, after each mutant.

    Whoever stops asking can go on later with the same sweep.
    """
    return sweeping(_subjects(bundle, sweep.runs), sweep)


def _subjects(bundle: Bundle, first: int) -> Iterator[Subject]:
    """The rows from one on; also those that come while they are swept."""
    row = first
    while row < len(bundle):
        yield Subject(row, bundle.names.name(row), bundle.run(row), bundle.source(row).plan)
        row += 1
