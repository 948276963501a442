"""What is made of the environment."""

from __future__ import annotations

import pytest

from agent_tui.tui.terminal import read_terminal
from agent_tui.tui.theme import ASCII, UNICODE


@pytest.mark.parametrize(
    ("environ", "colours"),
    [
        ({"TERM": "xterm-256color"}, "256"),
        ({"TERM": "xterm-256color", "COLORTERM": "truecolor"}, "truecolor"),
        ({"TERM": "xterm"}, "16"),
        ({"TERM": "linux"}, "16"),
        ({"TERM": "xterm-256color", "NO_COLOR": "1"}, "none"),
        ({"TERM": "xterm-256color", "NO_COLOR": ""}, "256"),
        ({}, "16"),
    ],
)
def test_colours(environ: dict[str, str], colours: str) -> None:
    assert read_terminal(environ, "utf-8").colours == colours


def test_the_mouse_is_off_over_ssh() -> None:
    assert read_terminal({"TERM": "xterm"}, "utf-8").mouse
    assert not read_terminal({"TERM": "xterm", "SSH_CONNECTION": "10.0.0.1 2 10.0.0.2 22"}, "utf-8").mouse


@pytest.mark.parametrize(
    ("encoding", "glyphs"),
    [("UTF-8", UNICODE), ("utf8", UNICODE), ("ANSI_X3.4-1968", ASCII), ("latin-1", ASCII), ("?", ASCII)],
)
def test_glyphs_follow_the_locale(encoding: str, glyphs: object) -> None:
    assert read_terminal({"TERM": "xterm"}, encoding).glyphs is glyphs


@pytest.mark.parametrize(("term", "dumb"), [("", True), ("dumb", True), ("vt100", False)])
def test_a_dumb_terminal_is_known(term: str, dumb: bool) -> None:
    assert read_terminal({"TERM": term}, "utf-8").dumb is dumb


def test_screen_is_not_trusted_to_erase_in_a_background() -> None:
    assert read_terminal({"TERM": "tmux-256color"}, "utf-8").erases
    assert not read_terminal({"TERM": "screen-256color"}, "utf-8").erases
