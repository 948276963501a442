"""What is said of many rows by copies of the process is what the process itself says, whatever becomes of them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.workers.test_building import HEADER, run_line

BEGIN = """
import os, signal, threading
from agent_tui.workers.copies import by_copies
here = os.getpid()
def text(row):
    return f"{row} " * (row % 50)
def nobody_is_left():
    try:
        os.waitpid(-1, os.WNOHANG)
    except ChildProcessError:
        return True
    return False
"""


def ran(code: str) -> list[str]:
    """What a program prints, that has no thread but its own."""
    command = [sys.executable, "-c", BEGIN + code]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


@pytest.mark.parametrize("rows", [0, 1, 2047, 2048, 5001])
def test_texts_come_in_order(rows: int) -> None:
    code = f"print(list(by_copies(3)({rows}, text)) == list(map(text, range({rows}))), nobody_is_left())"
    assert ran(code) == ["True", "True"]


def test_several_processes_say_many_rows_and_one_says_few() -> None:
    code = """
for rows in 5000, 100:
    print(len(set(by_copies(2)(rows, lambda row: str(os.getpid()))) - {str(here)}))
"""
    assert ran(code) == ["2", "0"]


def test_beside_another_thread_nothing_is_copied() -> None:
    code = """
wait = threading.Event()
thread = threading.Thread(target=wait.wait)
thread.start()
print(set(by_copies(2)(5000, lambda row: str(os.getpid()))) == {str(here)})
wait.set()
thread.join()
"""
    assert ran(code) == ["True"]


@pytest.mark.parametrize("end", ["os._exit(3)", "os.kill(os.getpid(), signal.SIGKILL)", "1 / 0", "raise SystemExit(4)"])
def test_what_a_copy_does_not_say_is_said_here(end: str) -> None:
    code = f"""
def say(row):
    if os.getpid() != here and row == 1000:
        {end}
    return text(row)
print(list(by_copies(2)(5000, say)) == list(map(text, range(5000))), nobody_is_left())
"""
    assert ran(code) == ["True", "True"]


def test_an_error_comes_where_its_row_would() -> None:
    code = """
said = []
def say(row):
    return str(1 // (row - 3000))
try:
    for each in by_copies(2)(5000, say):
        said.append(each)
except ZeroDivisionError:
    print(len(said), nobody_is_left())
"""
    assert ran(code) == ["3000", "True"]


def test_who_wants_no_more_leaves_nobody_behind() -> None:
    code = """
texts = by_copies(2)(500_000, lambda row: "long " * 500)
next(texts)
texts.close()
print(nobody_is_left())
"""
    assert ran(code) == ["True"]


@pytest.mark.skipif(os.getuid() != 0, reason="only root may become somebody else, whose processes are counted")
def test_without_room_for_another_process_all_is_said_here() -> None:
    code = """
import resource
os.setuid(54321)
resource.setrlimit(resource.RLIMIT_NPROC, (1, 1))
print(set(by_copies(2)(5000, lambda row: str(os.getpid()))) == {str(here)}, nobody_is_left())
"""
    if subprocess.run(
        [sys.executable, "-c", "import os; os.setuid(54321)"], capture_output=True, check=False
    ).returncode:
        pytest.skip("only root may become somebody else, whose processes are counted")
    assert ran(code) == ["True", "True"]


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("many") / "runs.jsonl"
    path.write_bytes(b"\n".join([HEADER, *map(run_line, range(2200))]))
    return path


@pytest.mark.parametrize("form", ["json", "csv", "junit"])
def test_score_prints_the_same_with_any_number_of_workers(path: Path, form: str) -> None:
    command = [sys.executable, "-m", "agent_tui", "score", str(path), f"--{form}", "--workers"]
    printed = [subprocess.run([*command, n], capture_output=True, text=True, check=False) for n in "12"]
    assert printed[0].stdout == printed[1].stdout
    assert printed[0].returncode == printed[1].returncode == 0
    if form == "json":
        assert len(json.loads(printed[1].stdout)["runs"]) == 2200
