"""`score`: the published figures, the contract's keys, gates and weights."""

from __future__ import annotations

import json
from typing import Any

import pytest

from agent_tui.bundles import load
from agent_tui.scoring import MEASURES
from tests.cli.conftest import Runs
from tests.writing import CYBERTRAVELS, DOCENT, call, case_files, run_of, write_bundle

CONTRACT = ("tool_call_accuracy", "output_accuracy", "judge", "judge_validation", "headline", "not_measured")
STATES = {"pass", "fail", "n/a", "error"}
RUN_KEYS = {
    *("id", "task", "epoch", "status", "calls", "errors", "matchers", "cause", "first_difference", "strictest"),
    *("output", "levels", "pairs", "redundancy_detail", "notes"),
}
TALLY_KEYS = {"passed", "scored", "errors", "unscoreable", "vacuous", "rate", "low", "high", "rate_strict"}


def test_cybertravels_gives_the_published_figures(agent_tui: Runs) -> None:
    document = agent_tui("score", CYBERTRAVELS, "--json").document
    accuracy = {"exact": 0.5, "name_only": 0.667, "order_ignored": 0.667, "n": 6}
    assert document["tool_call_accuracy"] == accuracy
    output = document["output_accuracy"]
    assert (output["correct"], output["incorrect"], output["unscoreable"], output["accuracy"]) == (2, 3, 1, 0.4)
    assert (output["errors"], output["check_errors"]) == (0, 0)
    assert {"cost", "latency", "whether the task should have been attempted at all"} <= set(document["not_measured"])


def test_the_text_stands_in_the_published_order(agent_tui: Runs) -> None:
    text = agent_tui("score", CYBERTRAVELS).out
    places = [text.index(part) for part in ("tool calls", "+.167", ".400 over 5", "Neither number needed a model.")]
    assert places == sorted(places)
    assert "  name_only                   4/6  .667   .30–.90   +.167" in text
    assert "exact: 3 pass + 3 fail + 0 errored = 6 runs; 6/6 finished" in text


@pytest.mark.parametrize("number", [None, "01", "03", "09", "11", "14", "19", "23"])
def test_the_contract_keys_and_shapes_always_stand(agent_tui: Runs, number: str | None) -> None:
    document = agent_tui("score", CYBERTRAVELS if number is None else case_files(number)[0], "--json").document
    assert document["schema"] == "agent-tui/score-1"
    assert set(CONTRACT) <= set(document)
    assert document["judge"] == []
    nobody = {"labelled_n": 0, "agreement": None, "false_pass": 0, "false_fail": 0}
    assert document["judge_validation"] == nobody
    assert {"id", "name", "runs", "digest", "files", "skipped"} <= set(document["bundle"])
    assert all(set(row) >= RUN_KEYS and set(row["matchers"].values()) - {None} for row in document["runs"])
    tallies = [document["matchers"][name] for name in MEASURES[:9]] + [document["output"], *document["levels"].values()]
    assert all(set(tally) >= TALLY_KEYS for tally in tallies)


@pytest.mark.parametrize("number", ["01", "05", "09", "19", "23"])
def test_every_tally_adds_up_and_agrees_with_its_rows(agent_tui: Runs, number: str) -> None:
    document = agent_tui("score", case_files(number)[0], "--json").document
    for name in MEASURES[:9]:
        tally, words = document["matchers"][name], [row["matchers"][name] for row in document["runs"]]
        assert set(words) <= STATES
        assert (tally["passed"], tally["scored"], tally["errors"]) == (
            words.count("pass"),
            words.count("pass") + words.count("fail"),
            words.count("error"),
        )
        left_out = tally["unscoreable"] + tally["vacuous"] + tally["check_errors"] + tally["not_finished"]
        assert left_out == words.count("n/a")


def test_a_rate_over_nothing_is_null_and_n_a(agent_tui: Runs, tmp_path: Any) -> None:
    path = write_bundle(tmp_path / "a.json", run_of("a"))
    document = agent_tui("score", path, "--json").document
    assert document["tool_call_accuracy"] == {"exact": None, "name_only": None, "order_ignored": None, "n": 0}
    assert document["output_accuracy"]["accuracy"] is None
    for tally in (*document["levels"].values(), document["output"], document["matchers"]["exact"]):
        assert (tally["rate"], tally["rate_strict"], tally["low"], tally["high"]) == (None, None, None, None)
    assert all(document["matchers"][name]["mean"] is None for name in ("precision", "recall", "f1", "alignment"))
    assert " n/a over 0" in agent_tui("score", path).out


def test_the_json_says_what_the_bundle_and_its_scorecard_hold(agent_tui: Runs) -> None:
    document, bundle = agent_tui("score", CYBERTRAVELS, "--json").document, load([CYBERTRAVELS])
    card = bundle.scorecard()
    for name, tally in card.tallies.items():
        printed = {**document["matchers"], **document["levels"], "output": document["output"]}[name]
        assert (printed["passed"], printed["scored"], printed["rate"]) == (tally.passed, tally.scored, tally.rate)
        assert (printed["low"], printed["high"]) == (
            (tally.interval.low, tally.interval.high) if tally.interval else (None, None)
        )
    assert [row["matchers"]["exact"] for row in document["runs"]] == [
        bundle.table.state(row, "exact").word for row in range(6)
    ]


def test_the_same_bundle_twice_gives_the_same_text(agent_tui: Runs) -> None:
    for form in ("--json", "--md", "--csv", "--junit", "--color=never"):
        assert agent_tui("score", DOCENT, form).out == agent_tui("score", DOCENT, form).out


@pytest.mark.parametrize("measure", MEASURES)
def test_the_ribbon_follows_the_active_measure(agent_tui: Runs, measure: str) -> None:
    ribbon = agent_tui("score", CYBERTRAVELS, "--json", "--matcher", measure).document["ribbon"]
    parts = ("passed", "failed", "errored", "unscoreable", "running", "skipped", "queued")
    assert ribbon["measure"] == measure
    assert sum(ribbon[part] for part in parts) + sum(ribbon["other"].values()) == ribbon["total"] == 6
    assert ribbon["planned"] == 6


def test_an_alias_of_a_matcher_is_its_name(agent_tui: Runs) -> None:
    asked = agent_tui("score", CYBERTRAVELS, "--json", "--matcher", "unordered")
    assert asked.document["ribbon"]["measure"] == "order_ignored"


GATES = [
    ("exact=0.5", 0, "exact 3/6 (errored runs count as not passed) = 0.500 >= 0.5"),
    ("exact=0.51", 1, "= 0.500 < 0.51"),
    ("unordered=0.6", 0, "order_ignored 4/6"),
    ("output=0.4", 0, "output 2/5"),
    ("task_success=0.5", 1, "task_success 2/5"),
    ("trajectory_quality=0.5", 0, "trajectory_quality 3/6"),
    ("required_tools=0", 1, "not enough, n = 0 and 1 needed"),
]


@pytest.mark.parametrize(("gate", "status", "sentence"), GATES)
def test_a_gate_says_its_numbers_and_decides_the_exit(agent_tui: Runs, gate: str, status: int, sentence: str) -> None:
    ran = agent_tui("score", CYBERTRAVELS, "--fail-under", gate)
    assert ran.status == status
    assert sentence in ran.err
    assert ("gate not met" in ran.err) is bool(status)
    assert ran.out.startswith("CyberTravels")


def test_a_gate_over_too_few_runs_does_not_pass(agent_tui: Runs) -> None:
    assert agent_tui("score", CYBERTRAVELS, "--fail-under", "exact=0", "--min-n", "6").status == 0
    ran = agent_tui("score", CYBERTRAVELS, "--fail-under", "exact=0", "--min-n", "7")
    assert (ran.status, "not enough, n = 6 and 7 needed" in ran.err) == (1, True)


def test_a_gate_on_an_unfinished_run_says_so(agent_tui: Runs, tmp_path: Any) -> None:
    (parked,) = case_files("23")
    ran = agent_tui("score", parked, "--fail-under", "task_success=0")
    assert (ran.status, "not finished, 5 of 8 runs are" in ran.err) == (1, True)
    few = write_bundle(tmp_path / "few.json", run_of("a", scores={"success": 1}), bundle={"planned": 2})
    ran = agent_tui("score", few, "--fail-under", "task_success=1")
    assert (ran.status, "not finished, 1 of 2 runs are" in ran.err) == (1, True)


def test_one_file_does_not_make_up_for_runs_that_another_lacks(agent_tui: Runs, tmp_path: Any) -> None:
    runs = [run_of(f"r{n}", scores={"success": 1}) for n in range(6)]
    few = write_bundle(tmp_path / "few.json", *runs[:1], bundle={"planned": 3})
    many = write_bundle(tmp_path / "many.json", *runs[1:])
    ran = agent_tui("score", few, many, "--fail-under", "task_success=1")
    assert (ran.status, "not finished, 6 of 8 runs are" in ran.err) == (1, True)


def test_every_gate_must_be_met(agent_tui: Runs) -> None:
    ran = agent_tui("score", CYBERTRAVELS, "--fail-under", "exact=0.5", "--fail-under", "output=0.9")
    assert ran.status == 1
    assert [line.split(":")[0] for line in ran.err.splitlines()] == ["gate met", "agent-tui"]


def test_strict_asks_for_checks_that_work(agent_tui: Runs, tmp_path: Any) -> None:
    path = write_bundle(tmp_path / "a.json", run_of("a", truth={"regex": "("}, answer="x"))
    assert agent_tui("score", path).status == 0
    ran = agent_tui("score", path, "--strict")
    assert (ran.status, ran.err) == (1, "agent-tui: --strict: broken checks in 1 run\n")


def test_two_weightings_grade_the_same_runs_differently(agent_tui: Runs) -> None:
    heavy = {"success": "success=.8,tools=.1,trajectory=.1", "way": "success=.1,tools=.1,trajectory=.8"}
    grades = {k: agent_tui("score", DOCENT, "--json", "--weights", w).document["grade"] for k, w in heavy.items()}
    assert grades["success"]["value"] == pytest.approx(0.8 + 0.1 + 0.1 * 0.75)
    assert grades["way"]["value"] == pytest.approx(0.1 + 0.1 + 0.8 * 0.75)
    assert sum(grades["way"]["weights"].values()) == pytest.approx(1)
    text = agent_tui("score", DOCENT, "--weights", heavy["way"]).out
    (line,) = [line for line in text.splitlines() if "overall grade" in line]
    assert (
        line.split(maxsplit=2)[2]
        == ".800   weights: task_success 0.1, tool_call_correctness 0.1, trajectory_quality 0.8"
    )


def test_a_level_that_is_n_a_makes_the_grade_n_a(agent_tui: Runs, tmp_path: Any) -> None:
    path = write_bundle(tmp_path / "a.json", run_of("a", [call("x")], [call("x")]))
    command = ["score", path, "--json", "--weights"]
    assert agent_tui(*command, "success=.5,tools=.5").document["grade"]["value"] is None
    assert agent_tui(*command, "tools=.5,trajectory=.5").document["grade"]["value"] == 1.0
    assert "grade" not in agent_tui("score", path, "--json").document


@pytest.mark.parametrize(("passed", "of", "span"), [(9, 10, ".60–.98"), (10, 10, ".72–1.00"), (50, 100, ".40–.60")])
def test_wilsons_interval_stands_beside_the_rate(
    agent_tui: Runs, tmp_path: Any, passed: int, of: int, span: str
) -> None:
    runs = [run_of(f"r{n}", scores={"success": n < passed}) for n in range(of)]
    text = agent_tui("score", write_bundle(tmp_path / "a.json", *runs)).out
    (line,) = [line for line in text.splitlines() if line.startswith("  task_success")]
    assert f"{passed}/{of}" in line
    assert span in line


def test_few_tasks_with_epochs_get_words_for_an_interval(agent_tui: Runs) -> None:
    (path,) = case_files("04")
    text = agent_tui("score", path).out
    assert "  no intervals for runs clustered by task: too few tasks (3, needs 10)" in text
    success = agent_tui("score", path, "--json").document["levels"]["task_success"]
    assert (success["low"], success["interval"]) == (None, "too few tasks (3, needs 10)")


def test_numbers_that_came_with_the_bundle_stand_beside_ours(agent_tui: Runs, tmp_path: Any) -> None:
    runs = [run_of(f"r{n}", scores={"success": n < 3}) for n in range(4)]
    head = {"stored": {"task_success": 0.75, "success": 0.9, "elo": 1200}}
    document = agent_tui("score", write_bundle(tmp_path / "a.json", *runs, bundle=head), "--json").document
    compared = [(each["name"], each["theirs"], each["ours"], each["agrees"]) for each in document["stored"]]
    assert compared == [
        ("task_success", 0.75, 0.75, True),
        ("success", 0.9, 0.75, False),
        ("elo", 1200.0, None, None),
    ]
    assert document["findings"] == ["success: the bundle says 0.900, ours is 0.750 (mean over 4 of 4): differs"]


def test_json_on_standard_output_is_printable(agent_tui: Runs) -> None:
    out = agent_tui("score", case_files("14")[0], "--json").out
    assert out.endswith("}\n")
    assert all(character.isprintable() or character == "\n" for character in out)
    assert json.loads(out)["runs"][0]["id"].startswith("t1\x1b]0;")
