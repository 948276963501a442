"""The README tells the truth: its commands run, its keys, formats and exit statuses exist."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from agent_tui import errors
from agent_tui.cli import INTERRUPTED, UNEXPECTED, run
from agent_tui.readers import formats
from agent_tui.tui.actions import ACTIONS

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text("utf-8")
BLOCKS = re.findall(r"```sh\n(.*?)```", README, re.DOTALL)
COMMANDS = [line.split("#")[0].strip() for block in BLOCKS for line in block.splitlines() if line.strip()]
SET_UP = [command for command in COMMANDS if command.startswith("python3 -m venv")]
PLAIN = [command for command in COMMANDS if command not in SET_UP]
CODE = re.findall(r"`([^`\n]+)`", re.sub(r"```.*?```", "", README, flags=re.DOTALL))


@pytest.mark.parametrize("command", PLAIN)
def test_a_command_runs(command: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(ROOT)
    program, *arguments = shlex.split(command)
    assert program == ".venv/bin/agent-tui"
    assert run(arguments) == 0
    assert capsys.readouterr().out


def test_the_two_commands_are_those_of_the_gate() -> None:
    gate = (ROOT / ".ci" / "run").read_text("utf-8").splitlines()
    assert len(SET_UP) == 2
    assert all(command in gate for command in SET_UP)


def test_every_key_of_the_tour_is_bound() -> None:
    bound = {key for action in ACTIONS for key in action.shown_keys.split()} | {"Enter", "Esc", "*"}
    tour = README[README.index("## Five minutes") : README.index("## What is measured")]
    keys = {code for code in re.findall(r"`([^`\n]+)`", tour) if len(code) <= 2 or code in {"Enter", "Esc"}}
    assert keys
    assert keys <= bound | {"R2"}


def test_every_exit_status_is_one_that_is_left_with() -> None:
    told = {int(status) for status in re.findall(r"^\| (\d+) \|", README, re.MULTILINE)}
    classes = (
        errors.GateNotMet,
        errors.NotPossible,
        errors.NothingReadable,
        errors.BudgetReached,
        errors.ProviderFailed,
    )
    assert told == {0, *(each.exit_status for each in classes), UNEXPECTED, INTERRUPTED}


def test_every_option_it_names_exists(capsys: pytest.CaptureFixture[str]) -> None:
    for command in ([], ["open"], ["score"], ["judge"]):
        run([*command, "--help"])
    known = capsys.readouterr().out
    named = {word for code in CODE for word in code.split() if word.startswith("--")}
    assert named
    assert {option for option in named if option not in known} == set()


def test_the_formats_it_names_can_be_read_and_its_pictures_are_there() -> None:
    titles = " ".join(form.title for form in formats())
    assert all(name.split("/")[0] in titles for name in ("agent-tui/1", "Inspect", "tau2-bench", "OpenAI"))
    pictures = re.findall(r"!\[[^]]*\]\(([^)]+)\)", README)
    assert pictures
    assert all((ROOT / picture).is_file() for picture in pictures)
