"""How a command ends when something else than its input goes wrong."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import click
import pytest

from agent_tui.cli import commands
from tests.cli.conftest import Runs
from tests.growing import write_lines
from tests.tui.opened import call, made_run
from tests.writing import CYBERTRAVELS, ROOT, run_of, write_bundle

PROGRAM = [sys.executable, "-m", "agent_tui"]


@pytest.fixture
def broken_command(monkeypatch: pytest.MonkeyPatch) -> None:
    def burst() -> None:
        raise RuntimeError("boom\x1b[2J\nat line 2")

    command = click.Command("formats", callback=burst)
    monkeypatch.setattr(commands.Commands, "get_command", lambda *_: command)


@pytest.mark.usefixtures("broken_command")
def test_an_unforeseen_error_is_one_line_and_status_70(agent_tui: Runs) -> None:
    ran = agent_tui("formats")
    assert (ran.status, ran.out) == (70, "")
    assert ran.err == (
        "agent-tui: unexpected error RuntimeError: boom␛[2J⏎at line 2; "
        "set AGENT_TUI_LOG=FILE and run again, then report it\n"
    )


@pytest.mark.usefixtures("broken_command")
def test_the_log_keeps_every_traceback(agent_tui: Runs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = tmp_path / "bug.log"
    monkeypatch.setenv("AGENT_TUI_LOG", str(log))
    assert [agent_tui("formats").status for _ in range(2)] == [70, 70]
    text = log.read_text()
    assert text.count("Traceback (most recent call last)") == 2
    assert "in burst" in text
    assert "agent-tui 0." in text
    assert agent_tui("formats").err.endswith(f"report it with {log}\n")


@pytest.mark.usefixtures("broken_command")
def test_a_log_that_cannot_be_written_is_said(agent_tui: Runs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AGENT_TUI_LOG", str(tmp_path))
    ran = agent_tui("formats")
    assert (ran.status, len(ran.err.splitlines())) == (70, 1)
    assert "cannot be written: Is a directory" in ran.err


def test_an_interrupt_is_130(agent_tui: Runs, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted() -> None:
        raise KeyboardInterrupt

    command = click.Command("formats", callback=interrupted)
    monkeypatch.setattr(commands.Commands, "get_command", lambda *_: command)
    ran = agent_tui("formats")
    assert (ran.status, ran.err.strip()) == (130, "agent-tui: interrupted")


@pytest.mark.skipif(signal.getsignal(signal.SIGINT) == signal.SIG_IGN, reason="interrupts are ignored here")
def test_an_interrupt_while_reading_is_130_on_one_line() -> None:
    program = subprocess.Popen(
        [*PROGRAM, "score", "-"], cwd=ROOT, stdin=subprocess.PIPE, stderr=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert program.stdin is not None
    program.stdin.write(b'{"id": "a", "scores": {"success": 1}}\n' * 9000)
    program.stdin.flush()  # returns once the program has begun to read: it is more than a pipe holds
    program.send_signal(signal.SIGINT)
    out, err = program.communicate(timeout=30)
    assert (program.returncode, out) == (130, b"")
    assert err.decode().strip() == "agent-tui: interrupted"


@pytest.mark.skipif(shutil.which("nice") is None, reason="needs nice")
def test_a_signal_leaves_no_index_of_a_stream_behind(tmp_path: Path) -> None:
    runs = (made_run(f"r{n}", [call("a")], [call("a")], answer="long " * 1000) for n in range(20_000))
    path = write_lines(tmp_path / "runs.jsonl", runs)
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    with open(path, "rb") as file:
        environ, behind_us = os.environ | {"TMPDIR": str(temporary)}, ["nice", "-n", "19", *PROGRAM, "score", "-"]
        program = subprocess.Popen(
            behind_us, cwd=ROOT, env=environ, stdin=file, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        end = time.monotonic() + 120  # it is behind all others, of whom there may be many
        while not list(temporary.glob("agent-tui-index-*")):
            assert time.monotonic() < end
            assert program.poll() is None
        program.terminate()
        program.communicate(timeout=30)
    assert program.returncode == 128 + signal.SIGTERM
    assert list(temporary.iterdir()) == []


@pytest.mark.parametrize("form", ["--json", "--csv"])
def test_a_pipe_that_closes_early_ends_clean(tmp_path: Path, form: str) -> None:
    path = write_bundle(tmp_path / "many.json", *(run_of(f"run-{n}", scores={"success": 1}) for n in range(2000)))
    program = subprocess.Popen(
        [*PROGRAM, "score", path, form], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert program.stdout is not None
    assert program.stderr is not None
    assert program.stdout.readline()
    program.stdout.close()
    assert (program.wait(timeout=30), program.stderr.read()) == (0, b"")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_a_full_disk_is_told_in_a_line() -> None:
    with open("/dev/full", "wb") as full:
        ran = subprocess.run(
            [*PROGRAM, "score", CYBERTRAVELS], cwd=ROOT, stdout=full, stderr=subprocess.PIPE, check=False
        )
    assert ran.returncode == 2
    assert ran.stderr == b"agent-tui: cannot write to standard output: No space left on device\n"


def test_standard_input_is_read(tmp_path: Path) -> None:
    text = Path(CYBERTRAVELS).read_bytes()
    ran = subprocess.run([*PROGRAM, "score", "-", "--json"], cwd=ROOT, input=text, capture_output=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, b"")
    assert json.loads(ran.stdout)["tool_call_accuracy"]["n"] == 6


def completed(line: str, place: int, tmp_path: Path) -> list[str]:
    wish = {"COMP_WORDS": line, "COMP_CWORD": str(place), "_AGENT_TUI_COMPLETE": "bash_complete"}
    ran = subprocess.run(PROGRAM, cwd=ROOT, env=os.environ | wish, capture_output=True, text=True, check=True)
    return ran.stdout.split()


def test_the_shell_completes_commands_options_and_files(tmp_path: Path) -> None:
    assert completed("agent-tui s", 1, tmp_path) == ["plain,score", "plain,show", "plain,samples", "plain,schema"]
    assert completed("agent-tui score --ma", 2, tmp_path) == ["plain,--matcher"]
    assert completed("agent-tui score sam", 2, tmp_path) == ["file,sam"]
    assert completed("agent-tui score --color ", 3, tmp_path) == ["plain,auto", "plain,always", "plain,never"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_completion_script_calls_the_program(agent_tui: Runs, shell: str) -> None:
    ran = agent_tui("completion", shell)
    assert ran.status == 0
    assert f"_AGENT_TUI_COMPLETE={shell}_complete" in ran.out
