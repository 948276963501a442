"""Where each number on the scorecard comes from: formula, every run behind it, what was left out and why."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent_tui.bundles import load
from agent_tui.tui.present.about import About, measure
from agent_tui.tui.present.provenance import FORMULAS, Provenance, provenance
from agent_tui.tui.present.scorecard import scorecard_lines
from agent_tui.tui.session import Session
from agent_tui.tui.theme import UNICODE
from tests.tui.opened import CYBERTRAVELS, bundle_of, call, made_run, write_bundle

FILES = (
    CYBERTRAVELS, "sample_runs/docent.json", "sample_runs/travel-chat.jsonl", "sample_runs/travel-inspect.eval",
    "tests/cases/23-finished-is-not-passed/run.json", "tests/cases/02-null-is-not-zero/run.json",
    "tests/cases/01-errored-out-of-the-average/run.json", "tests/cases/04-pass-hat-k-with-too-few-trials/run.json",
)  # fmt: skip
WEIGHTS = {"task_success": 0.6, "tool_call_correctness": 0.2, "trajectory_quality": 0.2}


def session_on(path: str) -> Session:
    bundle = load([path])
    return Session(bundle, measure=bundle.scorecard().measure, weights=WEIGHTS)


def told_of(session: Session, about: About) -> Provenance:
    return provenance(session.bundle, session.card, about)


def lines_of(session: Session, about: About) -> list[str]:
    told = told_of(session, about)
    return [told.line(number).plain for number in range(told.count)]


@pytest.mark.parametrize("file", FILES)
def test_every_number_has_a_page(file: str) -> None:
    session = session_on(file)
    shown = scorecard_lines(session, 40, UNICODE)
    for line in shown.stops:
        about = shown.about[line]
        assert about is not None
        assert len(lines_of(session, about)) > 4
        assert about.title


@pytest.mark.parametrize("file", FILES)
def test_every_line_with_a_number_is_a_stop_or_belongs_to_one(file: str) -> None:
    shown = scorecard_lines(session_on(file), 60, UNICODE)
    kinds = {about.kind for about in shown.about if about is not None}
    assert {"measure", "output", "truths", "weak", "grade", "ribbon"} <= kinds


@pytest.mark.parametrize("kind", ["measure", "ribbon"])
@pytest.mark.parametrize("file", FILES)
def test_a_measure_and_the_ribbon_name_every_run_once(file: str, kind: str) -> None:
    session = session_on(file)
    abouts = {about for about in scorecard_lines(session, 40, UNICODE).about if about is not None}
    for about in abouts:
        if about.kind == kind:
            told = told_of(session, about)
            rows = [row for line in range(told.count) if (row := told.row(line)) is not None]
            assert sorted(rows) == list(range(len(session.bundle)))
            assert kind == "ribbon" or about.name in FORMULAS


def test_a_recorded_score_lists_its_values_and_why_others_have_none() -> None:
    lines = lines_of(session_on("tests/cases/02-null-is-not-zero/run.json"), About("score", "quality"))
    assert lines[0] == "number     .500, mean over 3 of 6 runs"
    assert "         0  t02" in lines
    for reason, run in (("null", "t03"), ("absent", "t04"), ("not a number", "t05")):
        assert lines[lines.index(f"left out: {reason} (1)") + 1].strip() == run


def test_nan_and_infinity_are_shown_as_such() -> None:
    lines = lines_of(session_on("tests/cases/03-nan-and-infinity/run.json"), About("score", "f1"))
    at = lines.index("left out: not usable (3)")
    assert [line.split() for line in lines[at + 1 : at + 4]] == [["t02", "NaN"], ["t03", "inf"], ["t04", "-inf"]]
    assert lines[0] == "number     .600, mean over 2 of 5 runs"


def test_scores_outside_0_to_1_are_left_out_with_their_number(tmp_path: Path) -> None:
    runs = [{"id": f"r{n}", "scores": {"q": q}} for n, q in enumerate([1, 1.5, -3])]
    lines = lines_of(session_on(write_bundle(tmp_path, *runs)), About("score", "q"))
    assert lines[0] == "number     1.000, mean over 1 of 3 runs"
    at = lines.index("left out: not usable (2)")
    assert [line.split() for line in lines[at + 1 : at + 3]] == [["r1", "1.5"], ["r2", "-3"]]


def test_trials_show_n_and_c_and_both_values_of_every_task() -> None:
    session = session_on("tests/cases/04-pass-hat-k-with-too-few-trials/run.json")
    two, four = (lines_of(session, About("trials", k)) for k in ("2", "4"))
    assert "b 4 2 .167 .833" in [" ".join(line.split()) for line in two]
    assert "c 2 2 n/a n/a" in [" ".join(line.split()) for line in four]
    assert "pass^4     .500, mean over 2 of 3 tasks" in four


def test_unscoreable_answers_lead_to_their_runs() -> None:
    session = session_on(CYBERTRAVELS)
    told = told_of(session, About("output", "unscoreable"))
    assert [row for line in range(told.count) if (row := told.row(line)) is not None] == [4]
    assert "no truth is recorded" in told.line(4).plain


def test_weak_paths_have_their_reasons() -> None:
    lines = lines_of(session_on(CYBERTRAVELS), About("weak"))
    assert any("R2" in line and "failed" in line for line in lines)


def test_a_grade_is_weights_times_rates() -> None:
    lines = lines_of(session_on(CYBERTRAVELS), About("grade"))
    assert any("0.6 x .400 (2/5) = .240" in line for line in lines)


def test_a_stored_figure_stands_beside_ours(tmp_path: Path) -> None:
    bundle = bundle_of(tmp_path, made_run("a", [call("x")], [call("x")], scores={"success": 0.5}))
    session = Session(bundle, measure="exact")
    session.bundle.sources[0].fields["bundle"] = b'{"stored": {"exact": 0.25}}'  # type: ignore[index]
    text = "\n".join(lines_of(session, About("stored")))
    for words in ("theirs     .250", "ours       1.000", "over       1/1 runs", "differ: a finding"):
        assert words in text
    assert "theirs     .250" in "\n".join(lines_of(session, About("finding", "0")))


def test_a_million_runs_are_drawn_only_where_they_are_seen(tmp_path: Path) -> None:
    bundle = bundle_of(tmp_path, *(made_run(f"t{number}", scores={"q": number % 2}) for number in range(3000)))
    drawn: list[int] = []
    told = provenance(bundle, bundle.scorecard(), About("score", "q"))
    name = bundle.names.name
    bundle.names.name = lambda row: drawn.append(row) or name(row)  # type: ignore[method-assign, func-returns-value]
    told.line(told.count // 2)
    assert len(drawn) == 1


def test_a_name_with_controls_stays_a_line() -> None:
    session = session_on("tests/cases/14-terminal-control-sequences/run.json")
    assert all(line.isprintable() for line in lines_of(session, measure("exact")))
