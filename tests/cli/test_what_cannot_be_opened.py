"""What may not be read, pipes, and streams that are closed: told in a line, and the rest is read."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.conftest import Ran, Runs
from tests.writing import CYBERTRAVELS, ROOT, run_of, write_bundle

WITHOUT_RIGHTS = """
import contextlib, glob, io, os, sys
from agent_tui.cli import run

with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
    for command in (["score"], ["check"]):  # root may lose the right to import what is not loaded yet
        for path in ("sample_runs/cybertravels.json", sys.argv[1]):
            run([*command, path])
os.chdir("/")
if os.geteuid() == 0:
    os.setgroups([])
    os.setresgid(65534, 65534, 65534)
    os.setresuid(65534, 65534, 65534)
sys.exit(run(sys.argv[2:]))
"""


@pytest.fixture
def public() -> Iterator[Path]:
    """A folder that others may enter, as the temporary ones of tests are not."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    yield folder
    for path in [folder, *folder.rglob("*")]:
        path.chmod(0o755)
    shutil.rmtree(folder)


@pytest.fixture
def good(public: Path) -> str:
    return write_bundle(public / "good.json", run_of("a", [], []))


def without_rights(public: Path, *arguments: str) -> Ran:
    """The command line for somebody who is not root."""
    warm = public / "warm"
    warm.mkdir()
    (warm / "bundle.toml").write_text('runs = "../good.json"')
    program = [sys.executable, "-c", WITHOUT_RIGHTS, str(warm), *arguments]
    ran = subprocess.run(program, cwd=ROOT, capture_output=True, text=True, check=False)
    return Ran(ran.returncode, ran.stdout, ran.stderr)


def closed(path: Path, mode: int = 0) -> str:
    path.chmod(mode)
    return str(path)


def test_one_file_that_may_not_be_read_is_told_and_the_others_are_read(public: Path, good: str) -> None:
    bad = closed(Path(write_bundle(public / "bad.json", run_of("b"))))
    ran = without_rights(public, "score", good, bad)
    assert (ran.status, ran.err) == (0, f"skipped: {bad}: cannot be read: Permission denied\n")
    assert "exact                       1/1" in ran.out


def test_one_file_that_may_not_be_read_is_1_where_nothing_may_be_skipped(public: Path, good: str) -> None:
    bad = closed(Path(write_bundle(public / "bad.json", run_of("b"))))
    assert without_rights(public, "score", good, bad, "--strict").status == 1


@pytest.mark.parametrize("name", ["", "bundle.toml", "*.json", "a.json"])
@pytest.mark.parametrize("command", ["score", "check"])
def test_a_folder_that_may_not_be_entered_is_nothing_to_read(public: Path, good: str, command: str, name: str) -> None:
    (public / "in").mkdir()
    (public / "in" / "bundle.toml").write_text('runs = ["*.json"]')
    write_bundle(public / "in" / "a.json", run_of("b"))
    folder = closed(public / "in")
    ran = without_rights(public, command, str(Path(folder, name)))
    assert (ran.status, (ran.out + ran.err).count("cannot be read: Permission denied\n")) == (3, 1)


def test_a_manifest_that_may_not_be_read_is_told(public: Path, good: str) -> None:
    (public / "in").mkdir()
    (public / "in" / "bundle.toml").write_text('runs = ["*.json"]')
    place = closed(public / "in" / "bundle.toml")
    ran = without_rights(public, "score", str(public / "in"))
    assert (ran.status, ran.err) == (3, f"agent-tui: {place}: cannot be read: Permission denied\n")


def test_a_folder_that_may_only_be_entered_says_that_it_cannot_be_listed(public: Path, good: str) -> None:
    (public / "in").mkdir()
    (public / "in" / "bundle.toml").write_text('runs = ["*.json"]')
    closed(public / "in", 0o311)
    ran = without_rights(public, "score", str(public / "in"))
    assert (ran.status, ran.err.endswith("*.json: the folder cannot be listed: Permission denied\n")) == (3, True)


@pytest.mark.parametrize("option", ["--rules", "--references", "--patch"])
def test_a_file_of_an_option_that_may_not_be_read_is_2(public: Path, good: str, option: str) -> None:
    bad = closed(Path(write_bundle(public / "bad.json", run_of("b"))))
    ran = without_rights(public, "score", good, option, bad)
    assert (ran.status, len(ran.err.splitlines()), "Permission denied" in ran.err) == (2, 1, True)


def test_references_that_are_not_there_say_so(agent_tui: Runs, tmp_path: Path) -> None:
    ran = agent_tui("score", CYBERTRAVELS, "--references", str(tmp_path / "none.jsonl"))
    assert (ran.status, "none.jsonl: no such file or folder" in ran.err) == (2, True)


def test_a_path_below_a_file_is_missing(agent_tui: Runs) -> None:
    assert agent_tui("score", f"{CYBERTRAVELS}/a.json").status == 3


# Pipes


def filled(pipe: Path, text: bytes) -> threading.Thread:
    """A writer, which waits until somebody reads."""
    os.mkfifo(pipe)
    writer = threading.Thread(target=lambda: pipe.write_bytes(text))
    writer.start()
    return writer


def test_a_pipe_that_is_named_is_read_as_a_stream(agent_tui: Runs, tmp_path: Path) -> None:
    writer = filled(tmp_path / "p", Path(CYBERTRAVELS).read_bytes())
    ran = agent_tui("score", str(tmp_path / "p"), str(tmp_path / "p"), "--json")
    writer.join()
    assert (ran.status, ran.err, ran.document["bundle"]["runs"]) == (0, "", 6)
    assert ran.document["bundle"]["digest"] == agent_tui("score", CYBERTRAVELS, "--json").document["bundle"]["digest"]


def test_a_pipe_that_nobody_writes_to_is_told(agent_tui: Runs, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "p")
    ran = agent_tui("score", CYBERTRAVELS, str(tmp_path / "p"))
    assert (ran.status, "nobody writes to it" in ran.err) == (0, True)


@pytest.mark.skipif(not os.path.isdir("/dev/fd"), reason="needs /dev/fd")
@pytest.mark.parametrize("command", ["score", "check"])
def test_the_output_of_another_command_is_read(command: str) -> None:
    line = f'"{sys.executable}" -m agent_tui {command} <(cat "{CYBERTRAVELS}") | tail -1'
    ran = subprocess.run(["bash", "-c", line], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.startswith("not measured" if command == "score" else "6 runs read, 0 problems")


@pytest.mark.skipif(not os.path.exists("/dev/zero"), reason="needs /dev/zero")
def test_a_device_is_not_read(agent_tui: Runs) -> None:
    ran = agent_tui("score", "/dev/zero")
    assert (ran.status, ran.err) == (3, "agent-tui: /dev/zero: a device or a socket: not read\n")
    assert agent_tui("score", os.devnull).status == 3


# Streams that are closed


def with_closed(redirection: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    line = f'"{sys.executable}" -m agent_tui {" ".join(arguments)} {redirection}'
    return subprocess.run(["bash", "-c", line], cwd=ROOT, capture_output=True, text=True, check=False)


COMMANDS = (
    ("score", CYBERTRAVELS),
    ("open", CYBERTRAVELS),
    ("check", CYBERTRAVELS),
    ("show", CYBERTRAVELS, "R2"),
    ("formats",),
    ("--help",),
)


@pytest.mark.parametrize("arguments", COMMANDS, ids=lambda each: each[0])
def test_a_closed_input_is_not_missed(arguments: tuple[str, ...]) -> None:
    ran = with_closed("<&-", *arguments)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout


def test_a_closed_input_that_is_asked_for_is_empty() -> None:
    ran = with_closed("<&-", "score", "-")
    assert (ran.returncode, "empty file" in ran.stderr) == (3, True)


@pytest.mark.parametrize("arguments", COMMANDS, ids=lambda each: each[0])
def test_a_closed_output_is_told(arguments: tuple[str, ...]) -> None:
    ran = with_closed(">&-", *arguments)
    assert (ran.returncode, ran.stderr) == (2, "agent-tui: cannot write to standard output: it is closed\n")


@pytest.mark.parametrize("arguments", COMMANDS, ids=lambda each: each[0])
def test_where_everything_is_closed_the_status_is_told(arguments: tuple[str, ...]) -> None:
    assert with_closed("<&- >&- 2>&-", *arguments).returncode == 2
    assert with_closed("2>&-", *arguments).returncode == 0
