"""The tail test: a program writes a thousand runs a second, torn, rotates and truncates; the screen has every one."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from agent_tui.bundles import load
from agent_tui.reports.document import score_document
from agent_tui.workers.loading import LEAST
from tests.tui.opened import Explorer, call, made_run, opened
from tests.tui.pty_terminal import run_explorer

WRITER = """
import json, os, sys, time
path = sys.argv[1]
def write(file, low, high):
    for number in range(low, high):
        calls = [{"name": "a", "args": {"n": number % 3}}]
        run = {"id": f"r{number}", "task": f"t{number % 40}", "status": "done",
               "expected": {"calls": calls}, "actual": {"calls": calls[:number % 4]}}
        line = json.dumps(run).encode() + b"\\n"
        cut = number * 7 % len(line)
        os.write(file, line[:cut])
        os.write(file, line[cut:])
        time.sleep(0.001)  # at most a thousand a second
def told():
    print("done", flush=True)
    sys.stdin.readline()
file = os.open(path, os.O_WRONLY | os.O_APPEND)
write(file, 0, 1200)
told()
os.rename(path, path + ".1")
file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
write(file, 2000, 2900)
told()
os.ftruncate(file, 0)
write(file, 4000, 4700)
told()
"""
HEADER = json.dumps({"schema": "agent-tui/1", "bundle": {"name": "made"}}) + "\n"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "runs.jsonl"
    path.write_text(HEADER + "".join(json.dumps(made_run(f"first {n}", [], [])) + "\n" for n in range(3)))
    return path


@pytest.fixture
def writer(path: Path) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-c", WRITER, str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        yield process
        process.kill()


def said(explorer: Explorer) -> dict[str, Any]:
    session = explorer.app.main.session
    return score_document(session.bundle, session.card)


async def test_every_line_is_a_row_through_torn_lines_rotation_and_truncation(
    path: Path, writer: subprocess.Popen[str]
) -> None:
    assert writer.stdin is not None
    assert writer.stdout is not None
    async with opened(str(path)) as explorer:
        await explorer.press("F")
        for rows, last in ((1203, "r1199"), (900, "r2899"), (700, "r4699")):
            await asyncio.to_thread(writer.stdout.readline)
            bundle = load([str(path)])
            assert len(bundle) == rows
            await explorer.until(lambda rows=rows: len(explorer.app.bundle) == rows)
            await explorer.until(lambda last=last: explorer.run == last)
            await explorer.until(lambda digest=bundle.digest: explorer.app.bundle.digest == digest)
            plain = score_document(bundle, bundle.scorecard())
            await explorer.until(lambda plain=plain: said(explorer) == plain)
            writer.stdin.write("go on\n")
            writer.stdin.flush()


def long_line(number: int) -> str:
    run = made_run(f"r{number}", [call("a", n=0)], [call("a", n=number % 2)], input=f"ask {number}")
    return json.dumps(run | {"answer": "long " * (LEAST // 300)}) + "\n"


def test_a_killed_screen_is_gone_on_with(tmp_path: Path) -> None:
    path = tmp_path / "runs.jsonl"
    path.write_text(HEADER + "".join(map(long_line, range(62))))
    assert path.stat().st_size > LEAST
    cache = {"AGENT_TUI_CACHE_DIR": os.environ["AGENT_TUI_CACHE_DIR"]}
    with run_explorer(str(path), **cache) as terminal:
        terminal.wait_for("62 of 62")
        with path.open("a") as file:
            file.write(long_line(62) + long_line(63)[:100])
        terminal.wait_for("63 of 63")
        terminal.send(signal.SIGKILL)
        assert terminal.end() == -signal.SIGKILL
    with path.open("a") as file:
        file.write(long_line(63)[100:])
    with run_explorer(str(path), **cache) as terminal:
        terminal.wait_for("64 of 64")
        with path.open("a") as file:
            file.write(long_line(64))
        terminal.wait_for("65 of 65")
        terminal.wait_for("33/65")


def test_nothing_is_written_while_nothing_comes(path: Path) -> None:
    with run_explorer(str(path)) as terminal:
        terminal.wait_for("3 of 3")
        with path.open("a") as file:
            file.write(json.dumps(made_run("more", [], [])) + "\n")
        terminal.wait_for("4 of 4")
        terminal.press("F", "following runs.jsonl  +0")
        terminal.wait_for(f"{load([str(path)]).digest[:8]} · as recorded")
        assert terminal.silence(1.0) == b""
