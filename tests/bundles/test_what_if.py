"""Changes of a bundle: what noticed them, undo without limit, and the same figures as scoring it all again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agent_tui.bundles import Bundle, load
from agent_tui.bundles.ledger import Change
from agent_tui.bundles.what_if import WhatIf, path_of, set_value
from agent_tui.bundles.write import bundle_lines, write_bundle
from agent_tui.errors import BadEdit
from agent_tui.readers.call_edits import add_call, duplicate_call, move_call, remove_call
from agent_tui.readers.call_places import actual_base, actual_places, answer_place, expected_base, expected_places
from agent_tui.runs.edits import Edit, Move, Remove, SetValue, creating
from agent_tui.scoring import make_scorecard
from agent_tui.scoring.counts import COUNTED
from tests.writing import CYBERTRAVELS, DOCENT, SAMPLES, call, run_of
from tests.writing import write_bundle as write_runs

AMOUNT = set_value("expected.calls[1].args.amount", "1400")
SAMPLE_FILES = ["cybertravels.json", "docent.json", "travel-chat.jsonl", "travel-inspect.eval"]


def why(change: Change) -> dict[str, str]:
    return {each.measure: each.why for each in change.noticed}


def moved(change: Change) -> set[str]:
    return {each.measure for each in change.noticed if each.moved}


def rates(change: Change) -> dict[str, tuple[int, int]]:
    return {each.measure: (each.after.passed, each.after.scored) for each in change.noticed}


def test_the_published_flip_and_its_reasons() -> None:
    what_if = WhatIf(load([CYBERTRAVELS]))
    change = what_if.change(1, AMOUNT)
    after = rates(change)
    assert (after["exact"], after["name_only"], after["order_ignored"]) == ((4, 6), (4, 6), (5, 6))
    assert after["output"] == (2, 5)
    assert why(change)["exact"] == "R2: fail → pass"
    assert why(change)["name_only"] == "did not notice: it already passed R2"
    assert why(change)["output"] == "did not notice: the trajectory changed, not the truth"
    assert change.runs == ("R2",)


def test_the_published_duplicate_of_docents_first_search() -> None:
    bundle = load([DOCENT])
    row = bundle.find("oos-mongo")
    change = WhatIf(bundle).change(row, duplicate_call(actual_places(bundle.record(row))[0]))
    figures = {each.figure: (each.before, round(each.after or 0, 2)) for each in change.figures}
    assert figures.keys() == {"calls", "redundancy", "query_quality"}
    assert (figures["calls"], figures["redundancy"], figures["query_quality"][1]) == ((3, 4), (0, 1), 0.48)
    assert moved(change) == {"redundancy"}
    assert why(change)["redundancy"] == "oos-mongo: 0 → 1"
    assert bundle.table.fact(row, "matches_reference") is False


def test_swapped_calls_are_noticed_only_where_order_is_compared() -> None:
    bundle = load([CYBERTRAVELS])
    edits = move_call(bundle.record(0), actual_places(bundle.record(0)), 0, 1)
    change = WhatIf(bundle).change(0, *edits)
    assert moved(change) == {"exact", "exact_groups", "name_only", "in_order", "trajectory_quality"}
    assert why(change)["order_ignored"] == (
        "did not notice: it still passes R1: it compares names and arguments, not order"
    )
    assert why(change)["redundancy"] == "did not notice: R1 repeats no call"


@pytest.mark.parametrize(
    ("path", "value", "measure", "reason"),
    [
        ("actual.answer", '"no idea"', "exact", "the answer changed, not the trajectory"),
        ("expected.answer", '"refunded 9"', "exact", "the truth changed, not the trajectory"),
        ("metadata", "{}", "output", "the truth is unchanged"),
        ("metadata", "{}", "exact", "the trajectory is unchanged"),
        ("actual.calls[1].args.amount", "7", "exact", "it still fails R2"),
        ("expected.answer", '"refunded 9"', "output", "it still fails R2"),
        ("actual.calls[1].args.amount", "7", "required_tools", "nothing is known to judge R2 by"),
    ],
)
def test_what_did_not_notice_says_why(path: str, value: str, measure: str, reason: str) -> None:
    change = WhatIf(load([CYBERTRAVELS])).change(1, set_value(path, value))
    assert why(change)[measure] == f"did not notice: {reason}"


def test_undo_and_redo_go_there_and_back_and_say_what_noticed() -> None:
    bundle = load([CYBERTRAVELS])
    what_if = WhatIf(bundle)
    before, changed = bundle.record(1), what_if.change(1, AMOUNT)
    undone = what_if.undo()
    assert undone is not None
    assert [each.why for each in undone.noticed if each.measure == "exact"] == ["R2: pass → fail"]
    assert (bundle.record(1), bundle.edited, what_if.position) == (before, 0, 0)
    assert what_if.redo() == changed.effect
    assert what_if.redo() is None
    assert (what_if.undo() is None, what_if.undo()) == (False, None)


def test_a_change_after_undo_forgets_what_was_undone() -> None:
    what_if = WhatIf(load([CYBERTRAVELS]))
    what_if.change(1, AMOUNT)
    what_if.change(0, Remove(path_of("actual.calls[0]")))
    what_if.undo()
    what_if.change(2, set_value("actual.answer", '"x"'))
    assert [change.runs for change in what_if.ledger] == [("R2",), ("R3",)]
    assert (what_if.ledger.undone, what_if.position) == ((), 2)


def test_the_ledger_is_gone_through_in_both_directions() -> None:
    bundle = load([CYBERTRAVELS])
    what_if, records = WhatIf(bundle), [bundle.record(1)]
    for amount in (1, 2, 3, 4):
        what_if.change(1, set_value("expected.calls[1].args.amount", str(amount)))
        records.append(bundle.record(1))
    for position in (1, 4, 0, 3, 2):
        what_if.go_to(position)
        assert (bundle.record(1), what_if.position) == (records[position], position)
    what_if.revert_all()
    assert (bundle.record(1), len(what_if.ledger)) == (records[0], 4)
    with pytest.raises(BadEdit, match="there is no change 5: there are 4"):
        what_if.go_to(5)


def test_all_changes_together_are_told_against_what_was_recorded() -> None:
    what_if = WhatIf(load([CYBERTRAVELS]))
    what_if.change(1, set_value("expected.calls[1].args.amount", "1"))
    what_if.change(1, AMOUNT)
    together = {each.measure: each for each in what_if.effect().noticed}
    assert (together["exact"].moved, together["exact"].before.passed, together["exact"].after.passed) == (("R2",), 3, 4)
    what_if.revert_all()
    assert all(not each.moved and each.before == each.after for each in what_if.effect().noticed)


@pytest.mark.parametrize(
    ("edits", "says"),
    [
        ([set_value("actual.calls", '"none"')], "R2 would be no run any more"),
        ([AMOUNT, set_value("actual.cals[0]", "1")], "actual.cals is not there"),
        ([AMOUNT, SetValue(("metadata",), b"{")], "is not JSON"),
        ([AMOUNT, Move(path_of("actual.calls[0]"), 9)], "cannot be moved by"),
        ([set_value("task", '"another"')], "task says which run it is"),
        ([], "a change needs an edit"),
    ],
)
def test_a_bad_change_says_what_is_wrong_and_changes_nothing(edits: list[Edit], says: str) -> None:
    bundle = load([CYBERTRAVELS])
    what_if = WhatIf(bundle)
    states, records = bytes(bundle.table.states), [bundle.record(row) for row in range(6)]
    with pytest.raises(BadEdit, match=says):
        what_if.change(1, *edits)
    assert (bytes(bundle.table.states), [bundle.record(row) for row in range(6)]) == (states, records)
    assert (len(what_if.ledger), bundle.edited, what_if.last) == (0, 0, None)


def test_nothing_is_changed_while_the_bundle_is_read(tmp_path: Path) -> None:
    with pytest.raises(BadEdit, match="still being read"):
        WhatIf(Bundle()).change(0, AMOUNT)


@st.composite
def some_edit(draw: st.DrawFn, bundle: Bundle, row: int) -> list[Edit]:
    """Something that a person does at the keys: a value, a call twice, away, elsewhere, a new one; either side."""
    record = bundle.record(row)
    actual = draw(st.booleans())
    places = actual_places(record) if actual else expected_places(record)
    base = actual_base(record) if actual else expected_base(record)
    kind = draw(st.sampled_from(["add", "answer", "truth", "score", "value", "name", "twice", "away", "move"]))
    if kind == "answer":
        return [creating(record, answer_place(record), draw(st.sampled_from([b'"refunded 140"', b'"no"'])))]
    if kind == "score":
        return [set_value("scores", draw(st.sampled_from(['{"success": 1}', '{"q": 0.5}', "null"])))]
    if kind == "truth" or not places:
        truth = draw(st.sampled_from([b'{"answer": "refunded 140"}', b'{"calls": []}', b"null"]))
        return [SetValue(("expected",), truth)]
    number = draw(st.integers(0, len(places) - 1))
    place = places[number]
    if kind == "name":
        return [SetValue(place.name, draw(st.sampled_from([b'"refund"', b'"look"'])))]
    if kind == "value":
        return [SetValue(place.args, draw(st.sampled_from([b"{}", b'{"query": "rate limit"}', b'"{\\"id\\": 1}"'])))]
    if kind == "move" and len(places) > 1:
        by = 1 if number == 0 else -1
        return list(move_call(record, places, number, by)) if _alike(places, number, by) else [remove_call(place)]
    edits = {"twice": duplicate_call(place), "away": remove_call(place)}
    return [edits.get(kind) or add_call(record, place, base, "look")]


def _alike(places: list, number: int, by: int) -> bool:  # type: ignore[type-arg]
    return places[number].holder == places[number + by].holder


def same_as_scored_again(bundle: Bundle, folder: Path) -> None:
    """What is shown is what one gets who writes the bundle and opens it."""
    written = folder / "again.jsonl"
    write_bundle(bundle, written, replace=True)
    again = load([str(written)])
    card, afresh = bundle.scorecard(), make_scorecard(bundle.table, bundle.names.name, planned=bundle.planned)
    assert again.table.states == bundle.table.states
    assert [again.score(row) for row in range(len(again))] == [bundle.score(row) for row in range(len(bundle))]
    assert (card.tallies, card.means, card.trials, card.weak_paths) == (
        afresh.tallies,
        afresh.means,
        afresh.trials,
        afresh.weak_paths,
    )
    assert again.scorecard().tallies == card.tallies
    assert again.scorecard().means == card.means


@pytest.mark.parametrize("name", SAMPLE_FILES)
@settings(max_examples=25, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_any_changes_and_undos_end_where_they_should(name: str, data: st.DataObject, tmp_path: Path) -> None:
    bundle = load([str(SAMPLES / name)])
    first, recorded = b"".join(bundle_lines(bundle)), bundle.scorecard()
    what_if = WhatIf(bundle)
    shown = [[bundle.record(row) for row in range(len(bundle))]]
    for _ in range(data.draw(st.integers(1, 8))):
        step = data.draw(st.sampled_from(["change", "change", "undo", "redo", "go"]))
        if step == "change":
            row = data.draw(st.integers(0, len(bundle) - 1))
            what_if.change(row, *data.draw(some_edit(bundle, row)))
            shown[what_if.position :] = [[bundle.record(each) for each in range(len(bundle))]]
        elif step == "go":
            what_if.go_to(data.draw(st.integers(0, len(what_if.ledger))))
        else:
            _ = what_if.undo() if step == "undo" else what_if.redo()
        assert [bundle.record(row) for row in range(len(bundle))] == shown[what_if.position]
    effect, card = what_if.effect(), bundle.scorecard()
    for noticed in effect.noticed[:-1]:
        ours, whole = noticed.after, card.tallies[noticed.measure]
        assert (ours.passed, ours.scored, ours.total) == (whole.passed, whole.scored, whole.total)
    same_as_scored_again(bundle, tmp_path)
    what_if.revert_all()
    assert b"".join(bundle_lines(bundle)) == first
    assert bundle.scorecard() == recorded


def test_a_change_says_of_every_measure_whether_it_noticed(tmp_path: Path) -> None:
    path = write_runs(tmp_path / "a.json", run_of("a", [call("x")], [call("x"), call("x")]), run_of("b"))
    change = WhatIf(load([path])).change(0, Remove(path_of("actual.calls[1]")))
    assert tuple(each.measure for each in change.noticed) == COUNTED
    redundancy = change.noticed[-1]
    assert (redundancy.before.passed, redundancy.before.scored) == (0, 1)
    assert (redundancy.after.passed, redundancy.moved, redundancy.why) == (1, ("a",), "a: 1 → 0")
    assert all(each.compares and each.before.total == 2 for each in change.noticed)


def test_a_repeated_score_name_and_the_scores_follow(tmp_path: Path) -> None:
    bundle = load([write_runs(tmp_path / "a.json", run_of("a", scores={"odd": 1}), run_of("b"))])
    what_if = WhatIf(bundle)
    what_if.change(0, set_value("scores", json.dumps({"new": 0})))
    assert list(bundle.scorecard().scores) == ["new"]
    what_if.undo()
    assert list(bundle.scorecard().scores) == ["odd"]


def test_changes_made_elsewhere_are_made_again_the_undone_ones_too() -> None:
    what_if, again = WhatIf(load([CYBERTRAVELS])), WhatIf(load([CYBERTRAVELS]))
    what_if.change(1, AMOUNT)
    what_if.change(0, *move_call(what_if.bundle.record(0), actual_places(what_if.bundle.record(0)), 0, 1))
    what_if.change(2, Remove(path_of("actual.answer")))
    what_if.undo()
    again.make_again(what_if.ledger)
    assert ([again.bundle.record(row) for row in range(6)], again.position) == (
        [what_if.bundle.record(row) for row in range(6)],
        2,
    )
    assert again.effect() == what_if.effect()
    again.redo()
    assert again.bundle.is_edited(2)


def test_changes_of_runs_that_are_others_are_not_made_by_half(tmp_path: Path) -> None:
    files = [
        write_runs(tmp_path / f"{answer}.json", run_of("a", answer="x"), run_of("b", answer=answer)) for answer in "yz"
    ]
    what_if, again = (WhatIf(load([file])) for file in files)
    for row in (0, 1):
        what_if.change(row, Remove(path_of("actual.answer")))
    with pytest.raises(BadEdit, match="b: what was changed is not there any more"):
        again.make_again(what_if.ledger)
    assert (again.bundle.edited, len(again.ledger)) == (0, 0)
