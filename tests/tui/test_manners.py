"""The manners of a terminal program: sizes, signals, lost connections, other terminals, multiplexers."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.tui.opened import CYBERTRAVELS, call, made_run, write_bundle
from tests.tui.pty_terminal import PtyTerminal, run_explorer

FRAME = b"\x1b[?2026h"
RUNS = "6 of 6"


def started(*options: str, width: int = 120, height: int = 40, **environ: str) -> PtyTerminal:
    """The explorer on the six runs, all drawn."""
    terminal = run_explorer(CYBERTRAVELS, *options, width=width, height=height, **environ)
    terminal.wait(lambda: RUNS in terminal.text and "▸R1" in terminal.text)
    terminal.silence(0.3)
    return terminal


# Sizes


def test_a_storm_of_sizes_is_drawn_once_when_it_is_over() -> None:
    with started() as terminal:
        before, start = terminal.text, len(terminal.output)
        for number in range(39):
            terminal.resize(70 + number * 7 % 60, 20 + number % 25)
            terminal.silence(0.02)
        terminal.resize(120, 40)
        terminal.wait(lambda: terminal.text == before)
        written = terminal.output[start:] + terminal.silence(0.3)
        assert len(written) <= 40_000
        assert written.count(FRAME) <= 4


@pytest.mark.parametrize("size", [(80, 24), (60, 15), (30, 8)])
def test_another_size_is_drawn_whole(size: tuple[int, int]) -> None:
    with started() as terminal, run_explorer(CYBERTRAVELS, width=size[0], height=size[1]) as other:
        other.wait_for("R1")
        other.silence(0.3)
        terminal.resize(*size)
        terminal.wait(lambda: terminal.text == other.text)


@pytest.mark.parametrize("size", [(1, 1), (2, 2), (29, 7), (29, 40), (120, 7), (30, 8), (59, 14), (60, 15), (300, 100)])
def test_no_size_is_too_much_for_the_keys(size: tuple[int, int]) -> None:
    with started() as terminal:
        terminal.resize(*size)
        terminal.silence(0.3)
        for key in ("j", "m", "3", "+", "?", "\x1b", "\x1b", "s", "\x1b", "\x1b", "G"):
            terminal.type(key)
            terminal.silence(0.05)
        terminal.resize(120, 40)
        terminal.wait_for(RUNS)
        terminal.type("\x1b")
        terminal.silence(0.2)
        terminal.type("q")
        assert terminal.end() == 0
        assert b"Traceback" not in terminal.output


@pytest.mark.parametrize("size", [(29, 20), (60, 7)])
def test_below_the_least_size_it_says_so_and_comes_back_with_its_focus(size: tuple[int, int]) -> None:
    with started() as terminal:
        terminal.resize(*size)
        terminal.wait_for("too small: 30x8 at least")
        terminal.resize(120, 40)
        terminal.wait_for(RUNS)
        terminal.press("j", "▸R2")


# Ends


def changed() -> PtyTerminal:
    """The explorer with the cursor on the second run and a value of it changed."""
    terminal = started()
    terminal.press("j", "▸R2")
    terminal.press("e", "R2 expected.calls[1].args.amount 140")
    terminal.press("0", "amount 1400")
    terminal.press("enter", "what-if: 1 change")
    return terminal


def hang_up(terminal: PtyTerminal) -> None:
    terminal.hang_up()


ENDS: dict[str, Callable[[PtyTerminal], None]] = {
    "hang-up": hang_up,
    **{
        name: lambda terminal, name=name: terminal.send(getattr(signal, name))  # type: ignore[misc]
        for name in ("SIGHUP", "SIGTERM", "SIGQUIT", "SIGKILL")
    },
}


@pytest.mark.parametrize("name", ENDS)
def test_whatever_ends_it_a_change_is_kept_and_offered_the_next_time(name: str, tmp_path: Path) -> None:
    with changed() as terminal:
        ENDS[name](terminal)
        terminal.end()
        assert name in ("SIGKILL", "hang-up") or terminal.is_clean
    [journal] = (tmp_path / "state" / "journal").glob("*.jsonl")
    assert b"1400" in journal.read_bytes()
    with started() as again:
        assert "1 change was left here" in again.text
        again.press("U", "what-if: 1 change")


@pytest.mark.parametrize("name", ["hang-up", "SIGHUP", "SIGTERM", "SIGQUIT"])
def test_a_signal_leaves_the_place_remembered_and_no_traceback(name: str, tmp_path: Path) -> None:
    with changed() as terminal:
        ENDS[name](terminal)
        status = terminal.end()
        assert name == "hang-up" or status == 128 + getattr(signal, name)
        assert b"Traceback" not in terminal.output
    places = json.loads((tmp_path / "state" / "settings.json").read_text())["places"]
    assert [place["run"] for place in places.values()] == ["R2"]


@pytest.mark.parametrize("name", ["hang-up", "SIGTERM", "q"])
def test_a_run_with_half_a_character_in_its_name_can_be_left(name: str, tmp_path: Path) -> None:
    runs = [made_run(name, [call("a")], [call("a")]) for name in ("one", "lone \ud800")]
    with run_explorer(write_bundle(tmp_path, *runs)) as terminal:
        terminal.wait_for("▸one")
        terminal.press("G", "▸lone")
        if name == "q":
            terminal.type("q")
        else:
            ENDS[name](terminal)
        status = terminal.end()
        assert name == "hang-up" or status == {"SIGTERM": 128 + signal.SIGTERM, "q": 0}[name]
        assert b"bug" not in terminal.output
    places = json.loads((tmp_path / "state" / "settings.json").read_text())["places"]
    assert [place["run"] for place in places.values()] == ["lone \ud800"]


def test_who_ends_it_and_continues_it_too_ends_it() -> None:
    with started() as terminal:
        terminal.send(signal.SIGTERM)
        for _ in range(400):
            terminal.send(signal.SIGCONT)
            terminal.silence(0.002)
        assert terminal.end() == 128 + signal.SIGTERM


@pytest.mark.parametrize("keys", ["", "?", "e", "s", "/word", "X"])
def test_a_signal_finds_it_ready_whatever_is_open(keys: str) -> None:
    with started() as terminal:
        terminal.type(keys)
        terminal.silence(0.2)
        terminal.send(signal.SIGTERM)
        assert terminal.end() == 128 + signal.SIGTERM
        assert terminal.is_clean


def test_suspended_it_leaves_the_terminal_to_the_shell_and_comes_back_whole() -> None:
    with changed() as terminal:
        before = terminal.text
        terminal.type("\x1a")
        terminal.wait(lambda: b"\x1b[?1049l" in terminal.output)
        os.waitpid(terminal._pid, os.WUNTRACED)
        terminal.silence(0.2)
        assert terminal.is_clean
        terminal.screen.reset()
        terminal.send(signal.SIGCONT)
        terminal.wait(lambda: terminal.text == before)
        terminal.press("k", "▸R1")


# Terminals


@pytest.mark.parametrize("environ", [{"TERM": "dumb"}, {"TERM": "unknown"}, {"TERM": ""}, {"plain": "1"}])
def test_where_text_cannot_be_placed_the_scorecard_is_printed(environ: dict[str, str]) -> None:
    options = ["--plain"] if environ.pop("plain", "") else []
    with run_explorer(CYBERTRAVELS, *options, **environ) as terminal:
        assert terminal.end() == 0
        assert b"exact" in terminal.output
        assert b"3/6" in terminal.output
        assert b"\x1b[?" not in terminal.output


@pytest.mark.parametrize("options", [[], ["--plain"]])
def test_without_a_terminal_the_scorecard_is_printed(options: list[str]) -> None:
    command = [sys.executable, "-m", "agent_tui", CYBERTRAVELS, *options]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=60, check=False)
    assert done.returncode == 0
    assert b"3/6" in done.stdout
    assert b"\x1b" not in done.stdout


@pytest.mark.parametrize("term", ["linux", "xterm", "vt100", "screen", "screen-256color", "tmux-256color", "nonsense"])
def test_every_terminal_shows_the_same_text(term: str) -> None:
    with started(TERM=term, COLORTERM="") as terminal, started() as usual:
        assert terminal.text == usual.text
        assert b"38;2;" not in terminal.output
        terminal.press("j", "▸R2")
        terminal.press("m", "name-only 4/6 .667")


@pytest.mark.parametrize("options", [{"NO_COLOR": "1"}, {"COLORTERM": "", "TERM": "xterm"}])
def test_a_verdict_is_told_without_colours(options: dict[str, str]) -> None:
    with started(**options) as terminal:
        assert "✗ args" in terminal.text
        assert b"38;2;" not in terminal.output


def test_a_terminal_that_knows_only_ascii_gets_only_ascii() -> None:
    with run_explorer(CYBERTRAVELS, LC_ALL="C") as terminal:
        terminal.wait_for(RUNS)
        terminal.press("j", ">R2")
        terminal.press("?", "Help")
        assert terminal.output.isascii()


def test_nothing_that_is_sent_to_the_clipboard_is_called_copied() -> None:
    callers = [text for path in Path("agent_tui/tui").rglob("*.py") if "clipboard" in (text := path.read_text())]
    assert callers
    assert [text for text in callers if re.search(r"\bcopied\b", text)] == []


# Multiplexers


@pytest.fixture(params=["tmux", "screen"])
def inside(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[PtyTerminal]:
    """A shell in a multiplexer, with nothing of the user's."""
    name: str = request.param
    if shutil.which(name) is None:
        pytest.skip(f"there is no {name}")
    socket, shell = tmp_path / "socket", tmp_path / "shell"
    shell.write_text("#!/bin/sh\nPS1='READY: ' exec sh -i\n")
    shell.chmod(0o700)
    (tmp_path / "rc").write_text("")
    argv = {
        "tmux": ["tmux", "-S", str(socket), "-f", "/dev/null", "new-session", str(shell)],
        "screen": ["screen", "-U", "-c", str(tmp_path / "rc"), "-S", "manners", str(shell)],
    }[name]
    folder = tmp_path / "screens"
    folder.mkdir(mode=0o700)
    environ = {**os.environ, "TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "SCREENDIR": str(folder), "ENV": ""}
    with PtyTerminal(argv, environ, 110, 34) as terminal:
        terminal.wait_for("READY:")
        yield terminal
        kill = {"tmux": ["tmux", "-S", str(socket), "kill-server"], "screen": ["screen", "-S", "manners", "-X", "quit"]}
        subprocess.run(kill[name], env=environ, check=False, capture_output=True)


def test_in_a_multiplexer_it_opens_suspends_returns_and_leaves(inside: PtyTerminal) -> None:
    inside.type(f"{sys.executable} -m agent_tui {CYBERTRAVELS}\r")
    inside.wait_for(RUNS)
    inside.press("j", "▸R2")
    inside.type("\x1a")
    inside.wait(lambda: RUNS not in inside.text and "READY:" in inside.text)
    inside.type("fg\r")
    inside.wait(lambda: RUNS in inside.text and "▸R2" in inside.text and "READY:" not in inside.text)
    inside.type("q")
    inside.wait(lambda: RUNS not in inside.text and "READY:" in inside.text)
