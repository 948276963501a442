"""How often each task was tried and how often it passed, by who did it: runs of two models are no trials of one."""

from __future__ import annotations

from collections import Counter

from agent_tui.runs import State
from agent_tui.scoring.table import ScoreTable

Group = tuple[int, int, int]
"""Task, model and agent by their numbers in the table."""


def trial_counts(table: ScoreTable) -> dict[Group, tuple[int, int]]:
    """Of each group that has a scored run: how many are scored and how many pass, in the order of the table."""
    who = table.tasks.codes(), table.models.codes(), table.agents.codes()
    groups: dict[Group, tuple[int, int]] = {}
    for (task, model, agent, code), runs in Counter(zip(*who, table.column("task_success"), strict=True)).items():
        if code <= State.PASS:
            scored, passed = groups.get((task, model, agent), (0, 0))
            groups[task, model, agent] = scored + runs, passed + runs * (code == State.PASS)
    return groups
