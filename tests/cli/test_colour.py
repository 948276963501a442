"""Colour is put on for people at a terminal, and for nobody else."""

from __future__ import annotations

import sys

import pytest

from agent_tui.cli.colour import is_coloured, paint
from tests.cli.conftest import Runs
from tests.writing import CYBERTRAVELS

FLIP = ["flip", CYBERTRAVELS, "--set", "R2", "expected.calls[1].args.amount", "1400"]
TEXTS = [["score", CYBERTRAVELS], ["show", CYBERTRAVELS, "R2"], FLIP, ["open", "--plain", CYBERTRAVELS]]


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)


@pytest.mark.parametrize("command", TEXTS, ids=lambda command: command[0])
def test_a_pipe_gets_no_colour_unless_it_is_asked_for(agent_tui: Runs, command: list[str]) -> None:
    plain = agent_tui(*command)
    assert "\x1b" not in plain.out
    assert agent_tui(*command, "--color", "never").out == plain.out
    assert "\x1b[1m" in agent_tui(*command, "--color", "always").out


@pytest.mark.parametrize("form", ["--json", "--md", "--csv", "--junit"])
def test_what_programs_read_is_never_coloured(agent_tui: Runs, form: str) -> None:
    asked = agent_tui("score", CYBERTRAVELS, form, "--color", "always")
    assert asked.out == agent_tui("score", CYBERTRAVELS, form).out
    assert "\x1b" not in asked.out


@pytest.mark.parametrize(
    ("name", "value", "coloured"),
    [("NO_COLOR", "1", False), ("NO_COLOR", "", True), ("TERM", "dumb", False), ("TERM", "xterm", True)],
)
def test_a_terminal_gets_colour_unless_the_surroundings_say_no(
    monkeypatch: pytest.MonkeyPatch, terminal: None, name: str, value: str, coloured: bool
) -> None:
    monkeypatch.setenv(name, value)
    assert is_coloured("auto") is coloured
    assert (is_coloured("always"), is_coloured("never")) == (True, False)


def test_headings_gaps_notices_and_verdicts_have_their_colours() -> None:
    lines = [
        "bundle  6 runs",
        "levels",
        "  name_only  4/6  .667   .30–.90   +.167  1 unscoreable",
        "exact: 3 pass + 3 fail",
    ]
    assert paint("\n".join(lines)).split("\n") == [
        "\x1b[1mbundle  6 runs\x1b[0m",
        "\x1b[1mlevels\x1b[0m",
        "  name_only  4/6  .667   .30–.90   \x1b[33m+.167\x1b[0m  \x1b[33m1 unscoreable\x1b[0m",
        "exact: 3 \x1b[32mpass\x1b[0m + 3 \x1b[31mfail\x1b[0m",
    ]


@pytest.mark.parametrize(
    "line", ["    result all tests fail", "▸ call pass", "  ≠ pass {} ∥ fail", "0 fail + 0 errored"]
)
def test_recorded_words_and_noughts_are_left_alone(line: str) -> None:
    assert paint(f"\n{line}") == f"\n{line}"
