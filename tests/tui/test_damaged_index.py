"""The index is damaged under the open screen: it goes on with the right numbers, whatever is looked at next."""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest
from textual import events
from textual.keys import _character_to_key

from agent_tui.bundles import load
from agent_tui.bundles.index.held import NoRoom
from agent_tui.bundles.patch import read_patch, write_patch
from agent_tui.bundles.what_if import WhatIf, set_value
from agent_tui.tui.app import AgentTui
from agent_tui.tui.loader import Opening
from agent_tui.workers.building import building_of
from tests.tui.opened import TERMINAL, Explorer, app_on, call, made_run, opened, write_large
from tests.tui.pty_terminal import PtyTerminal

RUNS = 60
LIMIT = 30


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Few runs that are read through an index."""
    runs = [
        made_run(
            f"r{number}",
            [call("a", n=1)],
            [call("a", n=number % 3)] * (1 + number % 2),
            task=f"t{number}",
            scores={"mine": number % 7},
        )
        for number in range(RUNS)
    ]
    return write_large(tmp_path_factory.mktemp("large") / "runs.jsonl", *runs)


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
            while not drawn.is_set() and not app.mending.damage:
                await asyncio.sleep(0.01)
        if not app.mending.damage:
            return shown(app), False
    again = app.mending.again()
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
        terminal.wait(lambda: f"{RUNS} of {RUNS}" in terminal.text and "so far" not in terminal.text)
        harm_index(large, harm)
        terminal.type("G")
        terminal.wait_for("was made again")
        assert f"10/{RUNS}" in terminal.text
        terminal.type("q")
        assert terminal.end() == 0
        assert terminal.is_clean


async def test_on_a_terminal_a_filter_that_meets_damage_is_in_force_anew(large: str) -> None:
    async with opened(large):
        pass
    environ = {**os.environ, "TERM": "xterm-256color", "PYTHONPATH": os.getcwd()}
    with PtyTerminal([sys.executable, "-m", "agent_tui", large], environ) as terminal:
        terminal.wait_for(f"{RUNS} of {RUNS}")
        terminal.wait_for("first difference")
        harm_index(large, cut)
        terminal.press("f", "ready filters")
        terminal.type("f1 < 0.9\r")
        terminal.wait_for("was made again; done again: f f1 < 0.9 enter")
        terminal.press("j", f"filter f1 < 0.9  50 of {RUNS}")
        terminal.type("q")
        assert terminal.end() == 0
        assert terminal.is_clean


# What came by a pipe


def harm_what_is_open(folder: Path) -> None:
    """Cut the columns of an index that somebody has open in a folder, though they have no name any more."""
    for opened_file in Path("/proc").glob("[0-9]*/fd/*"):
        with suppress(OSError):
            name = os.readlink(opened_file)
            if name.startswith(f"{folder}/agent-tui-index-") and "/log" not in name:
                os.truncate(opened_file, 0)


def change_a_value(terminal: PtyTerminal) -> None:
    """What is expected of the first run becomes something else."""
    terminal.press("e", "expected.calls[0].args.n")
    terminal.press("\x15", "nothing is typed")
    terminal.press("9\r", "what-if: 1 change")


@pytest.mark.skipif(sys.platform != "linux", reason="what has no name is reached by /proc only")
def test_runs_from_a_pipe_go_on_with_their_changes(large: str, tmp_path: Path) -> None:
    environ = {**os.environ, "TERM": "xterm-256color", "PYTHONPATH": os.getcwd(), "TMPDIR": str(tmp_path)}
    piped = ["sh", "-c", 'cat "$1" | "$0" -m agent_tui -', sys.executable, large]
    with PtyTerminal(piped, environ) as terminal:
        terminal.wait_for(f"{RUNS} runs  pipe ended")
        change_a_value(terminal)
        harm_what_is_open(tmp_path)
        terminal.type("G")
        terminal.wait_for("was made again")
        assert "what-if: 1 change" in terminal.text
        terminal.press("q", "1 change is kept nowhere")
        terminal.type("G\r")
        assert terminal.end() == 0
        assert terminal.is_clean
    assert list(tmp_path.glob("agent-tui-*")) == []


# What was changed


Deeds = Callable[[Explorer], Coroutine[object, object, object]]


async def damaged(app: AgentTui, path: str) -> None:
    """Have the index damaged under the screen, and looked at until that ends the app."""
    harm_index(path, cut)
    app.main.call_later(lambda: [look(app) for look in LOOKS.values()])
    async with asyncio.timeout(LIMIT):
        while not app.mending.damage:
            await asyncio.sleep(0.01)


async def began_anew(app: AgentTui, path: str, before: Deeds, after: Deeds) -> None:
    """Do something, have the index damaged under the screen, and do something once it stands anew."""
    async with app.run_test(size=(140, 50)) as pilot:
        await asyncio.wait_for(app.is_loaded.wait(), LIMIT)
        explorer = Explorer(app, pilot)
        await explorer.settle()
        await before(explorer)
        await damaged(app, path)
    again = app.mending.again()
    async with again.run_test(size=(140, 50)) as pilot:
        await asyncio.wait_for(again.is_loaded.wait(), LIMIT)
        explorer = Explorer(again, pilot)
        await explorer.settle()
        assert "was made again" in explorer.status
        await after(explorer)


async def change_two(explorer: Explorer) -> None:
    for row in (1, 2):
        explorer.app.main.session.change(row, set_value("expected.calls[0].args.n", "9"))


def edited(explorer: Explorer) -> list[int]:
    return [row for row in range(RUNS) if explorer.app.bundle.is_edited(row)]


async def test_changes_and_undone_ones_are_there_anew_and_outlive_the_program(large: str) -> None:
    async def change_and_undo(explorer: Explorer) -> None:
        await change_two(explorer)
        await explorer.press("u")

    async def go_on(explorer: Explorer) -> None:
        assert (edited(explorer), "what-if: 1 change" in explorer.lines[0]) == ([1], True)
        await explorer.press("U")
        assert edited(explorer) == [1, 2]
        explorer.app.main.session.change(3, set_value("expected.calls[0].args.n", "9"))

    await began_anew(app_on(large), large, change_and_undo, go_on)
    async with opened(large) as explorer:
        assert "3 changes were left here: U brings them back" in explorer.status
        await explorer.press("U")
        assert edited(explorer) == [1, 2, 3]
        await explorer.press("u", "u", "u")


async def test_changes_that_are_kept_nowhere_are_there_anew(
    large: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("AGENT_TUI_STATE_DIR", str(tmp_path / "file" / "state"))

    async def go_on(explorer: Explorer) -> None:
        assert edited(explorer) == [1, 2]

    await began_anew(app_on(large), large, change_two, go_on)


async def test_changes_that_are_offered_stay_offered(large: str) -> None:
    async with opened(large) as explorer:
        await change_two(explorer)

    async def nothing(explorer: Explorer) -> None:
        assert "2 changes were left here" in explorer.status

    async def take_up(explorer: Explorer) -> None:
        assert edited(explorer) == []
        await explorer.press("U")
        assert edited(explorer) == [1, 2]
        await explorer.press("u", "u")

    await began_anew(app_on(large), large, nothing, take_up)


async def nothing(explorer: Explorer) -> None:
    pass


async def undo(explorer: Explorer) -> None:
    await explorer.press("u")


@pytest.mark.parametrize(("before", "rows"), [(nothing, [1]), (undo, []), (change_two, [1, 2])])
async def test_a_patch_is_shown_anew_as_far_as_it_was(
    large: str, tmp_path: Path, before: Deeds, rows: list[int]
) -> None:
    what_if = WhatIf(load([large]))
    what_if.change(1, set_value("actual.answer", "x"))
    write_patch(what_if, tmp_path / "a.whatif.json")
    opening = Opening((large,), patch=read_patch(tmp_path / "a.whatif.json"))

    async def see(explorer: Explorer) -> None:
        assert edited(explorer) == rows
        await explorer.press("U")
        assert edited(explorer) == (rows or [1])

    await began_anew(AgentTui(opening, terminal=TERMINAL, theme="agent-dark"), large, before, see)


# What was being done


def pressed(key: str) -> events.Key:
    is_character = len(key) == 1
    return events.Key(_character_to_key(key) if is_character else key, key if is_character else None)


async def type_into_damage(app: AgentTui, path: str, before: Sequence[str], keys: Sequence[str]) -> AgentTui:
    """Type something, have the index damaged, and type on until that ends the app; the app that goes on."""
    async with app.run_test(size=(140, 50)) as pilot:
        await asyncio.wait_for(app.is_loaded.wait(), LIMIT)
        explorer = Explorer(app, pilot)
        await explorer.settle()
        for key in before:
            await explorer.press(key)
        harm_index(path, cut)
        app.run_worker(app.unfinished.type([pressed(key) for key in keys]))
        async with asyncio.timeout(LIMIT):
            while not app.mending.damage:
                await asyncio.sleep(0.01)
    return app.mending.again()


FILTER, SORT = ["f", *"f1 < 0.9", "enter"], ["s", "end", *["up"] * 9, "enter"]
COLUMN = ["C", *["down"] * 12, "enter"]
DEEDS: dict[str, tuple[list[str], list[str], Callable[[Explorer], object]]] = {
    "a filter": ([], FILTER, lambda explorer: explorer.app.main.session.filter_text),
    "an order": ([], SORT, lambda explorer: explorer.app.main.session.sort_field),
    "a run": ([], [":", *"r47", "enter"], lambda explorer: explorer.run),
    "a text": ([], ["/", *"t4", "enter"], lambda explorer: (explorer.run, explorer.app.main.session.needle)),
    "a value": (["3"], ["e", "backspace", "7", "enter"], lambda explorer: edited(explorer)),
    "a call twice": (["3"], ["y"], lambda explorer: edited(explorer)),
    "a column": ([], COLUMN, lambda explorer: explorer.app.main.runs.rows.shown),
}


@asynccontextmanager
async def gone_on(app: AgentTui) -> AsyncIterator[Explorer]:
    """The app that goes on, once it has done what the one before it did not finish."""
    async with app.run_test(size=(140, 50)) as pilot:
        explorer = Explorer(app, pilot)
        await asyncio.wait_for(app.is_loaded.wait(), LIMIT)
        await explorer.until(lambda: "was made again" in explorer.status and "done again" in explorer.status)
        yield explorer


@pytest.mark.parametrize("deed", DEEDS)
async def test_what_meets_damage_is_done_again(large: str, deed: str) -> None:
    before, keys, see = DEEDS[deed]
    async with opened(large) as explorer:
        await explorer.press(*before, *keys)
        await explorer.until(lambda: not explorer.app.main.session.needle or not explorer.app.main.finding.is_awaited)
        wanted = see(explorer)
        await explorer.app.run_action("revert_all", explorer.app.main)
    harm_index(large, cut)  # one that is made anew is looked at less from the start
    async with gone_on(await type_into_damage(app_on(large), large, before, keys)) as explorer:
        assert see(explorer) == wanted
        await explorer.app.run_action("revert_all", explorer.app.main)


async def test_changes_that_are_brought_back_into_damage_are_all_brought_back(large: str) -> None:
    async with opened(large) as explorer:
        await change_two(explorer)
    async with gone_on(await type_into_damage(app_on(large), large, [], ["U"])) as explorer:
        assert edited(explorer) == [1, 2]
        await explorer.press("u", "u")


async def test_a_change_that_was_made_before_the_damage_is_not_made_twice(large: str) -> None:
    app = app_on(large)
    async with opened(large) as explorer:
        await explorer.press("3", "y")
        once = explorer.app.bundle.record(0)
        await explorer.press("u")
        shown = explorer.app.main.runs.rows.shown
    async with gone_on(await type_into_damage(app, large, ["3", "y"], COLUMN)) as explorer:
        assert (explorer.app.bundle.record(0), explorer.app.main.session.changes) == (once, 1)
        assert set(explorer.app.main.runs.rows.shown) > set(shown)
        await explorer.press("u")


async def test_what_was_typed_into_another_screen_is_said_not_to_be_done_again(large: str) -> None:
    app = app_on(large)
    async with app.run_test(size=(140, 50)) as pilot:
        await asyncio.wait_for(app.is_loaded.wait(), LIMIT)
        await Explorer(app, pilot).press("question_mark", "j")
        await damaged(app, large)
    again = app.mending.again()
    async with again.run_test(size=(140, 50)) as pilot:
        await asyncio.wait_for(again.is_loaded.wait(), LIMIT)
        explorer = Explorer(again, pilot)
        await explorer.until(lambda: "Help" in explorer.lines[0] and not again.unfinished.is_typing)
        await explorer.press("escape")
        assert "was made again; done again: ?; not done again: j" in explorer.status


async def test_nothing_is_typed_again_into_another_screen(large: str) -> None:
    async with opened(large) as explorer:
        lost = await explorer.app.unfinished.type([pressed("?"), pressed("j"), pressed("J")])
        assert [event.key for event in lost if isinstance(event, events.Key)] == ["j", "J"]


# Without room for what is read


async def test_room_that_ends_late_ends_the_screen_in_a_line(
    large: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(os, "memfd_create", raising=False)
    app = app_on(large)
    async with app.run_test(size=(140, 50)):
        await asyncio.wait_for(app.is_loaded.wait(), LIMIT)
        monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "none"))
        app.main.call_later(lambda: [look(app) for look in LOOKS.values()])
        async with asyncio.timeout(LIMIT):
            while app.last_words is None:
                await asyncio.sleep(0.01)
    assert (app.return_code, app.mending.damage) == (NoRoom.exit_status, "")
    assert app.last_words.startswith("no room for what is read of the index: No such file or directory")


async def test_without_room_from_the_start_the_screen_does_without_an_index(
    large: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(os, "memfd_create", raising=False)
    async with opened(large):
        pass
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "none"))
    async with opened(large) as explorer:
        assert f"{RUNS} of {RUNS}" in explorer.text
        assert "there is no index: no room for what is read of the index" in explorer.status
