"""`show`: which run is meant, and all of it as text and as JSON."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Runs
from tests.writing import CASES, CYBERTRAVELS, SAMPLES, case_files, run_of, write_bundle

EVERY_INPUT = [*map(str, sorted(CASES.glob("*/*.json*"))), *map(str, sorted(SAMPLES.glob("*.*")))]
EVERY_INPUT.remove(str(SAMPLES / "README.md"))


@pytest.mark.parametrize("path", EVERY_INPUT, ids=lambda path: "/".join(Path(path).parts[-2:]))
def test_every_input_shows_its_first_run_as_strict_json_and_as_text(agent_tui: Runs, path: str) -> None:
    document = agent_tui("show", path, "#1", "--json").document
    assert document["schema"] == "agent-tui/show-1"
    assert {"run", "record", "steps"} <= set(document)
    text = agent_tui("show", path, "#1").out
    assert text.count("\nverdicts exact") == 1


def test_the_record_is_as_it_was_written(agent_tui: Runs) -> None:
    record = json.loads(Path(CYBERTRAVELS).read_text(encoding="utf-8"))["runs"][1]
    assert agent_tui("show", CYBERTRAVELS, "R2", "--json").document["record"] == record


def test_what_is_no_number_is_null_with_a_note_of_what_it_was(agent_tui: Runs) -> None:
    (path,) = case_files("03")
    record = agent_tui("show", path, "t02", "--json").document["record"]
    assert (record["scores"]["f1"], record["not_usable"]) == (None, {"scores.f1": "NaN"})
    assert "not_usable" not in agent_tui("show", path, "t01", "--json").document["record"]


def test_an_integer_of_too_many_digits_is_null_with_a_note_of_its_digits(agent_tui: Runs, tmp_path: Path) -> None:
    path, digits = tmp_path / "big.jsonl", "9" * 4301
    path.write_text('{"id": "a", "scores": {"q": 1}, "metadata": {"n": ' + digits + "}}\n")
    record = agent_tui("show", str(path), "a", "--json").document["record"]
    assert (record["metadata"], record["not_usable"]) == ({"n": None}, {"metadata.n": digits})


def test_steps_hold_arguments_and_results_as_values(agent_tui: Runs) -> None:
    steps = agent_tui("show", CYBERTRAVELS, "R2", "--json").document["steps"]
    assert [(step["type"], step["name"], step["args"]) for step in steps] == [
        ("call", "lookup_booking", {"id": "BK-9001"}),
        ("call", "refund", {"id": "BK-9001", "amount": 1400}),
    ]


def test_the_text_has_what_was_asked_done_expected_and_answered(agent_tui: Runs) -> None:
    text = agent_tui("show", CYBERTRAVELS, "R2").out
    for part in ("ask      My hotel", "amount expected 140, got 1400", "answer   Sorry", "truth    refunded 140"):
        assert part in text
    assert "cause    wrong_args; strictest matcher passed: name_only" in text


@pytest.mark.parametrize("name", ["R2", "#2", f"{CYBERTRAVELS}:R2", "cybertravels.json:R2", "cybertravels.json:#2"])
def test_a_run_has_several_names(agent_tui: Runs, name: str) -> None:
    assert agent_tui("show", CYBERTRAVELS, name).out.startswith("R2  double-charge")


def test_a_unique_prefix_is_enough(agent_tui: Runs) -> None:
    (path,) = case_files("19")
    assert agent_tui("show", path, "e#2").out.startswith("e#2  e  epoch 2")
    assert agent_tui("show", path, "m#1@model-a").status == 0
    assert agent_tui("show", path, "dup").err.endswith(
        "any of dup#1@model-a, dup#1@model-a~2: use one of these names\n"
    )


def test_a_file_that_is_named_has_the_run_or_nobody_does(agent_tui: Runs, tmp_path: Path) -> None:
    one = write_bundle(tmp_path / "one.json", run_of("a"), run_of("shared", input="of one"))
    two = write_bundle(tmp_path / "two.json", run_of("b"), run_of("shared", input="of two"))
    assert "of two" in agent_tui("show", one, two, "two.json:shared").out
    assert "of two" in agent_tui("show", one, two, "two.json:#2").out
    assert "of one" in agent_tui("show", one, two, f"{one}:sha").out
    strange = agent_tui("show", one, two, "two.json:a")
    assert (strange.status, strange.err.splitlines()[-1]) == (2, "agent-tui: unknown run 'a': there are b, shared#1~2")


def test_an_id_may_hold_a_colon(agent_tui: Runs, tmp_path: Path) -> None:
    path = write_bundle(tmp_path / "a.json", run_of("suite:one"), run_of("suite:two"))
    assert agent_tui("show", path, "suite:two").out.startswith("suite:two")
    assert agent_tui("show", path, "a.json:suite:two").out.startswith("suite:two")


def test_a_nested_agent_and_long_text_are_whole(agent_tui: Runs, tmp_path: Path) -> None:
    inner = [{"type": "call", "name": "dig", "args": {}}]
    steps = [
        {"type": "message", "role": "user", "text": "x" * 20_000},
        {"type": "agent", "agent": "sub", "steps": inner},
    ]
    path = write_bundle(tmp_path / "a.json", {"id": "a", "actual": {"steps": steps}})
    text = agent_tui("show", path, "a").out
    assert "x" * 20_000 in text
    assert "▸ agent sub\n  ▸ call dig" in text
    nested = agent_tui("show", path, "a", "--json").document["steps"][1]["steps"]
    assert [step["name"] for step in nested] == ["dig"]


def test_what_is_nested_too_deeply_for_json_is_said(agent_tui: Runs, tmp_path: Path) -> None:
    path = tmp_path / "deep.jsonl"
    path.write_text('{"id": "a", "actual": {"calls": [{"name": "x", "args": {"v": ' + "[" * 700 + "]" * 700 + "}}]}}\n")
    ran = agent_tui("show", str(path), "a", "--json")
    assert (ran.status, ran.err.startswith("agent-tui: nested too deeply")) == (2, True)
    assert agent_tui("show", str(path), "a").status == 0


def test_bytes_that_are_no_utf8_are_shown_as_escapes(agent_tui: Runs, tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(
        b'{"id": "a", "actual": {"calls": [{"name": "f", "args": {"x": "\xff"}, "result": "\xed\xa0\x80"}]}}\n'
    )
    ran = agent_tui("show", str(path), "a", "--json")
    assert (ran.status, ran.err) == (0, "")
    assert r"\udcff" in ran.out
    assert agent_tui("show", str(path), "a").status == 0
