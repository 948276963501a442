"""The explorer on a pseudo-terminal: bytes, ends, signals, hostile text."""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from pathlib import Path

import pytest

from tests.tui.opened import CYBERTRAVELS, call, made_run, write_bundle
from tests.tui.pty_terminal import PtyTerminal, run_explorer

HOSTILE = "tests/cases/14-terminal-control-sequences/run.json"
POINTER_SHAPE = b"\x1b]22;default\x07"
"""Textual's own."""
FRAME = b"\x1b[?2026h"


def started(*arguments: str, shown: str = "6 of 6", **options: object) -> PtyTerminal:
    """The explorer, with everything read and drawn."""
    terminal = run_explorer(*(arguments or (CYBERTRAVELS,)), **options)  # type: ignore[arg-type]
    terminal.wait(lambda: shown in terminal.text and "so far" not in terminal.text)
    terminal.silence(0.3)
    return terminal


def in_a_shell(line: str) -> PtyTerminal:
    """A line of a shell in a terminal, `$EXPLORER` in it; the shell makes place for its last command."""
    explorer = {"EXPLORER": f"{sys.executable} -m agent_tui", "PYTHONPATH": os.getcwd(), "TERM": "xterm-256color"}
    return PtyTerminal(["bash", "-c", line], {**os.environ, **explorer})


@pytest.mark.parametrize("line", [f"$EXPLORER {CYBERTRAVELS} 2>&-", f"$EXPLORER {CYBERTRAVELS} 2>/dev/null"])
def test_the_screen_is_drawn_on_standard_output_where_errors_go_elsewhere(line: str) -> None:
    with in_a_shell(line) as terminal:
        terminal.wait_for("6 of 6")
        terminal.type("q")
        assert terminal.end() == 0
        assert terminal.is_clean


def test_a_pipe_whose_writer_goes_on_does_not_keep_the_program() -> None:
    with in_a_shell(f"$EXPLORER <(cat {CYBERTRAVELS}; exec sleep 60 < /dev/null 2> /dev/null)") as terminal:
        terminal.wait_for("so far")
        terminal.type("q")
        assert terminal.end() == 0
        assert terminal.is_clean


@pytest.mark.parametrize(
    ("line", "status", "said"),
    [("$EXPLORER -", 2, "standard input is the terminal"), ("$EXPLORER - <&-", 3, "-: empty file")],
)
def test_runs_that_cannot_come_by_standard_input_are_refused(line: str, status: int, said: str) -> None:
    with in_a_shell(line) as terminal:
        terminal.wait_for(said)
        assert terminal.end() == status


def test_runs_that_come_by_a_pipe_are_explored_with_keys_from_the_terminal() -> None:
    command = f"cat {CYBERTRAVELS} | {sys.executable} -m agent_tui -"
    environ = {**os.environ, "TERM": "xterm-256color", "PYTHONPATH": os.getcwd()}
    with PtyTerminal(["sh", "-c", command], environ) as terminal:
        terminal.wait_for("6 of 6")
        terminal.press("m", "name-only 4/6 .667  +.167 against exact")
        terminal.type("q")
        assert terminal.end() == 0
        assert terminal.is_clean


# Bytes


def test_starting_stays_within_the_budget() -> None:
    with started() as terminal:
        assert len(terminal.output) <= 40_000


def test_a_cursor_move_that_the_trajectory_follows_stays_within_the_budget() -> None:
    with started() as terminal:
        for row, task in ((2, "double-charge"), (3, "refund-limit"), (4, "move-trip")):
            written = terminal.press("down", f"R{row}  {task}") if task else b""
            written += terminal.silence(0.2)
            assert len(written) <= 5_000
            assert written.count(FRAME) <= 3


def test_a_toggle_stays_within_the_budget() -> None:
    with started() as terminal:
        for until in ("name-only 4/6", "order-ignored 4/6"):
            written = terminal.press("m", f" {until} .667") + terminal.silence(0.3)
            assert len(written) <= 2_000
            assert written.count(FRAME) == 1


@pytest.mark.parametrize(
    ("key", "until"),
    [
        ("tab", "R1"),
        ("1", "R1"),
        ("d", "R2  double"),
        ("]", "R2  double"),
        ("s", "Sort by"),
        ("f", "ready filters"),
        ("e", "R1 "),
        ("J", "scripts, no model"),
        ("ctrl+p", "What to do"),
    ],
)
def test_a_key_is_drawn_in_two_frames_at_most(key: str, until: str) -> None:
    with started() as terminal:
        written = terminal.press(key, until) + terminal.silence(0.1)
        assert written.count(FRAME) <= 2


def test_a_change_is_drawn_in_two_frames_at_most() -> None:
    with started() as terminal:
        terminal.press("down", "R2  double")
        terminal.press("e", "R2 expected.calls[1].args.amount 140")
        terminal.press("0", "amount 1400")
        written = terminal.press("enter", "what-if: 1 change") + terminal.silence(0.1)
        assert written.count(FRAME) <= 2
        assert "R2 passes now" in terminal.text


def test_a_still_screen_is_still() -> None:
    with started() as terminal:
        terminal.press("m", "moved: R2")
        assert terminal.silence(1.0) == b""


# Ends


def test_q_quits_and_leaves_the_terminal_clean() -> None:
    with started() as terminal:
        os.write(terminal._fd, b"q")
        assert terminal.end() == 0
        assert terminal.is_clean


@pytest.mark.parametrize("key", ["escape", "ctrl+c"])
def test_no_other_key_quits(key: str) -> None:
    with started() as terminal:
        terminal.press(key, "q quits")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_leaves_the_terminal_clean_and_the_place_remembered(number: signal.Signals, tmp_path: Path) -> None:
    with started() as terminal:
        terminal.press("down", "R2  double-charge")
        terminal.send(number)
        assert terminal.end() == 128 + number
        assert terminal.is_clean
        assert b"Traceback" not in terminal.output
    places = json.loads((tmp_path / "state" / "settings.json").read_text())["places"]
    assert [place["run"] for place in places.values()] == ["R2"]


def test_a_closed_terminal_is_remembered_too(tmp_path: Path) -> None:
    with started() as terminal:
        terminal.press("down", "R2  double-charge")
        terminal.hang_up()
        terminal.end()
    places = json.loads((tmp_path / "state" / "settings.json").read_text())["places"]
    assert [place["run"] for place in places.values()] == ["R2"]


def test_a_program_that_is_continued_without_a_stop_starts_nothing_twice() -> None:
    with started() as terminal:
        terminal.send(signal.SIGCONT)
        terminal.press("down", "R2  double-charge")
        assert terminal.output.count(b"\x1b[?1049h") == 1
        terminal.hang_up()
        terminal.end()


def test_the_screen_comes_back_whole_from_the_shell() -> None:
    with started() as terminal:
        before = terminal.text
        os.write(terminal._fd, b"\x1a")
        terminal.wait(lambda: b"\x1b[?1049l" in terminal.output)
        _wait_until_stopped(terminal._pid)
        terminal.screen.reset()
        terminal.send(signal.SIGCONT)
        terminal.wait(lambda: terminal.text == before)


def _wait_until_stopped(pid: int) -> None:
    os.waitpid(pid, os.WUNTRACED)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, "no such file"),
        ("", "empty"),
        ('{"schema": "agent-tui/1", "runs": []}', "no runs"),
        ("hello", "no format"),
    ],
)
def test_what_holds_no_run_ends_with_one_line(tmp_path: Path, content: str | None, said: str) -> None:
    path = tmp_path / "runs.json"
    if content is not None:
        path.write_text(content)
    with run_explorer(str(path)) as terminal:
        assert terminal.end() == 3
        assert terminal.is_clean
        told = terminal.output.rpartition(b"\x1b[?1049l")[2]
        assert b"agent-tui: " in told
        assert b"runs.json" in told
        assert said.encode() in told
        assert b"Traceback" not in told


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[keys]\nhelp = ", "config.toml"),
        ('[keys]\n"matcher.nxt" = "x"', "matcher.next"),
        ("[view]\nmouse = 3", "mouse"),
        ("[limits]\npipe = 0", "limits.pipe"),
    ],
)
def test_a_bad_configuration_ends_with_one_line(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "config.toml").write_text(text)
    with run_explorer(CYBERTRAVELS) as terminal:
        assert terminal.end() == 2
        assert said.encode() in terminal.output
        assert b"Traceback" not in terminal.output


def test_a_bug_of_ours_shows_no_text_of_the_runs(tmp_path: Path) -> None:
    path = write_bundle(tmp_path, made_run("secret-run", input="secret words"))
    log = tmp_path / "log"
    code = (
        "import agent_tui.tui.screens.main as main, sys\n"
        "def broken(self):\n    text = self.session.bundle.run(0).input\n    raise RuntimeError('broken \\x1b[2J')\n"
        "main.MainScreen.action_theme = broken\n"
        "from agent_tui.cli import main as run\nsys.argv = ['agent-tui', sys.argv[1]]\nsys.exit(run())\n"
    )
    script = tmp_path / "broken_app.py"
    script.write_text(code)
    environ = {
        **os.environ,
        "TERM": "xterm-256color",
        "LC_ALL": "C.UTF-8",
        "AGENT_TUI_LOG": str(log),
        "PYTHONPATH": os.getcwd(),
    }
    with PtyTerminal([os.sys.executable, str(script), path], environ) as terminal:  # type: ignore[attr-defined]
        terminal.wait_for("1 of 1")
        os.write(terminal._fd, b"T")
        assert terminal.end() == 70
        told = terminal.output.rpartition(b"\x1b[?1049l")[2]
        assert b"bug in agent-tui" in told
        assert b"secret" not in told
        assert b"\x1b[2J" not in told
    assert "RuntimeError" in log.read_text()


def test_the_mouse_can_be_left_to_the_terminal(tmp_path: Path) -> None:
    with started("--no-mouse", CYBERTRAVELS) as terminal:
        assert b"\x1b[?1000h" not in terminal.output
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "config.toml").write_text("[view]\nmouse = false\ntheme = 'light'")
    with started() as terminal:
        assert b"\x1b[?1000h" not in terminal.output
        assert b"48;2;251;250;247" in terminal.output
    with started("--mouse", "--theme", "dark", CYBERTRAVELS) as terminal:
        assert b"\x1b[?1000h" in terminal.output
        assert b"48;2;251;250;247" not in terminal.output


# What comes from the runs stays text

BACK = ("escape", "t1")
KEYS = (
    *(("down", "t2"), ("up", "t1"), ("1", "t1"), ("p", "Where it comes from"), BACK),
    *(("2", "t1"), ("m", "moved"), ("4", "What moved"), BACK, BACK),
    *(("s", "Sort by"), BACK, ("C", "Columns"), BACK, ("P", "Skipped"), BACK, ("?", "Keys"), BACK),
    *(("3", "t1"), ("+", "t1"), ("end", "t1"), ("enter", "characters"), BACK, BACK, ("ctrl+p", "what to do"), BACK),
)
ACTING = (
    *(b"\x1b]0;owned", b"\x1b]52", b"\x1b]8", b"\x1b[2J", b"\x1bP", b"\x1bc"),
    *(b"\xc2\x9b", b"\x00", b"\x07", b"\x7f", "\u202e".encode()),
)


def test_no_control_character_of_a_run_reaches_the_terminal() -> None:
    with started(HOSTILE, shown="2 of 2", TERM="xterm-256color") as terminal:
        for key, until in KEYS:
            terminal.press(key, until)
            terminal.silence(0.05)
        assert "t1␛]0;owned␇" in terminal.text
        written = terminal.output.replace(POINTER_SHAPE, b"")
        assert [sequence for sequence in ACTING if sequence in written] == []


@pytest.mark.parametrize("environ", [{}, {"NO_COLOR": "1"}, {"TERM": "xterm", "COLORTERM": ""}, {"LC_ALL": "C"}])
def test_every_pane_is_drawn_whatever_the_terminal_knows(environ: dict[str, str]) -> None:
    with started(**environ) as terminal:
        for text in ("Scorecard", "Runs", "exact", "R6", "cancel-and-refund", "3 pass", "6 of 6"):
            assert text in terminal.text
        if "LC_ALL" in environ:
            assert terminal.text.isascii()
            assert terminal.output.isascii()
        if "NO_COLOR" in environ:
            assert b"38;5;" not in terminal.output


# Big ones


@pytest.fixture(scope="module")
def big(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("big")
    maker = "tests/cases/24-large-inputs/make_input.py"
    os.spawnv(os.P_WAIT, os.sys.executable, ["python", maker, str(folder)])  # type: ignore[attr-defined]
    return folder


def test_rows_appear_while_a_big_bundle_is_read_and_its_numbers_are_complete(big: Path) -> None:
    with run_explorer(str(big / "wide.json")) as terminal:
        terminal.wait_for("t0000")
        terminal.press("down", "▸t0001")
        terminal.wait_for("3,000 of 3,000")
        terminal.wait_for("2,157/3,000")
        written = terminal.press("m", " name-only 2,373/3,000") + terminal.silence(0.3)
        assert len(written) <= 3_000


def test_the_sides_stand_in_the_title_once_everything_is_read(big: Path) -> None:
    with run_explorer(str(big / "wide.json")) as terminal:
        terminal.wait_for("3,000 of 3,000")
        terminal.wait_for("t0000 ─  expected  made")


def test_a_needle_deep_in_a_long_run_is_found_and_shown(big: Path) -> None:
    with run_explorer(str(big / "deep.jsonl")) as terminal:
        terminal.wait_for("1 of 1")
        terminal.press("/", "search everything")
        os.write(terminal._fd, b"needle-19876\r")
        terminal.wait_for("found in deep")
        terminal.wait_for("result  needle-19876")


def test_a_key_is_answered_while_a_bundle_is_read(tmp_path: Path) -> None:
    calls = [call("look_up", number=number) for number in range(40)]
    path = write_bundle(tmp_path, *(made_run(f"t{number}", calls, calls) for number in range(4000)))
    with run_explorer(path) as terminal:
        terminal.wait_for("▸t0")
        began = time.monotonic()
        terminal.press("down", "▸t1")
        assert time.monotonic() - began < 5
        terminal.wait_for("4,000 of 4,000")


# Input that nobody types


@pytest.mark.parametrize("typed", [b"\xff", b"\xe9j", b"\xc3j\xff\xff"])
def test_bytes_that_are_no_utf_8_end_nothing(typed: bytes) -> None:
    with started() as terminal:
        terminal.press("?", "to the scorecard")
        os.write(terminal._fd, typed)
        terminal.silence(0.3)
        terminal.press("escape", "6 of 6")
        os.write(terminal._fd, b"q")
        assert terminal.end() == 0


@pytest.mark.parametrize("typed", [b"o\r\r\r", b"s\rs\rs\r", b"s\r\r\r\r", b"?\x1b\x1b"])
def test_keys_typed_ahead_of_a_screen_end_nothing(typed: bytes) -> None:
    with started() as terminal:
        os.write(terminal._fd, typed)
        terminal.silence(1.0)
        os.write(terminal._fd, b"\x1b")
        terminal.silence(0.3)
        os.write(terminal._fd, b"\x1b")
        terminal.silence(0.3)
        os.write(terminal._fd, b"q")
        assert terminal.end() == 0
