"""`flip`: change values, never the file, and see who noticed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Runs
from tests.writing import CYBERTRAVELS, call, run_of, write_bundle

AMOUNT = ("R2", "expected.calls[1].args.amount", "1400")
NOT_THE_TRUTH = "did not notice: the trajectory changed, not the truth"


def test_the_published_flip(agent_tui: Runs) -> None:
    document = agent_tui("flip", CYBERTRAVELS, "--set", *AMOUNT, "--json").document
    measures = document["measures"]
    rates = {
        name: round(measures[name]["after"]["rate"], 3) for name in ("exact", "name_only", "order_ignored", "output")
    }
    assert rates == {"exact": 0.667, "name_only": 0.667, "order_ignored": 0.833, "output": 0.4}
    moved = {name: measures[name]["moved"] for name in rates}
    assert moved == {"exact": ["R2"], "name_only": [], "order_ignored": ["R2"], "output": []}
    assert measures["name_only"]["why"] == "did not notice: it already passed R2"
    assert (measures["output"]["why"], measures["task_success"]["why"]) == (NOT_THE_TRUTH, NOT_THE_TRUTH)
    assert document["changes"] == [{"run": "R2", "path": AMOUNT[1], "from": 140, "to": 1400}]


def test_the_file_is_never_touched(agent_tui: Runs, tmp_path: Path) -> None:
    copy = tmp_path / "copy.json"
    copy.write_bytes(Path(CYBERTRAVELS).read_bytes())
    before = copy.stat().st_mtime_ns
    assert agent_tui("flip", str(copy), "--set", *AMOUNT).status == 0
    assert (copy.read_bytes(), copy.stat().st_mtime_ns) == (Path(CYBERTRAVELS).read_bytes(), before)


def test_set_and_set_back_moves_nothing(agent_tui: Runs) -> None:
    back = (*AMOUNT[:2], "140")
    document = agent_tui("flip", CYBERTRAVELS, "--set", *AMOUNT, "--set", *back, "--json").document
    assert [(change["from"], change["to"]) for change in document["changes"]] == [(140, 1400), (1400, 140)]
    for measure in document["measures"].values():
        assert (measure["before"], measure["moved"]) == (measure["after"], [])


def test_reasons_stand_below_each_other_however_many_runs(agent_tui: Runs, tmp_path: Path) -> None:
    runs = (run_of(f"r{n}", expected=[call("a", n=1)], actual=[call("a", n=1)]) for n in range(1200))
    path = write_bundle(tmp_path / "a.json", *runs)
    lines = agent_tui("flip", path, "--set", "r7", "expected.calls[0].args.n", "2").out.splitlines()
    reasons = [line.index(word) for line in lines for word in ("r7: pass", "did not notice") if word in line]
    assert len(set(reasons)) == 1
    assert any("1,200/1,200 1.000 → 1,199/1,200 .999" in line for line in lines)


def test_the_text_has_the_change_and_a_line_a_measure(agent_tui: Runs) -> None:
    lines = agent_tui("flip", CYBERTRAVELS, "--set", *AMOUNT).out.splitlines()
    assert lines[0] == "R2 expected.calls[1].args.amount: 140 → 1400"
    assert "  exact                  3/6 .500 → 4/6 .667        R2: fail → pass" in lines
    assert len([line for line in lines if "→" in line and line.startswith("  ")]) == 14 + 4


@pytest.mark.parametrize(
    ("path", "value", "measure", "why"),
    [
        ("actual.answer", "no idea", "exact", "did not notice: the answer changed, not the trajectory"),
        ("actual.answer", "refunded 140", "output", "R2: fail → pass"),
        ("status", "running", "exact", "R2: fail → not finished"),
        ("status", "running", "name_only", "R2: pass → not finished"),
        ("status", "error", "exact", "R2: fail → error"),
        ("scores", '{"success": 1}', "task_success", "did not notice: it still fails R2"),
        ("metadata", "{}", "exact", "did not notice: the trajectory is unchanged"),
        ("expected.answer", "null", "output", "R2: fail → n/a"),
        ("actual.answer", "null", "exact", "did not notice: the answer changed, not the trajectory"),
        ("expected", "null", "exact", "R2: fail → n/a"),
        ("actual.calls[0].name", "look", "name_only", "R2: pass → fail"),
        ("actual.calls[1].args.amount", "1400.0", "exact", "did not notice: it still fails R2"),
    ],
)
def test_each_measure_says_why(agent_tui: Runs, path: str, value: str, measure: str, why: str) -> None:
    document = agent_tui("flip", CYBERTRAVELS, "--set", "R2", path, value, "--json").document
    assert document["measures"][measure]["why"] == why


@pytest.mark.parametrize(
    ("value", "stored"),
    [("1400", 1400), ('"1400"', "1400"), ("R2 is fine", "R2 is fine"), ("NaN", "NaN"), ("[1,", "[1,"), ("null", None)],
)
def test_a_value_is_json_or_else_text(agent_tui: Runs, value: str, stored: object) -> None:
    document = agent_tui("flip", CYBERTRAVELS, "--set", "R2", "metadata", value, "--json").document
    assert document["changes"][0]["to"] == stored


def test_a_number_that_nothing_holds_is_still_strict_json(agent_tui: Runs) -> None:
    for value in ("1e400", "1e99999999999999999999", "-1e400"):
        ran = agent_tui("flip", CYBERTRAVELS, "--set", "R2", "actual.calls[1].args.amount", value, "--json")
        assert ran.status == 0
        assert ran.document["measures"]["exact"]["moved"] == []


def test_a_last_key_may_be_new_and_came_from_nothing(agent_tui: Runs) -> None:
    change = agent_tui("flip", CYBERTRAVELS, "--set", "R2", 'metadata["key.with.dot"]', "1", "--json")
    assert (change.status, "metadata is not there" in change.err) == (2, True)
    ran = agent_tui("flip", CYBERTRAVELS, "--set", "R2", '["key.with.dot"]', "1", "--json")
    assert ran.document["changes"] == [{"run": "R2", "path": '["key.with.dot"]', "from": None, "to": 1}]


@pytest.mark.parametrize("value", ["null", '""'])
def test_no_call_is_left_without_a_tool(agent_tui: Runs, tmp_path: Path, value: str) -> None:
    steps = [{"type": "call", "name": "a"}, {"type": "call"}]
    path = write_bundle(tmp_path / "a.json", {"id": "t", "actual": {"steps": steps}})
    ran = agent_tui("flip", path, "--set", "t", "actual.steps[0].name", value)
    assert (ran.status, ran.err) == (
        2,
        "agent-tui: t would have a call without the name of a tool: take the call out instead\n",
    )
    assert agent_tui("flip", path, "--set", "t", "actual.steps[0].name", "b").status == 0


def test_null_for_an_answer_is_none(agent_tui: Runs) -> None:
    document = agent_tui("flip", CYBERTRAVELS, "--set", "R1", "actual.answer", "null", "--json").document
    assert document["changes"][0]["to"] is None
    assert document["measures"]["output"]["why"] == "R1: pass → fail"


def test_all_changes_are_made_or_none(agent_tui: Runs) -> None:
    ran = agent_tui("flip", CYBERTRAVELS, "--set", *AMOUNT, "--set", "R1", "epoch", "three", "--json")
    assert (ran.status, ran.out) == (2, "")
    assert "R1 would be no run any more" in ran.err


def test_a_run_of_one_file_of_several_is_changed(agent_tui: Runs, tmp_path: Path) -> None:
    paths = [
        write_bundle(tmp_path / f"{name}.json", run_of("t", [call("a")], [call("b")]), bundle={"model": name})
        for name in ("one", "two")
    ]
    ran = agent_tui("flip", *paths, "--set", "two.json:t", "actual.calls[0].name", '"a"', "--json")
    assert ran.document["measures"]["exact"]["moved"] == ["t#1@two"]
    bare = agent_tui("flip", *paths, "--set", "t", "actual.calls[0].name", '"a"')
    assert (bare.status, "t#1@one, t#1@two" in bare.err) == (2, True)


def test_duplicating_a_search_moves_redundancy_and_quality_and_no_level(agent_tui: Runs) -> None:
    from tests.writing import DOCENT

    calls = agent_tui("show", DOCENT, "oos-mongo", "--json").document["record"]["actual"]["calls"]
    repeated = json.dumps([calls[0], *calls])
    by_value = agent_tui("flip", DOCENT, "--set", "oos-mongo", "actual.calls", repeated, "--json").document
    by_place = agent_tui("flip", DOCENT, "--duplicate", "oos-mongo", "actual.calls[0]", "--json").document
    assert {name for name, each in by_place["measures"].items() if each["moved"]} == {"redundancy"}
    moved = {each["figure"]: (each["before"], each["after"]) for each in by_place["figures"]}
    assert moved == {"calls": (3, 4), "redundancy": (0, 1), "query_quality": (0.42, 0.48)}
    assert (by_value["measures"], by_value["figures"]) == (by_place["measures"], by_place["figures"])


def test_changes_are_made_in_the_order_in_which_they_stand(agent_tui: Runs) -> None:
    first, last = ("R1", "actual.calls[0].name"), ("R1", "actual.calls[1]")
    changes = ("--set", *first, "one", "--move", *last, "-1", "--set", *first, "two", "--remove", *last)
    document = agent_tui("flip", CYBERTRAVELS, *changes, "--json").document
    made = [(each["path"], each.get("op"), each["to"]) for each in document["changes"]]
    assert made[0] == (first[1], None, "one")
    assert (made[1][:2], made[1][2]["name"]) == ((last[1], "move"), "refund")
    assert made[2:] == [(first[1], None, "two"), (last[1], "remove", None)]
    assert (document["changes"][2]["from"], document["changes"][3]["from"]["name"]) == ("refund", "one")


def test_swapped_calls_are_noticed_by_all_that_look_at_the_order(agent_tui: Runs) -> None:
    measures = agent_tui("flip", CYBERTRAVELS, "--move", "R1", "actual.calls[1]", "-1", "--json").document["measures"]
    noticed = {name for name, each in measures.items() if each["moved"]}
    assert noticed == {"exact", "exact_groups", "name_only", "in_order", "trajectory_quality"}
    why = "did not notice: it still passes R1: it compares names and arguments, not order"
    assert measures["order_ignored"]["why"] == why


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (("--duplicate", "R1", "actual.calls[9]"), "actual.calls[9] is not there"),
        (("--duplicate", "R1", "actual.answer"), "is not in a list"),
        (("--remove", "R1", "actual.calls[2]"), "there are 2 items"),
        (("--move", "R1", "actual.calls[0]", "-1"), "cannot be moved by -1"),
        (("--move", "R1", "actual.calls[0]", "up"), "a whole number is needed"),
        (("--set", "R1", "id", "R7"), "id says which run it is"),
        ((), "nothing to change"),
    ],
)
def test_what_cannot_be_done_says_so_and_prints_nothing(agent_tui: Runs, change: tuple[str, ...], says: str) -> None:
    ran = agent_tui("flip", CYBERTRAVELS, *change, "--json")
    assert (ran.status, ran.out, says in ran.err) == (2, "", True), ran.err
