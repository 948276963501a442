"""Reports are well-formed, say what the scorecard says, and keep foreign text literal."""

from __future__ import annotations

import csv
import io
import json
import re
import xml.etree.ElementTree as ET
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_tui.bundles import Bundle, load
from agent_tui.errors import NotPossible
from agent_tui.reports import figures
from agent_tui.reports.csv_rows import score_csv
from agent_tui.reports.document import score_members
from agent_tui.reports.json_text import json_pieces, json_text
from agent_tui.reports.junit import score_junit
from agent_tui.reports.markdown import cell, score_markdown
from agent_tui.reports.strict_values import strict_record, strict_value
from agent_tui.reports.text import score_text
from agent_tui.scoring import MEASURES
from tests.writing import CYBERTRAVELS, call, case_files, run_of, write_bundle


@pytest.fixture(scope="module")
def bundle() -> Bundle:
    return load([CYBERTRAVELS])


def table_of(bundle: Bundle) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO("".join(score_csv(bundle, bundle.scorecard())))))


def test_csv_has_a_line_a_run_with_every_verdict(bundle: Bundle) -> None:
    rows = table_of(bundle)
    assert [row["run"] for row in rows] == ["R1", "R2", "R3", "R4", "R5", "R6"]
    for number, row in enumerate(rows):
        assert {name: row[name] for name in MEASURES} == {
            name: bundle.table.state(number, name).word for name in MEASURES
        }
    assert rows[1]["alignment"] == "0.75"


def test_text_says_beside_each_mean_what_is_left_out(tmp_path: Path) -> None:
    called, nothing = run_of("a", expected=[call("x")], actual=[call("x")]), run_of("b", actual=[call("x")])
    idle, ended = run_of("c", expected=[call("x")], actual=[]), run_of("d", expected=[call("x")], status="error")
    opened = load([write_bundle(tmp_path / "a.json", called, nothing, idle, ended)])
    lines = [line for line in score_text(opened, opened.scorecard()).splitlines() if "mean" in line]
    assert [line.split() for line in lines[:2]] == [
        ["precision", "n=1", "1.000", "mean", "1", "errored", "1", "unscoreable", "1", "vacuous"],
        ["recall", "n=2", ".500", "mean", "1", "errored", "1", "unscoreable"],
    ]


def test_text_has_its_columns_below_each_other_however_many_runs(tmp_path: Path) -> None:
    runs = (run_of(f"r{n}", expected=[call("x")], actual=[call("x")]) for n in range(10_000))
    opened = load([write_bundle(tmp_path / "a.json", *runs)])
    lines = score_text(opened, opened.scorecard()).splitlines()
    (head,) = (line for line in lines if line.startswith("tool calls"))
    rates = {line.index("1.000") for line in lines if re.match(r"  (exact|recall|trajectory_quality) ", line)}
    assert rates == {head.index("rate")}


def test_csv_leaves_what_is_not_known_empty() -> None:
    rows = table_of(load(case_files("02")))
    assert [row["score.quality"] for row in rows] == ["1", "0", "null", "absent", "not a number", "0.5"]
    assert {row["precision"] for row in rows} == {""}


@pytest.mark.parametrize("start", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", " =1", "＝1", "\r=1"])
def test_csv_holds_no_formula(tmp_path: Path, start: str) -> None:
    run = run_of(start, scores={start: start}, task=start, model=start, agent=start, status="done")
    rows = table_of(load([write_bundle(tmp_path / "a.json", run)]))
    cells = [rows[0][name] for name in ("run", "task", "model", "agent")]
    assert not any(re.match(r"\s*[=+\-@＝]", value) for value in cells)
    assert not any(re.match(r"\s*[=+\-@＝]", name) for name in rows[0])


def test_csv_text_with_commas_quotes_and_lines_is_one_cell(tmp_path: Path) -> None:
    odd = 'a,"b"\nc'
    (row,) = table_of(load([write_bundle(tmp_path / "a.json", run_of(odd))]))
    assert row["run"] == 'a,"b"⏎c'


def test_junit_has_a_case_a_run_and_counts_that_agree(bundle: Bundle) -> None:
    for measure in ("exact", "output", "task_success"):
        root = ET.fromstring("".join(score_junit(bundle, bundle.scorecard(measure))))
        (suite,) = root
        ends = [tag for case in suite for tag in [case[0].tag if len(case) else "passed"]]
        counts = {name: int(suite.get(name) or -1) for name in ("tests", "failures", "errors", "skipped")}
        assert counts == {
            "tests": 6,
            "failures": ends.count("failure"),
            "errors": ends.count("error"),
            "skipped": ends.count("skipped"),
        }
        assert root.attrib == {name: str(value) for name, value in counts.items()}


def test_junit_says_why(bundle: Bundle) -> None:
    suite = ET.fromstring("".join(score_junit(bundle, bundle.scorecard())))[0]
    assert suite[1][0].get("message") == "call 2 refund: amount expected 140, got 1400"
    output = ET.fromstring("".join(score_junit(bundle, bundle.scorecard("output"))))[0]
    assert (output[1][0].get("message") or "").startswith("1400.00 is not 140")
    assert [case[0].get("message") for case in output if case.find("skipped") is not None] == ["n/a"]


CALLS = [call("a", x=1), call("b", x=1), call("c")]
WHY_NOT = {
    "name_only": ([call("a", x=2), call("z", x=1), call("c")], "call 2 b: missing"),
    "order_ignored": ([call("a", x=2), call("b", x=1), call("c")], "call 1 a: x expected 1, got 2"),
    "in_order": ([call("a", x=1), call("b", x=2), call("c"), call("d")], "call 2 b: x expected 1, got 2"),
    "any_order": ([call("c"), call("b", x=1), call("d")], "call 1 a: missing"),
    "subset": ([call("c"), call("z"), call("b", x=1)], "call 2 z: not expected"),
    "tool_call_correctness": ([call("a", x=1), call("c")], "b: not called"),
    "trajectory_quality": ([*CALLS, call("d")], "call 4 d: not expected"),
    "required_tools": ([call("a", x=2)], "required tool c: called 0 of 1 times"),
    "forbidden_tools": ([call("a", x=2), call("z")], "call 2 z: forbidden"),
}


@pytest.mark.parametrize("measure", WHY_NOT)
def test_junit_gives_the_reason_of_its_measure(tmp_path: Path, measure: str) -> None:
    made, why = WHY_NOT[measure]
    run = run_of("r", CALLS, made)
    run["expected"] |= {"required_tools": ["c"], "forbidden_tools": ["z"]}
    opened = load([write_bundle(tmp_path / "a.json", run)])
    suite = ET.fromstring("".join(score_junit(opened, opened.scorecard(measure))))[0]
    assert suite[0][0].get("message") == why


def test_junit_says_that_a_recorded_score_failed_a_run(tmp_path: Path) -> None:
    opened = load([write_bundle(tmp_path / "a.json", run_of("r", scores={"success": 0}))])
    suite = ET.fromstring("".join(score_junit(opened, opened.scorecard("task_success"))))[0]
    assert suite[0][0].get("message") == "the recorded score says so"


@pytest.mark.parametrize(
    ("measure", "why"),
    [
        ("output", "not a regular expression"),
        ("exact", "both calls and any"),
        ("forbidden_tools", "nothing to compare"),
    ],
)
def test_junit_says_why_a_check_cannot_tell(tmp_path: Path, measure: str, why: str) -> None:
    run = run_of("r", [call("a")], [call("a")], truth={"regex": "("}, answer="x")
    run["expected"] |= {"any": [], "forbidden_tools": [{"name": "a", "args": {"x": {"number": {}}}}]}
    opened = load([write_bundle(tmp_path / "a.json", run)])
    (skipped,) = ET.fromstring("".join(score_junit(opened, opened.scorecard(measure))))[0][0]
    message = skipped.get("message") or ""
    assert (skipped.tag, message.startswith("check_error: "), why in message) == ("skipped", True, True)


def test_junit_tells_errors_and_what_is_not_finished_apart() -> None:
    for number, tags in (("01", {"error": 2, "failure": 2}), ("23", {"skipped": 3, "failure": 1})):
        opened = load(case_files(number))
        suite = ET.fromstring("".join(score_junit(opened, opened.scorecard())))[0]
        assert {tag: len(suite.findall(f"*/{tag}")) for tag in tags} == tags


@pytest.mark.parametrize("text", ["a|b", "`x`", "*b*", "[x](http://a)", "<img src=x>", "a\nb", "&copy;", "\\|", "#1"])
def test_a_markdown_cell_is_literal(tmp_path: Path, text: str) -> None:
    opened = load([write_bundle(tmp_path / "a.json", run_of(text, [call(text)], []), bundle={"name": text})])
    lines = score_markdown(opened, opened.scorecard()).splitlines()
    tables = [line for line in lines if line.startswith("|")]
    widths = {len(re.findall(r"(?<!\\)(?:\\\\)*\|", line)) for line in tables}
    assert widths == {8, 6}
    assert f"| {cell(text)} | fail |" in "\n".join(lines)


def test_markdown_says_what_the_scorecard_says(bundle: Bundle) -> None:
    text = score_markdown(bundle, bundle.scorecard())
    assert "| name\\_only | 4 | 6 | .667 | .30–.90 | +.167 |  |" in text
    assert "Output: 2 correct, 3 incorrect, 1 unscoreable." in text
    assert "| R2 | fail | wrong\\_args | name\\_only | wrong |" in text


def test_no_rate_stands_without_the_runs_that_errored(tmp_path: Path) -> None:
    passed = run_of("a", [call("a")], [call("a")], truth="x", answer="x")
    errored = [run_of(f"e{n}", [call("a")], [call("a")], truth="x", answer="x", status="error") for n in range(9)]
    others = [run_of("b", truth={"regex": "("}, answer="x"), run_of("q", truth="x", status="queued")]
    opened = load([write_bundle(tmp_path / "a.json", passed, *errored, *others)])
    card = opened.scorecard(weights={"task_success": 0.5, "trajectory_quality": 0.5})
    assert "; output 1/1 = 1.000 with 0 unscoreable (9 errored); " in card.headline
    weights = "task_success 0.5 (9 errored), trajectory_quality 0.5 (9 errored)"
    assert f"weights: {weights}\n" in score_text(opened, card)
    markdown = score_markdown(opened, card)
    left_out = "9 errored, 1 check errors, 1 not finished"
    assert f"Output: 1 correct, 0 incorrect, 0 unscoreable, {left_out}." in markdown
    assert f"Overall grade: 1.000 ({cell(weights)})." in markdown


def test_markdown_lists_what_was_skipped() -> None:
    opened = load(case_files("11"))
    skipped = [line for line in score_markdown(opened, opened.scorecard()).splitlines() if line.startswith("- skipped")]
    assert len(skipped) == 2


@pytest.mark.parametrize(
    ("value", "text"), [(None, "n/a"), (0, ".000"), (1, "1.000"), (2 / 3, ".667"), (0.9996, ".999"), (0.0004, ".001")]
)
def test_a_rate_has_three_places(value: float | None, text: str) -> None:
    assert figures.rate(value) == text


@pytest.mark.parametrize(
    ("value", "text"), [(None, ""), (0, ""), (1 / 6, "+.167"), (-0.25, "-.250"), (1, "+1.000"), (0.0001, "+<.001")]
)
def test_a_gap_has_its_sign(value: float | None, text: str) -> None:
    assert figures.gap(value) == text


def test_json_text_is_strict_and_escapes_what_acts() -> None:
    value = {"a": "\x1b\x7f\x9b\u202e\u2066\ud800\U000e0041é", "d": Decimal("1E+400"), "f": Decimal("0.5")}
    text = json_text(value)
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\U000e0041]", text)
    assert json.loads(text) == value | {"d": "1E+400", "f": 0.5}
    with pytest.raises(ValueError, match="not JSON compliant"):
        json_text(float("nan"))


@given(
    document=st.dictionaries(
        st.text(max_size=4), st.recursive(st.none() | st.text(), lambda each: st.lists(each, max_size=3), max_leaves=9)
    )
)
def test_json_in_pieces_is_json_at_once(document: dict[str, Any]) -> None:
    whole = json_text(document)
    assert "".join(json_pieces(document)) == whole
    lists = {key: iter(value) if isinstance(value, list) else value for key, value in document.items()}
    assert "".join(json_pieces(lists)) == whole


def test_a_run_of_the_score_document_is_made_when_it_is_printed(bundle: Bundle) -> None:
    members = score_members(bundle, bundle.scorecard())
    assert next(members["runs"])["id"] == "R1"
    assert next(members["weak_paths"])["run"] == bundle.scorecard().weak_paths[0].run


def test_json_text_of_endless_depth_is_refused_in_words() -> None:
    value: list[object] = []
    for _ in range(5000):
        value = [value]
    with pytest.raises(NotPossible, match="nested too deeply"):
        json_text(value)


def test_what_is_no_number_is_null_and_named_by_its_path() -> None:
    record = b'{"scores": {"f": NaN, "g": [1, -Infinity, 1e400]}, "text": "NaN", "n": 1.5}'
    assert strict_record(record) == {
        "scores": {"f": None, "g": [1, None, None]},
        "text": "NaN",
        "n": 1.5,
        "not_usable": {"scores.f": "NaN", "scores.g[1]": "-inf", "scores.g[2]": "1e400"},
    }
    assert strict_value(b"Infinity") is None
