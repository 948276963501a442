"""The scorecard of many runs: it adds up, whatever the runs are, and edits come to the same as a fresh start."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agent_tui.bundles import Bundle, load
from agent_tui.reports.document import score_document, trials_object
from agent_tui.reports.text import trial_lines
from agent_tui.scoring import MEASURES, ScoreTable, make_scorecard, score_run
from agent_tui.scoring.plan import Plan
from agent_tui.scoring.task_pairs import Rows
from agent_tui.scoring.totals import Totals
from tests.make_run import make_run
from tests.writing import CYBERTRAVELS, call, run_of, write_bundle

CALLS = st.lists(st.sampled_from([call("a"), call("a", x=1), call("b", x=1.0), call("c", x=None)]), max_size=4)
STATUSES = st.sampled_from(["done", "done", "done", "error", "running", "skipped", "queued", "parked"])
SCORES = st.dictionaries(
    st.sampled_from(["success", "reward", "quality"]),
    st.sampled_from([0, 1, 0.5, 1.5, None, "text", True]),
    max_size=3,
)
TRUTHS = st.sampled_from([None, "", "240", "refunded 240", {"regex": "("}, {"not": "240"}, 5])
ANSWERS = st.sampled_from([None, "", "refunded 240.00 EUR", "I cannot say", "2400"])


@st.composite
def runs(draw: st.DrawFn) -> dict[str, Any]:
    """A run of any state, score, expectation and trajectory, as a dict without an id."""
    expected: Any = draw(st.none() | st.fixed_dictionaries({}, optional={"calls": CALLS, "answer": TRUTHS}))
    actual: Any = draw(st.none() | st.fixed_dictionaries({}, optional={"calls": CALLS, "answer": ANSWERS}))
    return {"expected": expected, "actual": actual, "status": draw(STATUSES), "scores": draw(SCORES)}


def named(drawn: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{"id": f"r{number}", **run} for number, run in enumerate(drawn)]


several = st.lists(runs(), min_size=1, max_size=8).map(named)
relaxed = settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])


def same_but_for_edits(bundle: Bundle) -> dict[str, Any]:
    """The score document without what names the file and counts the edits."""
    return {key: value for key, value in score_document(bundle, bundle.scorecard()).items() if key != "bundle"}


@relaxed
@given(drawn=several, planned=st.none() | st.integers(0, 12))
def test_the_ribbon_adds_up_under_every_measure(tmp_path: Path, drawn: list[Any], planned: int | None) -> None:
    bundle = load([write_bundle(tmp_path / "a.json", *drawn, bundle={"planned": planned})])
    for measure in MEASURES:
        card = bundle.scorecard(measure)
        ribbon, tally = card.ribbon, card.tallies[measure]
        ends = ribbon.passed + ribbon.failed + ribbon.errored + ribbon.unscoreable
        rest = ribbon.running + ribbon.skipped + ribbon.queued + sum(ribbon.other.values())
        assert ends + rest == ribbon.total == tally.total == len(drawn)
        assert tally.passed <= tally.scored
        assert ribbon.is_complete == (rest == 0 and len(drawn) >= (planned or 0))


@relaxed
@given(drawn=several)
def test_rates_are_what_their_counts_say(tmp_path: Path, drawn: list[Any]) -> None:
    card = load([write_bundle(tmp_path / "a.json", *drawn)]).scorecard()
    for tally in card.tallies.values():
        assert tally.rate == (tally.passed / tally.scored if tally.scored else None)
        reached = tally.scored + tally.errors
        assert tally.rate_strict == (tally.passed / reached if reached else None)
        assert tally.rate is None or tally.rate_strict <= tally.rate  # type: ignore[operator]
    assert card.output.correct + card.output.incorrect == card.tallies["output"].scored
    assert card.output.unscoreable == card.tallies["output"].unscoreable


@relaxed
@given(drawn=several, other=runs(), place=st.integers(0, 7))
def test_an_edited_run_scores_as_if_it_had_been_recorded_so(
    tmp_path: Path, drawn: list[Any], other: dict[str, Any], place: int
) -> None:
    row = place % len(drawn)
    edited = load([write_bundle(tmp_path / "a.json", *drawn)])
    edited.edit(row, json.dumps({"id": f"r{row}", **other}).encode())
    drawn[row] = {"id": f"r{row}", **other}
    fresh = load([write_bundle(tmp_path / "b.json", *drawn)])
    assert same_but_for_edits(edited) == same_but_for_edits(fresh)
    assert edited.table.states == fresh.table.states


@relaxed
@given(drawn=several, other=runs(), place=st.integers(0, 7))
def test_an_edit_and_its_undo_leave_nothing_behind(
    tmp_path: Path, drawn: list[Any], other: dict[str, Any], place: int
) -> None:
    bundle = load([write_bundle(tmp_path / "a.json", *drawn)])
    before, row = score_document(bundle, bundle.scorecard()), place % len(drawn)
    bundle.edit(row, json.dumps({"id": f"r{row}", **other}).encode())
    bundle.edit(row, bundle.place(row).text)
    assert score_document(bundle, bundle.scorecard()) == before
    assert bundle.edited == 0


def card_of(*made: Any, **options: Any) -> Any:
    table = ScoreTable()
    for run in made:
        table.append(run, score_run(run, Plan()), model=run.model)
    return make_scorecard(table, lambda row: table.ids[row], **options)


def test_the_default_measure_is_exact_where_any_run_has_expected_calls() -> None:
    assert card_of(make_run(actual=[]), make_run(expected=[], actual=[])).measure == "exact"
    assert card_of(make_run(expected=["a"], status="queued")).measure == "exact"
    assert card_of(make_run(actual=["a"], truth="x", answer="x")).measure == "task_success"


def test_trials_are_of_one_task_by_one_model() -> None:
    made = [make_run(actual=[], task="t", model=model, scores={"success": 1.0}) for model in ("a", "a", "b")]
    trials = card_of(*made).trials
    assert (trials["tasks"], trials["unequal"], sorted(trials["pass_hat"])) == (2, True, [1, 2])
    assert trials["pass_hat"][2] == {"value": 1.0, "tasks": 1, "of": 2}


def test_trials_of_many_tasks_are_not_known_before_all_runs_are_read() -> None:
    table = ScoreTable()
    for number in range(4):
        run = make_run(actual=[], task=f"t{number // 2}", scores={"success": 1.0})
        table.append(run, score_run(run, Plan()), model=run.model)
    totals = Totals.of(table)
    totals.has_groups = False
    card = make_scorecard(table, lambda row: table.ids[row], totals=totals)
    assert card.trials is None
    assert trials_object(card) == {"tasks": None, "unequal": None, "pass_hat": {}, "pass_at": {}}
    assert list(trial_lines(card)) == ["", "trials not yet known: runs are still read"]
    totals.count_alike(partial(Rows.of, table))
    known = make_scorecard(table, lambda row: table.ids[row], totals=totals).trials
    assert known is not None
    assert known["tasks"] == 2


def test_trials_of_very_many_groups_wait_for_the_last_run() -> None:
    table = ScoreTable()
    for number in range(2000):
        run = make_run(actual=[], id=f"r{number}", task=f"t{number}", scores={"success": 1.0})
        table.append(run, score_run(run, Plan()), model=run.model)
    totals = Totals.of(table)
    reading = make_scorecard(table, lambda row: table.ids[row], totals=totals, is_whole=False)
    whole = make_scorecard(table, lambda row: table.ids[row], totals=totals)
    assert (reading.trials, whole.trials and whole.trials["tasks"]) == (None, 2000)


def test_weak_paths_are_failed_off_the_path_or_redundant() -> None:
    made = [
        make_run(["a"], ["a"], id="fine", truth="x", answer="x"),
        make_run(["a"], ["b"], id="off", truth="x", answer="x"),
        make_run(["a"], ["b"], id="unknown success"),
        make_run(["a"], ["a"], id="failed", truth="x", answer="y"),
        make_run(["a"], ["a", "a"], id="twice", truth="x", answer="x"),
        make_run(["a"], ["b", "b"], id="running", status="running"),
    ]
    weak = {path.run: path.reasons for path in card_of(*made).weak_paths}
    assert weak == {
        "off": ("off the reference path",),
        "unknown success": ("off the reference path",),
        "failed": ("failed",),
        "twice": ("off the reference path", "repeated a call"),
    }


def test_weak_paths_stay_as_they_were_when_the_scorecard_was_made() -> None:
    bundle = load([CYBERTRAVELS])
    before = bundle.scorecard().weak_paths
    told = list(before)
    bundle.edit(0, bundle.record(0).replace(b'"refund"', b'"request_approval"', 1))
    assert list(before) == told
    assert before[-1] == told[-1]
    assert before[:2] == told[:2]
    assert bundle.scorecard().weak_paths != before


def test_a_headline_never_stands_without_its_denominators() -> None:
    card = load([CYBERTRAVELS]).scorecard()
    assert card.headline.startswith("exact 3/6 = 0.500; name_only 4/6 = 0.667; order_ignored 4/6 = 0.667; output 2/5")
    assert card_of(make_run(expected=["a"], actual=["a"], error="x")).headline.startswith("exact 0/0 = n/a (1 errored)")


def test_figures_are_averaged_over_those_that_have_them() -> None:
    made = [
        make_run(["a"], ["a"]),
        make_run([], ["a"]),
        make_run(["a"], None),
        make_run(None, ["a"]),
        make_run(["a"], ["a"], status="queued"),
    ]
    mean = card_of(*made).means["recall"]
    assert (mean.mean, mean.scored, mean.vacuous, mean.errors, mean.unscoreable) == (1.0, 1, 1, 1, 1)


@pytest.mark.parametrize(("rates", "value"), [({"success": 1.0}, 1.0), ({"success": 0.0}, 0.0)])
def test_a_grade_weighs_the_levels(rates: dict[str, float], value: float) -> None:
    weights = {"task_success": 1.0, "trajectory_quality": 0.0}
    assert card_of(make_run(actual=[], scores=rates), weights=weights).grade.value == value


def test_means_of_recorded_scores_leave_out_what_lies_outside(tmp_path: Path) -> None:
    made = [run_of(f"r{n}", scores={"q": q}) for n, q in enumerate([1, 0, 0.5, 1.5, -0.25, 40])]
    bundle = load([write_bundle(tmp_path / "a.json", *made)])
    (score,) = bundle.scorecard().scores.values()
    assert (score.mean, score.n, score.total) == (0.5, 3, 6)
    assert score.unscored == dict.fromkeys(("r3", "r4", "r5"), "not usable")
    assert bundle.table.score(5, "q") == 40


def test_means_of_recorded_scores_do_not_invent_any(tmp_path: Path) -> None:
    made = [run_of(f"r{n}", scores=s) for n, s in enumerate([{"q": 1}, {}, {"q": None}, {"q": "x"}, {"q": False}])]
    (score,) = load([write_bundle(tmp_path / "a.json", *made)]).scorecard().scores.values()
    assert (score.mean, score.n, score.total) == (0.5, 2, 5)
    assert score.unscored == {"r1": "absent", "r2": "null", "r3": "not a number"}
