"""The screen of what was skipped: each problem leads to the line as it stands on disk."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent_tui.tui.screens.problems import ProblemsScreen
from tests.tui.opened import Explorer, opened

BAD_LINES = Path("tests/cases/11-bad-lines-in-the-middle/messages.jsonl")


async def open_problem(explorer: Explorer, number: int) -> None:
    problems = explorer.app.screen
    await explorer.press(*["j"] * number, "enter")
    await explorer.until(lambda: explorer.app.screen is not problems)
    await explorer.settle()


@pytest.mark.parametrize("width", [80, 140])
async def test_what_a_file_lost_is_said_once_where_the_trajectory_is(width: int) -> None:
    async with opened(str(BAD_LINES), width, 24) as explorer:
        assert "8 messages, 2 bad lines, 2 unknown records" in explorer.text
        assert explorer.status.count("skipped") == 1
        assert "malformed" not in explorer.text


@pytest.mark.parametrize(("number", "line"), [(0, 5), (1, 10), (2, 1), (3, 12)])
async def test_enter_shows_the_line_whole(number: int, line: int) -> None:
    raw = BAD_LINES.read_text("utf-8-sig").split("\n")[line - 1]
    async with opened(str(BAD_LINES), 200, 30) as explorer:
        await explorer.press("P")
        await open_problem(explorer, number)
        assert f"messages.jsonl:{line}  as it is on disk" in explorer.lines[0]
        assert explorer.lines[1].strip("│┃ ") == raw
        await explorer.press("escape")
        assert isinstance(explorer.app.screen, ProblemsScreen)


async def test_a_line_cannot_act_on_the_terminal(tmp_path: Path) -> None:
    path = tmp_path / "odd.jsonl"
    path.write_text('{"role": "user", "content": "hello"}\n{"role": "\x1b]0;owned\x07 [/]\n')
    async with opened(str(path)) as explorer:
        await explorer.press("P")
        await open_problem(explorer, 0)
        assert '{"role": "␛]0;owned␇ [/]' in explorer.text


async def test_a_file_that_is_gone_is_told(tmp_path: Path) -> None:
    path = tmp_path / "odd.jsonl"
    path.write_bytes(BAD_LINES.read_bytes())
    async with opened(str(path)) as explorer:
        path.unlink()
        await explorer.press("P")
        await open_problem(explorer, 0)
        assert "it is not there any more" in explorer.text
