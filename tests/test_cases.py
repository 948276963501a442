"""The collected cases, as their `Expect` blocks say: what other viewers and scorers got wrong."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from agent_tui.bundles import Bundle, load
from agent_tui.bundles.query import kept_rows, sorted_rows
from agent_tui.bundles.search import search
from agent_tui.cli import run
from agent_tui.matchers import match_mode, parse_rules
from agent_tui.reports.document import score_document
from agent_tui.reports.json_text import json_text
from agent_tui.reports.text import score_text
from agent_tui.reports.trajectory import show_text
from agent_tui.runs import State, Step
from agent_tui.scoring.gate import parse_gate
from agent_tui.stats import pass_at, pass_hat
from tests.writing import CASES, case_files, expectation

NAMES = {"names_any_order": "order_ignored+args_ignore", "contains": "any_order", "within": "subset"}
ALL = ("exact", "name_only", "order_ignored", "names_any_order", "in_order", "contains", "within")


def opened(number: str) -> tuple[Bundle, dict[str, Any], dict[str, Any]]:
    """A case as a bundle, its score document, and what it expects."""
    bundle = load(case_files(number))
    return bundle, score_document(bundle, bundle.scorecard()), expectation(number)


def verdict(bundle: Bundle, run_id: str, name: str) -> str:
    return match_mode(bundle.run(bundle.find(run_id)), NAMES.get(name, name)).word


def rows(document: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {row["id"]: row for row in document["runs"]}


def kept(bundle: Bundle, expression: str) -> list[str]:
    return [bundle.names.name(row) for row in kept_rows(bundle, expression, "exact")]


def by_quality(bundle: Bundle, *, descending: bool) -> list[str]:
    order = sorted_rows(bundle, range(len(bundle)), "quality", "exact", descending=descending)
    return [bundle.names.name(row) for row in order]


def test_01_errored_runs_stand_beside_the_rate_and_in_the_strict_one() -> None:
    bundle, document, expected = opened("01")
    success = document["levels"]["task_success"]
    assert (bundle.scorecard().ribbon.total, success["scored"]) == (expected["total"], expected["scored"])
    assert (success["passed"], success["errors"]) == (expected["passed"], expected["errored"])
    assert (success["rate"], success["rate_strict"]) == (expected["rate_over_scored"], expected["rate_over_all"])
    assert "2 errored (strict .600)" in score_text(bundle, bundle.scorecard())


def test_01_the_gate_takes_the_strict_rate_and_says_so() -> None:
    bundle, _, expected = opened("01")
    said = parse_gate("task_success=0.70").verdict(bundle.scorecard(), 1)
    assert (said.met, expected["gate_at_0.70_default"]) == (False, "closed")
    assert said.text == "task_success 6/10 (errored runs count as not passed) = 0.600 < 0.7"


def test_02_missing_scores_are_named_with_their_reason() -> None:
    _, document, expected = opened("02")
    assert document["scores"]["quality"] == {key: expected[key] for key in ("mean", "n", "total", "unscored")}
    assert rows(document)["t02"]["scores"] == {"quality": {"value": 0.0}}


def test_02_missing_scores_sort_last_both_ways_and_pass_no_filter() -> None:
    bundle, _, expected = opened("02")
    for descending, key in ((False, "sort_asc"), (True, "sort_desc")):
        order = by_quality(bundle, descending=descending)
        assert (order[:3], set(order[3:])) == (expected[key], set(expected["unscored"]))
    assert kept(bundle, "quality < 0.6") == expected["filter_lt_0.6"]
    assert kept(bundle, "quality = unscored") == list(expected["unscored"])


def test_03_what_is_not_finite_is_counted_and_exported_as_null_with_the_reason() -> None:
    _, document, expected = opened("03")
    score = document["scores"]["f1"]
    assert (score["mean"], score["n"], score["total"]) == (pytest.approx(expected["mean"]), 2, expected["total"])
    assert score["unscored"] == dict.fromkeys(expected["not_usable"], "not usable")
    assert score["n"] + len(score["unscored"]) == score["total"]
    text = json.loads(json_text(document))
    assert [row["scores"]["f1"].get("not_usable") for row in text["runs"]] == [None, "NaN", "inf", "-inf", None]


def test_04_a_task_with_too_few_trials_is_left_out_and_counted() -> None:
    bundle, document, expected = opened("04")
    trials, wanted = document["trials"], expected["pass_hat"]
    assert [round(trials["pass_hat"][k]["value"], 4) for k in ("1", "2")] == [wanted["1"], wanted["2"]]
    assert trials["pass_hat"]["4"] == wanted["4"]
    assert trials["unequal"] is True
    text = score_text(bundle, bundle.scorecard())
    assert "unequal numbers of trials" in text
    assert "2 of 3 tasks" in text
    assert (round(pass_hat(4, 2, 2) or 0, 4), round(pass_at(4, 2, 2) or 0, 4)) == (0.1667, 0.8333)
    assert (pass_hat(2, 2, 4), expected["c_pass_hat_4"]) == (None, "n/a")


def test_05_equal_calls_are_not_one_call() -> None:
    bundle, document, expected = opened("05")
    assert {verdict(bundle, "t1", name) for name in ALL} == {expected["t1"]["all"]}
    for task in ("t2", "t3"):
        assert [name for name in ALL if verdict(bundle, task, name) == "pass"] == [
            name for name in ALL if name in expected[task]["pass"]
        ]
        assert {verdict(bundle, task, name) for name in expected[task]["fail"]} == {"fail"}
    assert "1 of 2" in str(rows(document)["t2"]["first_difference"]) + str(rows(document)["t2"]["notes"])


def test_06_the_pairing_is_the_same_however_the_reference_is_listed() -> None:
    bundle, document, expected = opened("06")
    tools = {call.name for row in range(len(bundle)) for call in bundle.run(row).calls or ()}
    rules = parse_rules({"tools": {tool: {"extra_args": "allow"} for tool in tools}})
    loose = load(case_files("06"), rules=rules)
    for task in ("t1", "t2"):
        assert loose.table.state(loose.find(task), "any_order").word == expected["contains_partial_args"][task]
        assert rows(document)[task]["matchers"]["any_order"] == expected["contains_exact_args"][task]
        assert sorted(loose.explain(loose.find(task)).pairs) == sorted(map(tuple, expected[f"pairs_{task}"]))
        assert rows(document)[task]["cause"] == "wrong_args"


def test_07_retries_stay_within_one_and_are_called_retries() -> None:
    bundle, document, expected = opened("07")
    for task, row in rows(document).items():
        figures, wanted = row["matchers"], expected[task]
        assert (figures["recall"], round(figures["precision"], 4)) == (wanted["recall"], wanted["precision"])
        assert {verdict(bundle, task, name) for name in wanted["pass"]} == {"pass"}
        assert {verdict(bundle, task, name) for name in ("exact", "name_only", "order_ignored", "within")} == {"fail"}
    assert rows(document)["t1"]["redundancy_detail"]["retries"] == expected["t1"]["retries"]


def test_08_arguments_as_text_are_read_and_what_is_no_json_is_said() -> None:
    _, document, expected = opened("08")
    found = rows(document)
    assert len(found) == expected["rows"]
    assert found["t1"]["matchers"]["exact"] == expected["t1"]["exact"]
    assert expected["t2"]["diff_note"] in str(found["t2"]["first_difference"])
    assert [found["t3"]["matchers"][name] for name in ("name_only", "exact")] == ["pass", "fail"]
    assert expected["t3"]["note"] in str(found["t3"]["first_difference"]) + str(found["t3"]["notes"])


def test_09_empty_absent_and_unrecorded_are_three_things() -> None:
    bundle, document, expected = opened("09")
    exact, found = document["matchers"]["exact"], rows(document)
    assert {task: row["matchers"]["exact"] for task, row in found.items()} == expected["exact"]
    assert (exact["scored"], exact["passed"]) == (expected["evaluated"], expected["passed"])
    assert (exact["unscoreable"], exact["errors"]) == (len(expected["na"]), len(expected["no_trajectory"]))
    vacuous = [[task, name] for task in ("t1", "t2") for name in ("contains", "in_order")]
    assert expected["vacuous"] == vacuous
    assert all(NAMES.get(name, name) in found[task]["vacuous"] for task, name in vacuous)
    assert {verdict(bundle, "t4", name) for name in ALL} == {"error"}


def test_10_a_cut_off_line_is_told_and_strict_is_not_content(capsys: pytest.CaptureFixture[str]) -> None:
    bundle, document, expected = opened("10")
    assert [(skip["line"], skip["kind"]) for skip in document["bundle"]["skipped"]] == [
        (problem["line"], problem["kind"]) for problem in expected["problems"]
    ]
    assert (len(bundle), run(["score", *case_files("10")])) == (1, 0)
    assert "messages.jsonl:9: incomplete line of 52 bytes" in capsys.readouterr().err
    assert run(["score", "--strict", *case_files("10")]) == 1


def test_11_bad_lines_and_unknown_records_are_counted_apart() -> None:
    bundle, document, expected = opened("11")
    assert [skip["line"] for skip in document["bundle"]["skipped"]] == expected["bad_lines"]
    unknown = [note["line"] for note in document["bundle"]["problems"] if note["kind"] == "unknown_record"]
    assert unknown == expected["unknown_records"]
    assert bundle.steps(0)[-1].text == expected["last_message"]


def flat(steps: list[Step]) -> list[Step]:
    return [inner for step in steps for inner in (flat(step.steps) if step.steps else [step])]


def test_12_calls_and_results_without_a_partner_are_marked() -> None:
    bundle, document, expected = opened("12")
    steps = flat(bundle.steps(0))
    calls = [step for step in steps if step.type == "call"]
    alone = [step for step in steps if step.note == "result without a call"]
    assert [call.name for call in calls] == expected["call_names"]
    assert document["runs"][0]["calls"] == expected["calls"]
    assert len([call for call in calls if "no result" not in (call.note or "")]) + len(alone) == expected["results"]
    assert [step.call_id or "(no id)" for step in alone] == expected["results_without_call"]
    shown = show_text(bundle, 0)
    assert shown.count("[result without a call]") == 2
    assert shown.count("no result]") == len(expected["calls_without_result"])


def test_13_brackets_are_shown_as_they_are_and_found_literally() -> None:
    bundle, document, expected = opened("13")
    shown = score_text(bundle, bundle.scorecard()) + "".join(show_text(bundle, row) for row in range(len(bundle)))
    assert all(literal in shown for literal in expected["literal"])
    hits = list(search(bundle, "[/INST]"))
    assert len(hits) == expected["search_hits"]["[/INST]"]
    assert [row["id"] for row in document["runs"]] == ["t[/]", "t2 [dim]"]


def test_14_control_sequences_are_marks_that_are_counted() -> None:
    bundle, document, expected = opened("14")
    assert len(document["runs"]) == expected["tasks"]
    shown = show_text(bundle, 0)
    assert not {chr(int(code, 16)) for code in expected["bytes_never_on_stdout_from_data"]} & set(shown)
    assert "start␛]52;c;" in shown
    assert "(12 control sequences)" in shown
    assert json.loads(json_text(document))["runs"][0]["id"] == bundle.run(0).id == "t1\x1b]0;owned\x07"


def test_19_rows_under_one_id_stay_rows_with_names_of_their_own() -> None:
    bundle, document, expected = opened("19")
    names = [row["id"] for row in document["runs"]]
    assert (len(names), len(set(names))) == (expected["rows"], expected["rows"])
    assert document["clashes"] == expected["clashes"]
    assert document["levels"]["task_success"]["rate"] == pytest.approx(expected["mean_over_rows"], abs=1e-4)
    assert [bundle.find(name) for name in names] == list(range(6))
    epochs = {row["task"] for row in document["runs"] if row["epoch"] > 1}
    assert sorted(epochs) == expected["tasks_with_epochs"]


def test_22_words_reasoning_and_calls_of_one_message_are_kept_and_searched() -> None:
    bundle, _, expected = opened("22")
    steps = flat(bundle.steps(0))
    assert [call.name for call in bundle.run(0).calls or ()] == expected["calls"]
    assert [step.type for step in steps].count("reasoning") == expected["reasoning_blocks"]
    (hit,) = search(bundle, "NOT issued")
    assert hit.part == "result"
    assert "NOT issued" in show_text(bundle, 0)


def test_23_finished_is_not_passed_and_the_gate_says_not_finished() -> None:
    bundle, document, expected = opened("23")
    ribbon, success = document["ribbon"], document["levels"]["task_success"]
    assert {key: ribbon[key] for key in ("passed", "running", "skipped", "other", "planned")} == {
        key: expected[key] for key in ("passed", "running", "skipped", "other", "planned")
    }
    assert success["scored"] == expected["finished"] == bundle.scorecard().ribbon.finished
    assert "5/8 finished" in score_text(bundle, bundle.scorecard())
    said = parse_gate("task_success=0.1").verdict(bundle.scorecard(), 1)
    assert (said.met, expected["gate"] in said.text) == (False, True)
    assert kept(bundle, "task_success = fail") == ["t5"]


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The large inputs, made anew: they are too big to be kept."""
    folder = tmp_path_factory.mktemp("large")
    (script,) = CASES.glob("24-*/make_input.py")
    subprocess.run([sys.executable, str(script), str(folder)], check=True, capture_output=True)
    return folder


def test_24_a_wide_bundle_counts_right(large: Path) -> None:
    expected = expectation("24")["wide"]
    bundle = load([str(large / "wide.json")])
    passed = {name: tally.passed for name, tally in bundle.scorecard().tallies.items()}
    assert len(bundle) == expected["tasks"]
    for name in ("exact", "order_ignored", "name_only", "contains"):
        assert passed[NAMES.get(name, name)] == expected[f"{name}_pass"]


def test_24_a_deep_run_is_whole_and_searched_to_its_end(large: Path) -> None:
    expected = expectation("24")["deep"]
    bundle = load([str(large / "deep.jsonl")])
    lines = (large / "deep.jsonl").read_bytes().count(b"\n")
    assert (lines, len(bundle), bundle.losses) == (expected["messages"], 1, [])
    assert len(list(search(bundle, "needle-19876"))) == expected["search"]["needle-19876"]


def test_24_fat_messages_are_all_there(large: Path) -> None:
    bundle = load([str(large / "fat.jsonl")])
    assert [step.type for step in bundle.steps(0)] == ["message", "result", "message"]
    assert len(bundle.steps(0)) == expectation("24")["fat"]["messages"]
    assert bundle.table.state(0, "exact") is State.NOT_KNOWN
