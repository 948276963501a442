"""What is printed instead of the screen: every pane; with `--filter` the runs it keeps, and a bad one is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Runs
from tests.tui.opened import CYBERTRAVELS, call, made_run, write_bundle


def test_every_pane_is_printed(agent_tui: Runs) -> None:
    ran = agent_tui("open", "--plain", CYBERTRAVELS)
    card = agent_tui("score", CYBERTRAVELS).out
    assert (ran.status, ran.out.startswith(card)) == (0, True)
    told = ran.out.removeprefix(card).split("\n")
    assert told[1] == "runs by exact (6); agent-tui show PATH RUN prints the trajectory of one"
    assert " ".join(told[3].split()) == "R2 exact fail wrong_args output wrong"
    assert "\n".join(told[9:]) == agent_tui("show", CYBERTRAVELS, "R1").out


def test_the_runs_it_keeps_are_named_below_the_same_figures(agent_tui: Runs) -> None:
    card = agent_tui("score", CYBERTRAVELS).out
    ran = agent_tui("open", "--plain", CYBERTRAVELS, "--filter", "exact = fail and order_ignored = pass")
    assert (ran.status, ran.out.startswith(card)) == (0, True)
    told = ran.out.removeprefix(card).split("\n")
    assert told[1] == "filter exact = fail and order_ignored = pass keeps 1 of 6 runs; the figures above are of all 6"
    assert " ".join(told[2].split()) == "R4 exact fail order output wrong"
    assert "\n".join(told[4:]) == agent_tui("show", CYBERTRAVELS, "R4").out


def test_of_a_long_trajectory_the_first_lines_are_printed(agent_tui: Runs, tmp_path: Path) -> None:
    path = write_bundle(tmp_path, made_run("long", [], [call("a", n=number) for number in range(200)]))
    lines = agent_tui("open", "--plain", path).out.splitlines()
    whole = agent_tui("show", path, "long").out.splitlines()
    assert lines[-61:-1] == whole[:60]
    assert lines[-1] == f"… {len(whole) - 60} more lines (agent-tui show)"


def test_verdict_is_that_of_the_measure(agent_tui: Runs) -> None:
    options = ("--plain", CYBERTRAVELS, "--filter", "verdict = fail")
    assert "keeps 3 of 6 runs" in agent_tui("open", *options).out
    named = agent_tui("open", *options, "--matcher", "name_only").out
    assert "keeps 2 of 6 runs" in named
    assert "name_only fail" in named


def test_failed_calls_are_counted_for_it(agent_tui: Runs) -> None:
    ran = agent_tui("open", "--plain", CYBERTRAVELS, "--filter", "errors >= 0")
    assert "keeps 6 of 6 runs" in ran.out


def test_of_many_runs_some_are_named_and_the_rest_counted(agent_tui: Runs, tmp_path: Path) -> None:
    runs = [made_run(f"t{number}", [call("a")], [call("a")]) for number in range(30)]
    ran = agent_tui("open", "--plain", write_bundle(tmp_path, *runs), "--filter", "exact = pass")
    assert "keeps 30 of 30 runs" in ran.out
    assert "… 10 more (agent-tui score --csv has every run)" in ran.out


@pytest.mark.parametrize("filter_text", ["speed > 3", "exact =", "(", " "])
@pytest.mark.parametrize("plain", [["--plain"], []])
def test_a_bad_one_is_refused_and_nothing_is_printed(agent_tui: Runs, filter_text: str, plain: list[str]) -> None:
    ran = agent_tui("open", *plain, CYBERTRAVELS, "--filter", filter_text)
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith("agent-tui: filter")
    assert ran.err.count("\n") == 1
