"""The sweep's screen by keys: matrix, cells, runs behind them, and a sweep that takes its time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from textual.events import Key

from agent_tui.bundles.sweeping import sweep_rows
from agent_tui.scoring.mutations import MUTATIONS
from agent_tui.scoring.sweep import Sweep
from agent_tui.tui.screens.sweep import SweepScreen
from agent_tui.tui.terminal import Terminal
from agent_tui.tui.widgets.matrix import MatrixView
from tests.tui.opened import CYBERTRAVELS, Explorer, call, made_run, opened, write_bundle

DOCENT = "sample_runs/docent.json"


class Swept:
    """The screen over the main screen, and what it left with."""

    def __init__(self, explorer: Explorer, sweep: Sweep) -> None:
        self.explorer = explorer
        self.sweep = sweep
        self.left_with: list[tuple[int, ...] | None] = []
        self.screen = SweepScreen(explorer.app.bundle, sweep, explorer.app.terminal.glyphs)

    async def push(self) -> None:
        self.explorer.app.push_screen(self.screen, self.left_with.append)
        await self.explorer.until(lambda: bool(self.screen.query(MatrixView)))

    async def done(self) -> None:
        await self.explorer.until(lambda: self.screen.is_done and "so far" not in self.explorer.text)


@asynccontextmanager
async def swept(path: str, width: int = 140, height: int = 50, **options: object) -> AsyncIterator[Swept]:
    async with opened(path, width, height, **options) as explorer:  # type: ignore[arg-type]
        shown = Swept(explorer, Sweep())
        await shown.push()
        await shown.done()
        yield shown


def long_runs(folder: Path) -> str:
    """Runs that take some seconds to sweep: 200 with 30 calls."""
    calls = [call("look", id=at, why="x") for at in range(30)]
    return write_bundle(folder, *(made_run(f"r{at}", calls, calls) for at in range(200)))


async def holding(holds: Callable[[], bool]) -> None:
    """Wait while the app works; a pilot would wait until it rests."""
    for _ in range(4000):
        if holds():
            return
        await asyncio.sleep(0.001)
    raise AssertionError("not seen in time")


SIZES = [(80, 24), (140, 50), (60, 15), (120, 40)]


@pytest.mark.parametrize("size", SIZES)
async def test_every_number_can_be_reached_and_nothing_is_cut_unsaid(size: tuple[int, int]) -> None:
    async with swept(CYBERTRAVELS, *size) as shown:
        lines = shown.explorer.lines
        assert all(len(line) <= size[0] for line in lines)
        head = next(line for line in lines if "exact" in line and "made" in line)
        assert "redundancy" in head or "…" in head
        assert lines[-1].startswith(" Esc back   Enter the runs of a cell")
        await shown.explorer.press(*["right"] * 12)
        assert "redundancy" in shown.explorer.text
        await shown.explorer.press("end")
        assert any(line.startswith("│ negated answer") for line in shown.explorer.lines)


async def test_the_picture_at_a_large_terminal() -> None:
    async with swept(CYBERTRAVELS) as shown:
        text = shown.explorer.text
        assert "CyberTravels workflow agent · seed 0 · 6 runs · noticed / applied, over runs that passed before" in text
        assert "│ wrong argument      13 ▸██ 5/5  █████ 5/5  ░░░░░ 0/8  ██████ 7/7 " in text
        assert "name-only: wrong argument 0 of 8" in text
        assert "in words Quote exact" in text


async def test_the_cell_under_the_cursor_is_told() -> None:
    async with swept(CYBERTRAVELS, 80, 24) as shown:
        await shown.explorer.press("l", "l")
        assert "name-only, wrong argument: noticed 0 of 8, 5 failed before, 13 made" in shown.explorer.text
        assert "missed: R1 calls[0].args.id" in shown.explorer.text
        await shown.explorer.press("j", "j", "j", "j", "right")
        assert shown.screen.under_cursor == ("swapped_calls", "order_ignored")
        assert "missed: R1 calls[0], R4 calls[0]" in shown.explorer.text


async def test_enter_leaves_with_the_rows_behind_the_cell() -> None:
    async with swept(CYBERTRAVELS) as shown:
        await shown.explorer.press("right", "right", "enter")
        assert shown.left_with == [(0, 1, 2, 4)]


async def test_a_cell_without_runs_stays() -> None:
    async with swept(CYBERTRAVELS) as shown:
        await shown.explorer.press("end", "enter")
        assert shown.screen.under_cursor == (MUTATIONS[-1], "exact")
        assert "no run stands behind this cell" in shown.explorer.text
        assert shown.left_with == []


@pytest.mark.parametrize("key", ["escape", "q"])
async def test_esc_and_q_lead_back(key: str) -> None:
    async with swept(DOCENT, 80, 24) as shown:
        await shown.explorer.press(key)
        assert shown.left_with == [None]
        assert shown.explorer.app.screen is shown.explorer.app.main


async def test_the_words_can_be_turned() -> None:
    async with swept(CYBERTRAVELS, 80, 24) as shown:
        assert "had no mutant to judge" not in shown.explorer.text
        await shown.explorer.press("pagedown", "pagedown")
        assert "had no mutant to judge: required-tools, forbidden-tools" in shown.explorer.text
        await shown.explorer.press("pageup", "pageup")
        assert "in words Quote exact" in shown.explorer.text


async def test_a_sweep_that_takes_its_time_answers_keys_and_ends_when_it_is_left(tmp_path: Path) -> None:
    async with opened(long_runs(tmp_path), 100, 30) as explorer:
        shown = Swept(explorer, Sweep())
        explorer.app.push_screen(shown.screen, shown.left_with.append)
        await holding(lambda: "of 200 runs so far, Esc stops" in explorer.text and "▸" in explorer.text)
        view = shown.screen.query_one(MatrixView)
        explorer.app.post_message(Key("down", None))
        explorer.app.post_message(Key("right", None))
        await holding(lambda: view.cursor == (1, 1))
        explorer.app.post_message(Key("escape", None))
        await holding(lambda: shown.left_with == [None])
        done = shown.sweep.runs
        await explorer.settle()
        assert shown.sweep.runs == done < 200


async def test_a_sweep_that_was_left_is_gone_on_with() -> None:
    async with opened(CYBERTRAVELS) as explorer:
        shown = Swept(explorer, Sweep())
        for done in sweep_rows(explorer.app.bundle, shown.sweep):
            if done == 2:
                break
        assert shown.sweep.runs == 2
        await shown.push()
        await shown.done()
        assert [shown.sweep.made(mutation) for mutation in MUTATIONS] == [13, 10, 10, 6, 4, 10, 10, 4, 5]


async def test_a_sweep_that_is_done_is_shown_at_once() -> None:
    async with swept(CYBERTRAVELS) as shown:
        await shown.explorer.press("escape")
        again = Swept(shown.explorer, shown.sweep)
        await again.push()
        assert (again.screen.is_done, again.sweep.runs) == (True, 6)
        assert "wrong argument" in shown.explorer.text


async def test_a_bundle_with_nothing_to_judge_says_so(tmp_path: Path) -> None:
    path = write_bundle(tmp_path, made_run("r", None, [call("a")]))
    async with swept(path, 80, 24) as shown:
        assert "nothing to mutate: no run has both something to change" in shown.explorer.text
        await shown.explorer.press("enter", "down", "right")
        assert shown.left_with == []


async def test_hostile_names_do_not_act(tmp_path: Path) -> None:
    hostile = [call("\x1b]0;x\x07", **{"\x1b[2J[/]": 1})]
    async with swept(write_bundle(tmp_path, made_run("\x1b[31m[/x]", hostile, hostile)), 140, 50) as shown:
        assert "␛[31m" in shown.explorer.text
        assert "\x1b" not in shown.explorer.text


async def test_ascii_terminals_get_ascii_shades() -> None:
    terminal = Terminal(utf8=False, colours="16", remote=False, dumb=False, erases=False)
    async with swept(CYBERTRAVELS, 80, 24, terminal=terminal, theme="agent-16") as shown:
        assert "wrong argument      13 >## 5/5  ##### 5/5  ????? 0/8" in shown.explorer.text


async def test_another_size_breaks_the_words_anew() -> None:
    async with swept(CYBERTRAVELS, 140, 50) as shown:
        await shown.explorer.pilot.resize_terminal(80, 24)
        await shown.explorer.until(lambda: all(len(line) <= 80 for line in shown.explorer.lines))
        assert "Every other matcher" in shown.explorer.text
