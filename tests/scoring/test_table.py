"""Rows of a table: the same whether they come one by one or many at once."""

from __future__ import annotations

from msgspec import structs

from agent_tui.runs import Run
from agent_tui.scoring import Plan, ScoreTable, score_run
from agent_tui.scoring.run_score import RunScore
from agent_tui.scoring.table import row_of
from agent_tui.scoring.table_part import part_of
from tests.make_run import make_run

RUNS: tuple[Run, ...] = (
    make_run(["a", "b"], ["a", "b"], truth="x", answer="x"),
    make_run(["a", "b"], ["a"], truth="x", answer="y", scores={"success": 1.0}),
    make_run(["a"], ["a", "a"], status="error"),
    make_run(None, ["a", "a"], scores={"reward": None}),
    make_run(["a"], None, status="running"),
    make_run(["a", "b"], ["b", "a"], truth=None, scores={"success": 0.0, "reward": 2.0}),
)


def rows() -> list[tuple[Run, RunScore, str | None, str | None]]:
    runs = [structs.replace(run, id=f"r{number}") for number, run in enumerate(RUNS * 2)]
    return [(run, score_run(run, Plan()), "m" if run.calls else None, run.agent) for run in runs]


def test_rows_that_come_together_are_those_that_come_one_by_one() -> None:
    alone, together = ScoreTable(), ScoreTable()
    for run, score, model, agent in rows():
        alone.append(run, score, model=model, agent=agent)
    for low, high in ((0, 1), (1, 1), (1, 8), (8, 12)):
        together.extend([row_of(*row) for row in rows()[low:high]])
    assert part_of(alone) == part_of(together)


def test_a_row_that_is_replaced_is_as_one_that_was_added() -> None:
    for run, score, _, _ in rows():
        table, other = ScoreTable(), ScoreTable()
        table.append(RUNS[0], score_run(RUNS[0], Plan()))
        table.replace(0, run, score)
        other.append(run, score)
        assert [bytes(column) for name, column in table.fixed.items() if name not in table.words] == [
            bytes(column) for name, column in other.fixed.items() if name not in other.words
        ]
