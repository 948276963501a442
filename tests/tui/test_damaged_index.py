"""The index is damaged under the open screen: it goes on with the right numbers, whatever is looked at next."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from agent_tui.tui.app import AgentTui
from agent_tui.workers.building import building_of
from agent_tui.workers.loading import LEAST
from tests.tui.opened import app_on, call, made_run
from tests.tui.pty_terminal import PtyTerminal

RUNS = 60
LIMIT = 30


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Few runs with long answers: as many bytes as make an index worth while."""
    path = tmp_path_factory.mktemp("large") / "runs.jsonl"
    with path.open("w") as file:
        for number in range(RUNS):
            run = made_run(
                f"r{number}", [call("a", n=1)], [call("a", n=number % 3)] * (1 + number % 2), task=f"t{number}"
            )
            run["scores"] = {"mine": number % 7}
            run["answer"] = "long " * (LEAST // RUNS // 5 + 1)
            file.write(json.dumps(run) + "\n")
    return str(path)


def cut(column: Path) -> None:
    os.truncate(column, 0)


def write_over(column: Path) -> None:
    with column.open("r+b") as file:
        file.seek(column.stat().st_size // 2)
        file.write(b"\xa5")


def take_away(column: Path) -> None:
    shutil.rmtree(column.parent, ignore_errors=True)


def harm_index(path: str, harm: Callable[[Path], None]) -> None:
    building = building_of([path])
    assert building is not None
    building.place.close()
    assert building.view.finished is not None
    for column in list(building.place.folder.iterdir()):
        if column.name != "log" and column.suffix != ".lock" and column.exists():
            harm(column)


def by(measure: str = "exact", sort: str = "", filter: str = "") -> Callable[[AgentTui], None]:
    """Looks at the runs so, however they were looked at."""

    def look(app: AgentTui) -> None:
        app.main.session.measure = measure
        app.main.session.set_filter(filter)
        app.main.session.set_sort(sort)
        app.main.bundle_changed()

    return look


LOOKS: dict[str, Callable[[AgentTui], object]] = {
    "another matcher": by("any_order"),
    "sort by a figure": by(sort="precision"),
    "sort by id": by(sort="id"),
    "sort by a recorded score": by(sort="mine"),
    "filter by a figure": by(filter="f1 < 0.9"),
    "filter by text": by(filter="id ~ 5"),
    "filter by facts": by(filter="calls > 1 and epoch = 1"),
    "the last run": lambda app: app.main.runs.go_to(RUNS - 1),
}


async def looked_at(path: str, look: Callable[[AgentTui], object], harm: Callable[[], object]) -> tuple[object, bool]:
    """What is shown after a look at an index that was harmed once it was open; and whether the screen began anew."""
    app = app_on(path)
    async with app.run_test(size=(140, 50)) as pilot:
        await asyncio.wait_for(app.is_loaded.wait(), LIMIT)
        await pilot.pause()
        harm()
        drawn = asyncio.Event()
        app.main.call_later(lambda: (look(app), app.main.call_after_refresh(drawn.set)))
        async with asyncio.timeout(LIMIT):
            while not drawn.is_set() and not app.damage:
                await asyncio.sleep(0.01)
        if not app.damage:
            return shown(app), False
    again = app.again()
    async with again.run_test(size=(140, 50)) as pilot:
        await asyncio.wait_for(again.is_loaded.wait(), LIMIT)
        await pilot.pause()
        look(again)
        await pilot.pause()
        return shown(again), True


def shown(app: AgentTui) -> object:
    session, rows = app.main.session, app.main.runs.rows
    figures = session.card.tallies[session.measure]
    return len(app.bundle), figures, [list(map(str, rows.cells(row))) for row in range(len(session))]


@pytest.mark.parametrize("harm", [cut, write_over, take_away])
@pytest.mark.parametrize("look", LOOKS)
async def test_whatever_is_looked_at_next_is_right(large: str, look: str, harm: Callable[[Path], None]) -> None:
    sound, _ = await looked_at(large, LOOKS[look], lambda: None)
    assert (await looked_at(large, LOOKS[look], lambda: harm_index(large, harm)))[0] == sound


async def test_the_screen_begins_anew_where_a_column_is_damaged_that_nobody_saw_before(large: str) -> None:
    _, began_anew = await looked_at(large, LOOKS["sort by a figure"], lambda: harm_index(large, cut))
    assert began_anew
    _, began_anew = await looked_at(large, LOOKS["sort by a figure"], lambda: None)
    assert not began_anew


@pytest.mark.parametrize("harm", [cut, write_over])
def test_on_a_terminal_the_screen_goes_on_and_says_so(large: str, harm: Callable[[Path], None]) -> None:
    environ = {**os.environ, "TERM": "xterm-256color", "PYTHONPATH": os.getcwd()}
    with PtyTerminal([sys.executable, "-m", "agent_tui", large], environ) as terminal:
        terminal.wait_for(f"{RUNS} of {RUNS}")
        harm_index(large, harm)
        terminal.type("G")
        terminal.wait_for("was made again")
        assert f"10/{RUNS}" in terminal.text
        terminal.type("q")
        assert terminal.end() == 0
        assert terminal.is_clean
