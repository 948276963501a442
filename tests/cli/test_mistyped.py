"""A first word that is nearly a command, and names that are empty or not there: one line, and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from agent_tui.cli.commands import COMMANDS, PLANNED
from tests.cli.conftest import Runs
from tests.writing import CYBERTRAVELS


def swapped(word: str) -> str:
    """A word with two letters in the middle swapped."""
    return f"{word[:2]}{word[3]}{word[2]}{word[4:]}"


def cut(word: str) -> str:
    """A word without its last letter."""
    return word[:-1]


@pytest.mark.parametrize("slip", [swapped, cut, str.upper, "{}e".format], ids=["swapped", "cut", "capitals", "longer"])
@pytest.mark.parametrize("name", [*COMMANDS, *PLANNED])
def test_a_misspelt_command_is_refused_with_the_one_that_was_meant(
    agent_tui: Runs, name: str, slip: Callable[[str], str]
) -> None:
    typed = slip(name)
    if typed == name:
        return
    ran = agent_tui(typed, CYBERTRAVELS)
    assert (ran.status, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert f"{typed}: no such file or command, did you mean {name}?" in ran.err


def test_alone_it_is_refused_alike(agent_tui: Runs) -> None:
    assert agent_tui("scoer").status == 2


@pytest.mark.parametrize("word", ["nope", "runs", "logs", "scoer.json", "./scoer", "out/scoer"])
def test_a_word_that_is_like_no_command_is_a_path_that_is_skipped(agent_tui: Runs, word: str) -> None:
    ran = agent_tui(word, CYBERTRAVELS)
    assert (ran.status, ran.err) == (
        0,
        f"skipped: {word}: no such file or folder; agent-tui samples lists what ships\n",
    )


def test_a_file_of_that_name_is_opened(agent_tui: Runs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "scoer").write_bytes(Path(CYBERTRAVELS).read_bytes())
    monkeypatch.chdir(tmp_path)
    ran = agent_tui("scoer")
    assert (ran.status, ran.err, "6 runs" in ran.out) == (0, "", True)


@pytest.mark.parametrize(
    "words",
    [[""], ["score", ""], ["score", CYBERTRAVELS, ""], ["check", ""], ["show", "", "R1"], ["mutate", ""],
     ["score", CYBERTRAVELS, "--references", ""], ["open", "--plain", CYBERTRAVELS, "--patch", ""]],
)  # fmt: skip
def test_an_empty_name_is_said_to_be_empty(agent_tui: Runs, words: list[str]) -> None:
    ran = agent_tui(*words)
    assert (ran.status, ran.out) == (2, "")
    assert ran.err == "agent-tui: a path is an empty name: is a variable of the shell not set?\n"


@pytest.mark.parametrize("command", ["score", "check", "open"])
def test_what_is_not_there_is_one_line(agent_tui: Runs, command: str) -> None:
    ran = agent_tui(command, "nope")
    assert (ran.status, ran.out) == (3, "")
    assert ran.err == "agent-tui: nope: no such file or folder; agent-tui samples lists what ships\n"


def test_check_of_some_that_are_not_there_says_how_many(agent_tui: Runs) -> None:
    ran = agent_tui("check", "nope", "nil", "none")
    assert (ran.status, ran.out, ran.err.count("\n")) == (3, "", 1)
    assert "nope: no such file or folder" in ran.err
    assert "(and 2 more)" in ran.err


def test_check_still_has_a_document_of_what_is_not_there(agent_tui: Runs) -> None:
    ran = agent_tui("check", "nope", "--json")
    assert (ran.status, [each["kind"] for each in ran.document["problems"]]) == (3, ["missing_file"])
