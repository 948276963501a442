"""Totals are the same, whichever way the rows came into them: at once, in parts under other numbers, or by edits."""

from __future__ import annotations

import json
from functools import partial
from random import Random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from agent_tui.readers import decode_run
from agent_tui.runs import Run
from agent_tui.scoring import MEASURES, ScoreTable, make_scorecard, score_run
from agent_tui.scoring.counts import COUNTED, Counts, seen
from agent_tui.scoring.plan import Plan
from agent_tui.scoring.task_pairs import others_of
from agent_tui.scoring.totals import Totals, facts_of
from tests.make_run import make_run
from tests.writing import call, run_of


def table_of(*runs: Run) -> ScoreTable:
    table = ScoreTable()
    for run in runs:
        put(table, run)
    return table


def put(table: ScoreTable, run: Run, row: int | None = None) -> None:
    score = score_run(run, Plan())
    if row is None:
        table.append(run, score, model=run.model)
    else:
        table.replace(row, run, score)


def odd_run(number: int, *, edited: bool = False) -> Run:
    """One of many different runs; an edited one keeps its identity."""
    random = Random(f"{number} {edited}")
    calls = [call(random.choice("abc"), n=random.randrange(3)) for _ in range(random.randrange(4))]
    did = random.choice([calls, calls[::-1], calls[:-1], [*calls, *calls[-1:]], None])
    scores: Any = random.choice([{}, {"success": random.choice([0, 1, None, "x"])}, {"q": random.random(), "far": 7}])
    more: dict[str, Any] = {"status": random.choice(["done", "done", "done", "running", "error", "odd"])}
    made = run_of(f"r{number}", expected=random.choice([calls, None]), actual=did, scores=scores, **more)
    made |= {"task": f"t{number % 5}", "model": f"m{number % 2}"}
    if random.random() < 0.3:
        made["expected"] = {**(made.get("expected") or {}), "answer": "yes"}
        made["answer"] = random.choice(["yes", "no", ""])
    return decode_run(json.dumps(made).encode())


def facts(totals: Totals) -> dict[str, Any]:
    """Everything that totals say."""
    said = {name: value for name, value in vars(totals).items() if name != "memory"}
    said["trials"] = {who: outcomes for who, outcomes in totals.trials.items() if outcomes}
    for name in ("pending", "repeating"):
        said[name] = {key: count for key, count in said[name].items() if count}
    return said


NUMBERS = st.lists(st.integers(0, 500), min_size=1, max_size=30)


@given(numbers=NUMBERS, cut=st.integers(0, 30))
def test_parts_add_up_whatever_numbers_their_words_have(numbers: list[int], cut: int) -> None:
    runs = [odd_run(number) for number in numbers]
    whole = table_of(*runs)
    summed = Totals()
    for part in (table_of(*runs[:cut]), table_of(*runs[cut:])):
        codes = {name: [whole.words[name].code_of[word] for word in words.words] for name, words in part.words.items()}
        summed.merge(Totals.of(part), codes, len(whole.tasks.words))
    assert facts(summed) == facts(Totals.of(whole))


@given(numbers=NUMBERS, edits=st.lists(st.tuples(st.integers(0, 99), st.booleans()), max_size=8))
def test_edits_move_the_totals_and_the_scorecard_to_where_they_are_afresh(
    numbers: list[int], edits: list[tuple[int, bool]]
) -> None:
    table = table_of(*map(odd_run, numbers))
    totals = Totals.of(table)
    make_scorecard(table, lambda row: table.ids[row], totals=totals)
    for at, edited in edits:
        row = at % len(numbers)
        was = facts_of(table, row)
        put(table, odd_run(numbers[row], edited=edited), row)
        totals.move(was, facts_of(table, row), partial(others_of, table, row))
        kept = make_scorecard(table, lambda row: table.ids[row], totals=totals)
        assert kept == make_scorecard(table, lambda row: table.ids[row])
    afresh = Totals.of(table)
    for name in table.scores:  # a score that no row has any more is not in the table either
        assert totals.scores[name] == afresh.scores[name]
    totals.scores = afresh.scores
    assert facts(totals) == facts(afresh)


def test_what_did_not_change_is_the_same_value() -> None:
    table = table_of(make_run(["a"], ["a"], id="r0", task="t0"), make_run(["a"], ["b"], id="r1", task="t0"))
    totals = Totals.of(table)
    before = make_scorecard(table, lambda row: table.ids[row], totals=totals)
    was = facts_of(table, 1)
    put(table, make_run(["a"], ["b", "c"], id="r1", task="t0"), 1)
    totals.move(was, facts_of(table, 1), partial(others_of, table, 1))
    after = make_scorecard(table, lambda row: table.ids[row], totals=totals)
    assert after.tallies["exact"] is before.tallies["exact"]


def test_running_counts_are_those_of_the_whole_table() -> None:
    table = table_of(*(make_run(["a"], [name], id=f"r{n}", task=f"t{n // 2}") for n, name in enumerate("aba")))
    counts, was = Counts(Totals.of(table)), seen(table, 1)
    put(table, make_run(["a"], ["a", "a"], id="r1", task="t0"), 1)
    counts.move(was, seen(table, 1))
    assert counts.tallies == Counts(Totals.of(table)).tallies
    card = make_scorecard(table, lambda row: table.ids[row])
    for measure in MEASURES:
        ours, whole = counts.tallies[measure], card.tallies[measure]
        assert (ours.passed, ours.scored, ours.errors) == (whole.passed, whole.scored, whole.errors)
    assert tuple(counts.tallies) == COUNTED
    assert (counts.tallies["redundancy"].passed, counts.tallies["redundancy"].scored) == (2, 3)
