"""Filters and orders over the rows."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent_tui.bundles import Bundle, load, masks
from agent_tui.bundles.fields import prepare
from agent_tui.bundles.query import READY_FILTERS, field_names, kept_rows, parse_filter, sorted_rows, two_meanings
from agent_tui.errors import BadExpression, UnknownName
from tests.writing import CYBERTRAVELS, call, run_of, write_bundle


@pytest.fixture(scope="module")
def bundle() -> Bundle:
    return load([CYBERTRAVELS])


def kept(bundle: Bundle, expression: str) -> str:
    return " ".join(bundle.names.name(row) for row in kept_rows(bundle, expression, "exact"))


@pytest.mark.parametrize(
    ("expression", "rows"),
    [
        ("verdict = fail", "R2 R4 R6"),
        ("exact = pass", "R1 R3 R5"),
        ("order-ignored = pass and not exact = pass", "R4"),
        ("cause = wrong_args or cause = order", "R2 R4"),
        ("(cause = order or cause = wrong_tool) and calls >= 2", "R4 R6"),
        ("output = unscoreable", "R5"),
        ("output = wrong", "R2 R4 R6"),
        ("gap = name-only", "R2"),
        ("strictest = order-ignored", "R4"),
        ("output = incorrect", "R2 R4 R6"),
        ("output != FAIL", "R1 R3 R5"),
        ("gap", "R2 R4"),
        ("gap ~ name_only", "R2"),
        ("weak", "R2 R4 R6"),
        ("precision < 1", "R2 R6"),
        ("id ~ r1", "R1"),
        ("berlin", ""),
        ("move", "R4"),
        ("row > 5", "R6"),
        ("matches_reference = no", "R2 R4 R6"),
        ('task = "move-trip"', "R4"),
        ("status != done", ""),
    ],
)
def test_an_expression_keeps_rows(bundle: Bundle, expression: str, rows: str) -> None:
    assert kept(bundle, expression) == rows


@pytest.mark.parametrize("expression", READY_FILTERS.values(), ids=READY_FILTERS)
def test_every_ready_filter_parses(bundle: Bundle, expression: str) -> None:
    assert isinstance(kept(bundle, expression), str)


@pytest.mark.parametrize(
    ("expression", "word"),
    [
        ("", "ends where"),
        ("not", "ends where"),
        ("(exact = pass", "closing bracket"),
        ("exact =", "ends where"),
        ("exact = pass precision", "join with and, or"),
        ("= pass", "a field was expected"),
        ("calls > many", "needs a number"),
        ("exakt = pass", "did you mean exact"),
        ('id = "open', "does not parse"),
        ("exact = fial", "unknown value of exact 'fial': did you mean fail"),
        ("not verdict != passed", "unknown value of verdict 'passed': did you mean pass"),
        ("output = wrnog", "did you mean wrong"),
        ("cause = argument", "wrong_args"),
        ("strictest = exat", "did you mean exact"),
        ("matches_reference = true", "there are no, yes"),
        ("calls = three", "calls is a number"),
        ("gap = fial", "unknown value of gap"),
        ("weak = yes", "unknown value of weak"),
        ("exact < 3", "exact is no number"),
        ("id >= 3", "id is no number"),
        ("errors != few", "errors is a number"),
    ],
)
def test_what_does_not_parse_says_where(bundle: Bundle, expression: str, word: str) -> None:
    with pytest.raises(BadExpression, match=word):
        parse_filter(bundle, expression, "exact")


@pytest.mark.parametrize("word", ["n/a", "unscored", "N/A"])
def test_what_has_no_number_is_asked_for_by_a_word(word: str) -> None:
    scored = load(["tests/cases/02-null-is-not-zero/run.json"])
    assert kept(scored, f"quality = {word}") == "t03 t04 t05"
    assert kept(scored, f"quality != {word}") == "t01 t02 t06"
    assert kept(scored, f"recall = {word}") == "t01 t02 t03 t04 t05 t06"


def test_a_recorded_score_with_the_name_of_a_figure_is_told_apart() -> None:
    scored = load(["tests/cases/03-nan-and-infinity/run.json"])
    assert two_meanings(scored, "f1 < 0.5 and calls = 0") == ["f1"]
    assert two_meanings(scored, "score.f1 < 0.5") == two_meanings(scored, '"f1') == []
    assert kept(scored, "score.f1 < 0.5") == "t05"
    assert "score.f1" in field_names(scored)
    assert len(set(field_names(scored))) == len(field_names(scored))


def test_words_that_differ_only_in_case_are_all_meant(tmp_path: Path) -> None:
    states = ("PASS", "Fail", "Queued", "queued")
    unfinished = [run_of(f"u{n}", [call("a")], [call("a")], status=state) for n, state in enumerate(states)]
    done = [run_of("passes", [call("a")], [call("a")]), run_of("fails", [call("a")], [])]
    bundle = load([write_bundle(tmp_path / "a.json", *unfinished, *done)])
    assert kept(bundle, "exact = pass") == "u0 passes"
    assert kept(bundle, "exact = fail") == "u1 fails"
    assert kept(bundle, "exact = queued") == kept(bundle, "status = QUEUED") == "u2 u3"
    assert kept(bundle, "exact != fail") == "u0 u2 u3 passes"


def test_a_field_alone_keeps_no_run_of_which_it_is_not_known(bundle: Bundle) -> None:
    assert kept(load(["tests/cases/02-null-is-not-zero/run.json"]), "quality") == kept(
        load(["tests/cases/02-null-is-not-zero/run.json"]), "quality != 0 and quality != n/a"
    )
    assert kept(bundle, "output") == "R1 R2 R3 R4 R6"


def test_every_field_filters_and_sorts(bundle: Bundle) -> None:
    for name in field_names(bundle):
        assert len(sorted_rows(bundle, range(6), name, "exact")) == 6
        assert isinstance(kept(bundle, f"{name} ~ x"), str)
        assert isinstance(kept(bundle, f"{name} = n/a"), str)
    with pytest.raises(UnknownName):
        sorted_rows(bundle, range(6), "nothing", "exact")


def test_what_is_not_finished_is_no_failure_under_any_measure(tmp_path: Path) -> None:
    states = ("running", "skipped", "queued", "parked")
    path = write_bundle(tmp_path / "a.json", *(run_of(s, [call("a")], [], status=s) for s in states))
    bundle = load([path])
    assert kept(bundle, "verdict = fail") == kept(bundle, "task_success = fail or output = wrong") == ""
    assert kept(bundle, "exact = parked") == "parked"
    assert kept(bundle, "status != done and status != error") == " ".join(states)


def test_what_was_prepared_in_a_thread_orders_as_before(tmp_path: Path) -> None:
    runs = [run_of(f"r{number * 7919 % 100_003}", task=f"t{number * 31 % 1009}") for number in range(25_000)]
    bundle = load([write_bundle(tmp_path / "runs.json", *runs)])
    orders = {name: sorted_rows(bundle, range(len(bundle)), name, "exact") for name in ("id", "task")}
    prepare(bundle, least=1)
    try:
        assert {name: sorted_rows(bundle, range(len(bundle)), name, "exact") for name in orders} == orders
    finally:
        masks.forget_numpy()
