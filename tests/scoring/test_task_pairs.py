"""Many tasks are counted by how many are alike: the scorecard is that of tasks counted each."""

from __future__ import annotations

from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_tui.bundles import masks
from agent_tui.scoring import MEASURES, ScoreTable, make_scorecard
from agent_tui.scoring.packed_totals import packed, unpacked
from agent_tui.scoring.tally import interval
from agent_tui.scoring.task_pairs import Rows, TaskPairs, others_of
from agent_tui.scoring.totals import Totals, facts_of
from agent_tui.stats import clustered, clustered_pairs, trials, trials_of_pairs
from tests.make_run import make_run
from tests.scoring.test_totals import NUMBERS, odd_run, put, table_of


def counted_alike(table: ScoreTable) -> Totals:
    """The totals of a table as they are where there are too many tasks to count each."""
    totals = Totals.of(table)
    totals.has_groups = False
    totals.count_alike(partial(Rows.of, table))
    return totals


def card_of(table: ScoreTable, totals: Totals) -> object:
    return make_scorecard(table, table.ids.__getitem__, totals=totals)


@given(numbers=NUMBERS)
def test_tasks_counted_alike_give_the_scorecard_of_tasks_counted_each(numbers: list[int]) -> None:
    table = table_of(*map(odd_run, numbers))
    assert card_of(table, counted_alike(table)) == card_of(table, Totals.of(table))


@given(numbers=NUMBERS, edits=st.lists(st.tuples(st.integers(0, 99), st.booleans()), max_size=8))
def test_edits_move_how_many_tasks_are_alike(numbers: list[int], edits: list[tuple[int, bool]]) -> None:
    table = table_of(*map(odd_run, numbers))
    totals = counted_alike(table)
    for at, edited in edits:
        row = at % len(numbers)
        was = facts_of(table, row)
        put(table, odd_run(numbers[row], edited=edited), row)
        totals.move(was, facts_of(table, row), partial(others_of, table, row))
    assert totals.pairs == TaskPairs.of(Rows.of(table))


@given(numbers=NUMBERS)
def test_what_is_alike_comes_back_from_its_bytes(numbers: list[int]) -> None:
    totals = counted_alike(table_of(*map(odd_run, numbers)))
    assert unpacked(packed(totals)).pairs == totals.pairs


@given(numbers=NUMBERS)
def test_numpy_counts_the_same_tasks_alike(numbers: list[int]) -> None:
    rows = Rows.of(table_of(*map(odd_run, numbers)))
    masks.load_numpy()
    try:
        with_numpy = TaskPairs.of(rows, masks.pairs_of)
    finally:
        masks.forget_numpy()
    assert with_numpy == TaskPairs.of(rows)


def test_more_rows_take_back_how_many_are_alike() -> None:
    table = table_of(make_run(["a"], ["a"], id="r0", task="t0"))
    totals = counted_alike(table)
    put(table, make_run(["a"], ["b"], id="r1", task="t0"))
    totals.add_rows(table, 1, 2)
    assert totals.pairs is None
    waiting = make_scorecard(table, table.ids.__getitem__, totals=totals).tallies["exact"]
    assert (waiting.passed, waiting.scored) == (1, 2)
    assert waiting.interval is not None
    assert (waiting.interval.low, "once all runs are read" in waiting.interval.method) == (None, True)


def test_the_order_in_which_tasks_came_changes_no_bit_of_an_interval() -> None:
    groups = {f"t{n}": [(n * 7 + k) % 3 > 0 for k in range(1 + n % 5)] for n in range(60)}
    pairs = [(len(runs), sum(runs)) for runs in groups.values()]
    forth, back = ({pair: pairs.count(pair) for pair in each} for each in (pairs, pairs[::-1]))
    assert clustered_pairs(forth) == clustered_pairs(back) == clustered(groups)
    assert trials_of_pairs(forth) == trials_of_pairs(back) == trials(groups)


def test_every_measure_has_its_pairs() -> None:
    pairs = TaskPairs.of(Rows.of(table_of(make_run(["a"], ["a"]))))
    assert tuple(pairs.measures) == MEASURES


@pytest.mark.parametrize(("many", "told"), [(1, "78.2"), (1_000, "80,000")])
def test_an_effective_number_of_runs_is_told_in_parts_only_where_it_is_small(many: int, told: str) -> None:
    found = interval({(2, 1): 20 * many, (2, 2): 11 * many, (2, 0): 9 * many}, 42 * many, 80 * many)
    assert found is not None
    assert found.method.endswith(f"effective n {told}")
