"""A search goes on in the background: places come as they are found, keys act meanwhile, Esc stops it."""

from __future__ import annotations

import pytest

from tests.growing import write_lines
from tests.tui.opened import made_run, opened

RUNS = 40


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Runs so long that a thread searches them; each says hello, one says more."""
    said = {33: "hello and NEEDLE"}
    runs = (made_run(f"r{row}", input=said.get(row, "hello"), answer="x" * 300_000) for row in range(RUNS))
    return write_lines(tmp_path_factory.mktemp("many") / "many.jsonl", runs)


async def test_a_search_in_the_background_shows_what_it_finds_and_how_far_it_is(many: str) -> None:
    async with opened(many) as explorer:
        await explorer.press("/")
        await explorer.type("needle")
        await explorer.until(lambda: explorer.run == "r33")
        await explorer.until(lambda: f"in 1 run of {RUNS}" in explorer.status)
        assert "found in r33, in its input: place 1 of 1 there" in explorer.status


async def test_next_and_previous_walk_what_is_found_round_the_end(many: str) -> None:
    async with opened(many) as explorer:
        await explorer.press("/")
        await explorer.type("hello")
        await explorer.until(lambda: explorer.run == "r0" and "found in r0" in explorer.status)
        await explorer.press("n")
        await explorer.until(lambda: explorer.run == "r1")
        await explorer.press("N")
        await explorer.until(lambda: explorer.run == "r0")
        await explorer.press("N")
        await explorer.until(lambda: explorer.run == f"r{RUNS - 1}")


async def test_escape_stops_a_search_and_leaves_what_was_found(many: str) -> None:
    async with opened(many) as explorer:
        main = explorer.app.main
        main.search_for("no such")
        main.action_back()
        assert not main.finding.stop()
        assert main.bars.said is not None
        assert "search stopped; in 0 runs so far, searched " in main.bars.said.plain
        assert main.session.needle == "no such"
        await explorer.press("n")
        await explorer.until(lambda: "not found: no such" in explorer.status)


async def test_a_filter_bounds_a_search_and_its_change_begins_another(many: str) -> None:
    async with opened(many) as explorer:
        await explorer.press("f")
        await explorer.type("id = r3")
        await explorer.press("/")
        await explorer.type("needle")
        await explorer.until(lambda: "not found in the runs that the filter shows: needle" in explorer.status)
        explorer.app.main.runs.filter_by("")
        await explorer.press("n")
        await explorer.until(lambda: explorer.run == "r33")


async def test_a_search_begins_anew_after_a_change(many: str) -> None:
    async with opened(many) as explorer:
        main = explorer.app.main
        await explorer.press("/")
        await explorer.type("needle")
        await explorer.until(lambda: f"in 1 run of {RUNS}" in explorer.status)
        await explorer.press("home", "3", "home", "e", *["backspace"] * 12)
        await explorer.type('"a needle"')
        assert main.session.bundle.is_edited(0)
        await explorer.press("2", "n")
        await explorer.until(lambda: "found in r33" in explorer.status)
        await explorer.press("n")
        await explorer.until(lambda: "found in r0" in explorer.status and f"in 2 runs of {RUNS}" in explorer.status)


async def test_while_more_is_read_a_search_tells_in_how_many_runs_it_found_nothing(many: str) -> None:
    async with opened(many) as explorer:
        explorer.app.main.session.bundle.is_complete = False
        await explorer.press("/")
        await explorer.type("zebra")
        await explorer.until(lambda: f"not found in the {RUNS} runs so far: zebra" in explorer.status)
        explorer.app.main.runs.filter_by("id = r3")
        await explorer.press("n")
        await explorer.until(lambda: "not found in the 1 run that the filter shows so far: zebra" in explorer.status)
