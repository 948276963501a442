"""The collected cases, as far as reading goes: what other viewers and scorers got wrong."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from agent_tui.readers import validate
from agent_tui.runs.json_values import UNPARSEABLE, canonical_args
from tests.readers.reading import Reading, names, reading

CASES = Path(__file__).parent.parent / "cases"


def case(number: str) -> tuple[Reading, dict[str, Any]]:
    """The reading of a case, and what it expects."""
    (folder,) = CASES.glob(f"{number}-*")
    text = (folder / "case.md").read_text(encoding="utf-8")
    return reading(*sorted(folder.glob("*.json*"))), json.loads(text.split("```json")[1].split("```")[0])


def test_02_a_missing_score_is_not_a_zero() -> None:
    found, expected = case("02")
    usable = [s for run in found.runs if isinstance(s := run.scores.get("quality"), float)]
    assert (len(usable), sum(usable) / len(usable), len(found.runs)) == (3, expected["mean"], expected["total"])
    assert [run.scores.get("quality", "absent") for run in found.runs[2:5]] == [None, "absent", "N/A"]


def test_03_nan_and_infinity_are_read_as_words() -> None:
    found, expected = case("03")
    words = {run.id: run.scores["f1"] for run in found.runs if isinstance(run.scores["f1"], str)}
    assert words == dict(zip(expected["not_usable"], ["NaN", "inf", "-inf"], strict=True))
    assert found.problems == []


def test_08_arguments_as_text_are_read_or_kept() -> None:
    found, expected = case("08")
    assert len(found.runs) == expected["rows"]
    ways = [canonical_args((run.calls or [])[0].args)[1] for run in found.runs]
    assert ways[0] != UNPARSEABLE
    assert ways[2] == UNPARSEABLE
    (problem,) = validate([found.sources[0].file])
    assert problem.reason == "arguments of book_seat are not valid JSON"
    assert expected["t3"]["note"] == "arguments are not valid JSON"


def test_09_empty_absent_and_null_stay_apart() -> None:
    found, _ = case("09")
    runs = {run.id: run for run in found.runs}
    assert (runs["t1"].calls, runs["t1"].expected.calls) == ([], [])  # type: ignore[union-attr]
    assert runs["t3"].expected is None
    assert runs["t4"].calls is None


def test_10_a_cut_off_last_line_loses_nothing_before_it() -> None:
    found, expected = case("10")
    steps = [step for step in found.steps("messages") if step.type == "message"]
    assert [(problem.line, problem.kind) for problem in found.problems] == [(9, "incomplete")]
    assert "52 bytes" in found.problems[0].reason
    assert {step.line for step in found.steps("messages")} | {3, 7} == set(range(1, expected["messages"] + 1))
    assert len(steps) == 5


def test_11_bad_lines_do_not_end_the_reading() -> None:
    found, expected = case("11")
    lines = {kind: [p.line for p in found.problems if p.kind == kind] for kind in set(found.kinds)}
    assert lines["malformed"] + lines["not_a_record"] == expected["bad_lines"]
    assert lines["unknown_record"] == expected["unknown_records"]
    assert found.steps("messages")[-1].text == expected["last_message"]


def test_12_calls_and_results_without_a_partner_are_all_there() -> None:
    found, expected = case("12")
    steps = [inner for step in found.steps("messages") for inner in step.steps or [step]]
    calls = [step for step in steps if step.type == "call"]
    alone = [step for step in steps if step.note == "result without a call"]
    assert names(found.runs[0]) == expected["call_names"]
    assert [step.call_id or "(no id)" for step in alone] == expected["results_without_call"]
    assert [step.note for step in calls] == [None, "no result", "id used twice", "id used twice; no result"]
    assert all(step.role != "assistant" for step in alone)


def test_13_square_brackets_stay_as_they_are() -> None:
    found, expected = case("13")
    text = found.records[0].text + found.records[1].text
    assert all(literal.encode() in text for literal in expected["literal"])
    assert [run.id for run in found.runs] == ["t[/]", "t2 [dim]"]


def test_14_control_sequences_are_kept_in_the_value() -> None:
    found, expected = case("14")
    assert len(found.runs) == expected["tasks"]
    assert found.runs[0].id == "t1\x1b]0;owned\x07"


def test_21_usage_counts_once_per_message() -> None:
    found, expected = case("21")
    usage = json.loads(found.records[0].text)["usage"]
    assert usage == {
        "input_tokens": expected["input"],
        "output_tokens": expected["output"],
        "cache_read_tokens": expected["cache_read"],
        "cache_write_tokens": expected["cache_write"],
        "reasoning_tokens": expected["reasoning_in_output"],
    }
    assert len(found.runs[0].calls or ()) == expected["tool_calls"]


def test_22_words_reasoning_and_calls_of_one_message_are_all_there() -> None:
    found, expected = case("22")
    steps = found.steps("messages")
    assert names(found.runs[0]) == expected["calls"]
    assert [step.type for step in steps].count("reasoning") == expected["reasoning_blocks"]
    assert found.records[0].text.count(b"NOT issued") == 1


@pytest.mark.parametrize("folder", sorted(CASES.glob("*-*/")), ids=lambda path: path.name[:2])
def test_every_case_opens(folder: Path) -> None:
    inputs = sorted(folder.glob("*.json*"))
    if inputs:
        assert reading(*inputs).runs
