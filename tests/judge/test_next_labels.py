"""What to label next: how many of which kind, from which runs, in an order that no verdict has a part in."""

from __future__ import annotations

from pathlib import Path

from agent_tui.bundles import Bundle, load
from agent_tui.judge.next_labels import labels_alone, next_to_label, what_to_label_next
from agent_tui.stats.confusion import Confusion
from tests.judge.labelling import answered, labels_of, small_bundle
from tests.writing import write_bundle


def names(bundle: Bundle, rows: tuple[int, ...]) -> list[str]:
    return [bundle.names.name(row) for row in rows]


def test_runs_that_a_person_or_a_check_decided_are_not_offered(tmp_path: Path) -> None:
    runs = [
        answered("open"),
        answered("checked", "140", truth="140"),
        answered("no answer", None),
        answered("running", status="running"),
        answered("errored", error="timeout"),
        answered("own"),
        answered("could not tell"),
        answered("labelled"),
    ]
    labels = {"own": "pass", "could not tell": "undetermined"}
    bundle = load([write_bundle(tmp_path / "runs.json", *runs, human_labels=labels)])
    own = labels_of(bundle)
    own.set(7, "undetermined")
    assert names(bundle, tuple(next_to_label(bundle, own))) == ["open"]


def test_tasks_with_fewer_labels_come_first(tmp_path: Path) -> None:
    runs = [answered("a", task=task, epoch=epoch) for task in ("x", "y") for epoch in range(1, 5)]
    bundle = load([write_bundle(tmp_path / "runs.json", *runs)])
    labels = labels_of(bundle)
    labels.set(0, "pass")
    tasks = [bundle.table.tasks[row] for row in next_to_label(bundle, labels)]
    assert tasks == ["y"] * 4 + ["x"] * 3


def test_the_order_is_the_same_however_the_file_is_sorted_and_is_not_the_order_of_the_file(tmp_path: Path) -> None:
    ids = [f"t{number:02}" for number in range(40)]
    bundles = [small_bundle(tmp_path / name, *order) for name, order in (("a", ids), ("b", ids[::-1]))]
    first, second = (names(bundle, tuple(next_to_label(bundle, labels_of(bundle)))) for bundle in bundles)
    assert first == second
    assert sorted(first) == ids
    assert first not in (ids, ids[::-1])


def test_the_sentence_says_how_many_of_which_kind(tmp_path: Path) -> None:
    bundle = small_bundle(tmp_path, *(f"t{number}" for number in range(30)))
    counts = Confusion(pp=20, pf=0, pu=0, fp=0, ff=12, fu=0)
    assert what_to_label_next(bundle, labels_of(bundle), counts).sentence == "label 2 more wrong answers"


def test_where_too_few_are_left_that_is_said(tmp_path: Path) -> None:
    bundle = small_bundle(tmp_path, "a")
    labels = labels_of(bundle)
    counts = labels_alone(right=9, wrong=13)
    sentence = "label 1 more right answer and 1 more wrong answer"
    assert what_to_label_next(bundle, labels, counts).sentence == f"{sentence}; only 1 run is left to label"
    labels.set(0, "pass")
    assert what_to_label_next(bundle, labels, counts).sentence == f"{sentence}; no run is left to label"


def test_nothing_more_is_asked_for_once_every_bound_is_met(tmp_path: Path) -> None:
    bundle = small_bundle(tmp_path)
    advice = what_to_label_next(bundle, labels_of(bundle), labels_alone(right=30, wrong=20))
    assert advice.sentence == "nothing: every bound is met"
    assert len(advice.rows) == 3
