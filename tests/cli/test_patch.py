"""`--patch`: a what-if that somebody kept, shown by every command that opens a bundle."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from agent_tui.bundles import load
from agent_tui.bundles.patch import write_patch
from agent_tui.bundles.what_if import WhatIf, set_value
from tests.cli.conftest import Runs
from tests.writing import CYBERTRAVELS, DOCENT

AMOUNT = "expected.calls[1].args.amount"


@pytest.fixture
def patch(tmp_path: Path) -> str:
    what_if = WhatIf(load([CYBERTRAVELS]))
    what_if.change(1, set_value(AMOUNT, "1400"))
    write_patch(what_if, tmp_path / "flip.whatif.json")
    return str(tmp_path / "flip.whatif.json")


def test_score_shows_the_bundle_as_patched_and_says_so(agent_tui: Runs, patch: str) -> None:
    document = agent_tui("score", CYBERTRAVELS, "--patch", patch, "--json").document
    assert (document["matchers"]["exact"]["passed"], document["bundle"]["edited"]) == (4, 1)
    ran = agent_tui("score", CYBERTRAVELS, "--patch", patch)
    assert ran.out.splitlines()[0].endswith("what-if: 1 run changed")
    assert "note: what-if: 1 change of " in ran.err


def test_show_and_open_show_the_patched_run(agent_tui: Runs, patch: str) -> None:
    shown = agent_tui("show", CYBERTRAVELS, "R2", "--patch", patch, "--json").document
    assert shown["record"]["expected"]["calls"][1]["args"]["amount"] == 1400
    assert (shown["edited"], shown["run"]["matchers"]["exact"]) == (True, "pass")
    assert "what-if: not as it was recorded" in agent_tui("show", CYBERTRAVELS, "R2", "--patch", patch).out
    assert "what-if" not in agent_tui("show", CYBERTRAVELS, "R1", "--patch", patch).out
    assert "what-if: 1 run changed" in agent_tui("open", "--plain", CYBERTRAVELS, "--patch", patch).out


def test_flip_starts_from_the_patched_bundle(agent_tui: Runs, patch: str) -> None:
    document = agent_tui("flip", CYBERTRAVELS, "--patch", patch, "--set", "R2", AMOUNT, "140", "--json").document
    exact = document["measures"]["exact"]
    assert (exact["before"]["passed"], exact["after"]["passed"], exact["why"]) == (4, 3, "R2: pass → fail")


def test_a_gate_holds_of_what_is_shown(agent_tui: Runs, patch: str) -> None:
    gate = ("score", CYBERTRAVELS, "--fail-under", "exact=0.6")
    assert [agent_tui(*gate).status, agent_tui(*gate, "--patch", patch).status] == [1, 0]


@pytest.mark.parametrize("command", ["score", "open", "mutate"])
def test_a_patch_for_another_bundle_is_an_error(agent_tui: Runs, patch: str, command: str) -> None:
    ran = agent_tui(command, DOCENT, "--patch", patch, *(["--plain"] if command == "open" else []))
    assert (ran.status, ran.out) == (2, "")
    assert f"--patch {patch}: it is for another bundle" in ran.err


def test_a_value_that_does_not_stand_there_and_a_file_that_is_no_patch_are_errors(
    agent_tui: Runs, patch: str, tmp_path: Path
) -> None:
    written = json.loads(Path(patch).read_text())
    written["edits"][0]["from"] = 141
    (tmp_path / "other.whatif.json").write_text(json.dumps(written))
    ran = agent_tui("score", CYBERTRAVELS, "--patch", str(tmp_path / "other.whatif.json"))
    assert (ran.status, "from is 141, but there stands 140" in ran.err) == (2, True)
    for name, says in ((CYBERTRAVELS, "not a patch"), (str(tmp_path / "none"), "No such file")):
        ran = agent_tui("score", CYBERTRAVELS, "--patch", name)
        assert (ran.status, ran.out, says in ran.err) == (2, "", True)
