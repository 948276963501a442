"""How the app begins to look at a bundle, once all of it is read."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from agent_tui.bundles import Bundle, scored
from agent_tui.readers import read
from agent_tui.tui import app
from agent_tui.tui.app import AgentTui
from agent_tui.tui.loader import Batch, Opening
from agent_tui.tui.screens.counting import MANY
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


async def test_many_runs_are_filtered_from_the_start_by_what_has_to_be_counted_first(tmp_path: Path) -> None:
    runs = (made_run(f"r{number}", [], [{**call("a"), "error": number == 7}]) for number in range(MANY + 1))
    async with opened(write_lines(tmp_path / "runs.jsonl", runs), filter_text="errors > 0") as explorer:
        await explorer.until(lambda: f"filter errors > 0  1 of {MANY + 1:,}" in explorer.status)
