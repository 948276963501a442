"""Parts of a scorecard are made anew only where what they are made of is another."""

from __future__ import annotations

from agent_tui.scoring import MEASURES, ScoreTable, make_scorecard, score_run
from agent_tui.scoring.counts import COUNTED, Counts, seen
from agent_tui.scoring.plan import Plan
from agent_tui.scoring.remembered import Remembered
from tests.make_run import make_run


def table_of(*passing: bool) -> ScoreTable:
    table = ScoreTable()
    for number, is_right in enumerate(passing):
        put(table, make_run(["a"], ["a"] if is_right else ["b"], id=f"r{number}", task=f"t{number // 2}"))
    return table


def put(table: ScoreTable, run, row: int | None = None) -> None:  # type: ignore[no-untyped-def]
    score = score_run(run, Plan())
    table.append(run, score) if row is None else table.replace(row, run, score)


def test_a_part_is_made_again_only_for_other_material() -> None:
    remembered, made = Remembered(), []
    for material in (b"one", b"one", b"two", b"one"):
        remembered.get("part", material, lambda: made.append(1))
    assert len(made) == 3


def test_a_remembered_scorecard_is_the_one_made_afresh() -> None:
    table, remembered = table_of(True, False, True, True, False), Remembered()
    for answer in ("a", "b", "a"):
        put(table, make_run(["a"], [answer], id="r1", task="t0"), 1)
        kept = make_scorecard(table, lambda row: table.ids[row], remembered=remembered)
        assert kept == make_scorecard(table, lambda row: table.ids[row])


def test_what_did_not_change_is_the_same_value() -> None:
    table, remembered = table_of(True, False), Remembered()
    before = make_scorecard(table, lambda row: table.ids[row], remembered=remembered)
    put(table, make_run(["a"], ["b", "c"], id="r1", task="t0"), 1)
    after = make_scorecard(table, lambda row: table.ids[row], remembered=remembered)
    assert after.tallies["exact"] is before.tallies["exact"]
    assert after.means["recall"] is before.means["recall"]
    assert after.means["precision"] is not before.means["precision"] or after.means == before.means


def test_running_counts_are_those_of_the_whole_table() -> None:
    table = table_of(True, False, True)
    counts, was = Counts(table), seen(table, 1)
    put(table, make_run(["a"], ["a", "a"], id="r1", task="t0"), 1)
    counts.move(was, seen(table, 1))
    assert counts.tallies == Counts(table).tallies
    card = make_scorecard(table, lambda row: table.ids[row])
    for measure in MEASURES:
        ours, whole = counts.tallies[measure], card.tallies[measure]
        assert (ours.passed, ours.scored, ours.errors) == (whole.passed, whole.scored, whole.errors)
    assert tuple(counts.tallies) == COUNTED
    assert (counts.tallies["redundancy"].passed, counts.tallies["redundancy"].scored) == (2, 3)
