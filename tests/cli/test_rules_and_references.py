"""`--rules` and `--references` from files, to the verdicts and to the mistakes one can make in them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Runs
from tests.writing import CYBERTRAVELS, call, run_of, write_bundle

TOLERANT = {"tools": {"refund": {"args": {"amount": {"number": {"rel": 10}}}}}}
TOLERANT_TOML = "[tools.refund.args.amount.number]\nrel = 10\n"
PASSING_WITH_R2 = 4
"""With so wide a tolerance R2 passes exact too."""


def write(path: Path, value: Any) -> str:
    path.write_text(value if isinstance(value, str) else json.dumps(value))
    return str(path)


@pytest.mark.parametrize(("name", "rules"), [("rules.json", TOLERANT), ("rules.toml", TOLERANT_TOML)])
def test_rules_from_a_file_change_the_verdicts(agent_tui: Runs, tmp_path: Path, name: str, rules: Any) -> None:
    path = write(tmp_path / name, rules)
    exact = agent_tui("score", CYBERTRAVELS, "--rules", path, "--json").document["matchers"]["exact"]
    assert (exact["passed"], exact["scored"]) == (PASSING_WITH_R2, 6)
    shown = agent_tui("show", CYBERTRAVELS, "R2", "--rules", path, "--json").document["run"]
    assert shown["matchers"]["exact"] == "pass"


def test_rules_from_a_file_win_over_embedded_ones(agent_tui: Runs, tmp_path: Path) -> None:
    run = run_of("a", [call("pay", amount=1)], [call("pay", amount=2)])
    loose = {"tools": {"pay": {"args": {"amount": "ignore"}}}}
    path = write_bundle(tmp_path / "a.json", run, rules=loose)
    strict = write(tmp_path / "strict.json", {"tools": {"pay": {"extra_args": "forbid"}}})
    assert agent_tui("score", path, "--json").document["matchers"]["exact"]["passed"] == 1
    assert agent_tui("score", path, "--rules", strict, "--json").document["matchers"]["exact"]["passed"] == 0


BAD_RULES = [
    ({"tools": {"refund": {"args": {"amount": {"numbr": 1}}}}}, "tools.refund.args.amount", "numbr"),
    ({"tools": {"refund": {"extra_arg": "allow"}}}, "tools.refund", "extra_arg"),
    ({"toolz": {}}, "toolz", "tools"),
    ({"tools": {"refunds": {"extra_args": "allow"}}}, "refunds", "that no run calls"),
    ({"tools": {"refund": {"args": {"amount": {"regex": "("}}}}}, "tools.refund.args.amount", "regex"),
    ("[1]", "rules", ""),
    ("{", "not readable as JSON or TOML", ""),
]


@pytest.mark.parametrize(("rules", "place", "word"), BAD_RULES, ids=lambda value: str(value)[:30])
@pytest.mark.parametrize("command", [["score"], ["show"], ["flip"], ["open", "--plain"]], ids=lambda c: c[0])
def test_rules_that_mean_nothing_are_2_with_their_place(
    agent_tui: Runs, tmp_path: Path, command: list[str], rules: Any, place: str, word: str
) -> None:
    path = write(tmp_path / "rules.json", rules)
    tail = {"show": ["R2"], "flip": ["--set", "R2", "status", "done"]}.get(command[0], [])
    ran = agent_tui(*command, CYBERTRAVELS, *tail, "--rules", path)
    assert (ran.status, ran.out) == (2, "")
    assert len(ran.err.splitlines()) == 1
    assert place in ran.err
    assert word in ran.err


def test_embedded_rules_that_mean_nothing_are_2_and_check_tells_them(agent_tui: Runs, tmp_path: Path) -> None:
    run = run_of("a", [call("pay")], [call("pay")])
    path = write_bundle(tmp_path / "a.json", run, rules={"tools": {"pay": {"extra_args": "maybe"}}})
    scored = agent_tui("score", path)
    assert (scored.status, f"{path} @ $.rules" in scored.err) == (2, True)
    checked = agent_tui("check", path, "--json")
    assert checked.status in (1, 3)
    assert "extra_args" in checked.out


def test_rules_may_name_a_tool_that_only_a_reference_calls(agent_tui: Runs, tmp_path: Path) -> None:
    rules = write(tmp_path / "rules.json", {"tools": {"pay": {"args": {"memo": "ignore"}}, "buy": {}, "ask*": {}}})
    grouped = {"parallel": [call("pay"), call("ask_more")]}
    run = {"id": "a", "expected": {"any": [{"calls": [grouped]}, {"calls": [call("buy")]}]}, "actual": {"calls": []}}
    assert agent_tui("score", write_bundle(tmp_path / "a.json", run), "--rules", rules).status == 0


def references(folder: Path, *references: dict[str, Any]) -> str:
    return write(folder / "golden.jsonl", "".join(json.dumps(reference) + "\n" for reference in references))


def test_references_join_by_task_and_what_is_unused_is_told(agent_tui: Runs, tmp_path: Path) -> None:
    runs = [run_of(f"r{n}", None, [call("a")], task=f"t{n}") for n in range(3)]
    golden = references(
        tmp_path,
        {"task": "t0", "expected": {"calls": [call("a")]}},
        {"task": "t1", "expected": {"calls": [call("b")]}},
        {"task": "t9", "expected": {"calls": []}},
    )
    ran = agent_tui("score", write_bundle(tmp_path / "a.json", *runs), "--references", golden, "--json")
    exact = ran.document["matchers"]["exact"]
    assert (exact["passed"], exact["scored"], exact["unscoreable"]) == (1, 2, 1)
    assert "1 of 3 references have no run: t9" in ran.err


def test_references_win_and_a_difference_is_a_finding(agent_tui: Runs, tmp_path: Path) -> None:
    path = write_bundle(tmp_path / "a.json", run_of("t", [call("a")], [call("b")]))
    golden = references(tmp_path, {"task": "t", "expected": {"calls": [call("b")]}})
    ran = agent_tui("score", path, "--references", golden, "--json")
    assert ran.document["matchers"]["exact"]["passed"] == 1
    (finding,) = ran.document["bundle"]["problems"]
    assert (finding["path"], finding["kind"]) == ("$.expected.calls", "warning")


def test_two_references_for_one_task_are_2(agent_tui: Runs, tmp_path: Path) -> None:
    path = write_bundle(tmp_path / "a.json", run_of("t", None, [call("b")]))
    golden = references(
        tmp_path, {"task": "t", "expected": {"calls": []}}, {"task": "t", "expected": {"calls": [call("b")]}}
    )
    ran = agent_tui("score", path, "--references", golden)
    assert (ran.status, ran.out) == (2, "")
    assert "golden.jsonl: two references for task 't': keep one" in ran.err


def test_a_manifest_ties_runs_rules_and_references(agent_tui: Runs, tmp_path: Path) -> None:
    write_bundle(tmp_path / "runs.json", run_of("t", None, [call("pay", amount=2, memo="x")]))
    references(tmp_path, {"task": "t", "expected": {"calls": [call("pay", amount=2)]}})
    write(tmp_path / "rules.toml", '[tools.pay]\nextra_args = "allow"\n')
    manifest = 'name = "nightly"\nruns = ["runs.json"]\nreferences = "golden.jsonl"\nrules = "rules.toml"\n'
    write(tmp_path / "bundle.toml", manifest)
    document = agent_tui("score", str(tmp_path), "--json").document
    assert (document["matchers"]["exact"]["passed"], document["bundle"]["name"]) == (1, "nightly")


def test_a_manifest_stays_in_its_folder_unless_it_may_not(agent_tui: Runs, tmp_path: Path) -> None:
    write_bundle(tmp_path / "outside.json", run_of("t", scores={"success": 1}))
    inner = tmp_path / "inner"
    inner.mkdir()
    write(inner / "bundle.toml", 'runs = ["../outside.json"]\n')
    refused = agent_tui("score", str(inner))
    assert (refused.status, "--allow-outside" in refused.err) == (3, True)
    assert agent_tui("score", str(inner), "--allow-outside").status == 0
