"""How the app begins to look at a bundle, once all of it is read."""

from __future__ import annotations

import time
from pathlib import Path
from typing import ClassVar

from textual import work

from agent_tui.bundles import Bundle, scored
from agent_tui.readers import read
from agent_tui.tui import app
from agent_tui.tui.app import AgentTui
from agent_tui.tui.loader import Batch, Opening
from agent_tui.tui.screens.counting import MANY
from agent_tui.tui.slow_work import unwanted
from tests.growing import write_lines
from tests.tui.opened import TERMINAL, Explorer, call, loaded, made_run, opened


class Slow(AgentTui):
    """Reads nothing by itself: the test says what comes when."""

    CSS_PATH: ClassVar = [Path(app.__file__).parent / path for path in AgentTui.CSS_PATH]

    def read_in_thread(self, opening: Opening, bundle: Bundle) -> None:  # type: ignore[override]
        pass


async def test_what_is_chosen_while_a_bundle_is_read_holds_once_it_is(tmp_path: Path) -> None:
    runs = [made_run(f"r{number}", [call("a", n=0)], [call("a", n=number % 2)]) for number in range(9)]
    path = write_lines(tmp_path / "runs.jsonl", runs)
    slow = Slow(Opening((path,)), measure="subset", terminal=TERMINAL, theme="agent-dark")
    *facts, last = scored(read([path]), None)
    async with slow.run_test(size=(140, 50)) as pilot:
        explorer = Explorer(slow, pilot)
        slow.main.post_message(Batch(slow.bundle, facts))
        await explorer.until(lambda: len(slow.bundle) == 9)
        await explorer.press("f", *"subset = fail", "enter")
        assert not slow.is_loaded.is_set()
        slow.main.post_message(Batch(slow.bundle, [last]))
        await loaded(slow)
        await explorer.until(lambda: "filter subset = fail  4 of 9" in explorer.status)
        assert slow.main.session.measure == "subset"


class Endless(AgentTui):
    """Reads some runs, and then waits for more until nobody wants them any more."""

    CSS_PATH = Slow.CSS_PATH
    ended = 0
    """How often reading was given up (a count)."""

    @work(thread=True, exclusive=True, group="reading")
    def read_in_thread(self, opening: Opening, bundle: Bundle) -> None:
        is_unwanted = unwanted()
        *facts, last = scored(read(opening.paths), None)
        self.main.post_message(Batch(bundle, facts if not self.ended else [*facts, last]))
        while not self.ended and not is_unwanted():
            time.sleep(0.001)
        self.ended += 1


async def test_escape_stops_reading_and_r_reads_on(tmp_path: Path) -> None:
    runs = [made_run(f"r{number}", [call("a", n=0)], [call("a", n=number % 2)]) for number in range(9)]
    path = write_lines(tmp_path / "runs.jsonl", runs)
    endless = Endless(Opening((path,)), terminal=TERMINAL, theme="agent-dark")
    async with endless.run_test(size=(140, 50)) as pilot:
        explorer = Explorer(endless, pilot)
        await explorer.until(lambda: "9 runs so far" in explorer.text)
        await explorer.press("down", "escape")
        assert "reading is stopped: r reads on" in explorer.status
        assert "9 runs so far  stopped" in explorer.text
        assert "= 9 counted" in explorer.text
        await explorer.until(lambda: endless.ended == 1)
        for key in ("e", "X", "F", "J"):
            await explorer.press("down", key)
            assert "reading is stopped: r reads on" in explorer.status
        assert not endless.is_loaded.is_set()
        await explorer.press("escape", "r")
        await loaded(endless)
        assert "9 runs ·" in explorer.text or "9 runs  " in explorer.text
        assert "stopped" not in explorer.text
        assert explorer.run == "r5"


async def test_the_cursor_stays_on_its_run_though_its_id_turns_out_to_repeat(tmp_path: Path) -> None:
    runs = [made_run(f"r{number % 5}", [], [], model=f"m{number // 5}") for number in range(10)]
    path = write_lines(tmp_path / "runs.jsonl", runs)
    endless = Endless(Opening((path,)), terminal=TERMINAL, theme="agent-dark")
    async with endless.run_test(size=(140, 50)) as pilot:
        explorer = Explorer(endless, pilot)
        await explorer.until(lambda: "10 runs so far" in explorer.text)
        await explorer.press(*["down"] * 7, "escape", "r")
        await loaded(endless)
        await explorer.until(lambda: endless.main.row == 7)
        assert "not there" not in explorer.status


async def test_a_pipe_is_read_to_its_end_and_escape_says_what_quits(tmp_path: Path) -> None:
    slow = Slow(Opening(("-",)), terminal=TERMINAL, theme="agent-dark")
    async with slow.run_test(size=(140, 50)) as pilot:
        explorer = Explorer(slow, pilot)
        await explorer.press("escape")
        assert "q quits" in explorer.status
        assert not slow.main.session.is_stopped


async def test_many_runs_are_filtered_from_the_start_by_what_has_to_be_counted_first(tmp_path: Path) -> None:
    runs = (made_run(f"r{number}", [], [{**call("a"), "error": number == 7}]) for number in range(MANY + 1))
    async with opened(write_lines(tmp_path / "runs.jsonl", runs), filter_text="errors > 0") as explorer:
        await explorer.until(lambda: f"filter errors > 0  1 of {MANY + 1:,}" in explorer.status)


async def test_a_number_and_the_runs_behind_it_are_of_one_moment_while_more_are_read(tmp_path: Path) -> None:
    runs = [made_run(f"r{number}", [call("a", n=0)], [call("a", n=0)]) for number in range(90)]
    path = write_lines(tmp_path / "runs.jsonl", runs)
    slow = Slow(Opening((path,)), terminal=TERMINAL, theme="agent-dark")
    facts = list(scored(read([path]), None))
    async with slow.run_test(size=(140, 50)) as pilot:
        explorer = Explorer(slow, pilot)
        slow.main.post_message(Batch(slow.bundle, facts[:10]))
        await explorer.until(lambda: "counted" in explorer.text)
        slow.main.post_message(Batch(slow.bundle, facts[10:80]))
        await explorer.until(lambda: len(slow.bundle) > 70)
        rows = len(slow.bundle)
        await explorer.press("p")
        assert f"{rows} / {rows} = 1.000" in explorer.text
        assert f"numerator: passed ({rows})" in explorer.text
