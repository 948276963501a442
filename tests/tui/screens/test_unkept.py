"""Changes that are kept nowhere are not dropped before that is asked."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent_tui.places import state_folder
from tests.tui.opened import CYBERTRAVELS, Explorer, made_run, opened, write_bundle


@pytest.fixture(autouse=True)
def _nowhere() -> None:
    """Nothing can be kept."""
    state_folder().parent.mkdir(parents=True, exist_ok=True)
    state_folder().write_text("a file in the way")


async def change(explorer: Explorer) -> None:
    await explorer.press("3", "home", "e", "ctrl+u")
    await explorer.type('"another ask"')
    assert explorer.app.main.session.changes == 1


@pytest.mark.parametrize("size", [(80, 24), (140, 50)])
async def test_quitting_asks_first(size: tuple[int, int]) -> None:
    async with opened(CYBERTRAVELS, *size) as explorer:
        await change(explorer)
        await explorer.press("q")
        assert explorer.app.is_running
        for words in ("1 change is kept nowhere", "stay here", "write it to a file", "quit, and drop it"):
            assert words in explorer.text
        await explorer.press("enter")
        assert explorer.app.screen is explorer.app.main
        await explorer.press("q", "end")
        await explorer.pilot.press("enter")
        await explorer.until(lambda: not explorer.app.is_running)


async def test_what_is_written_is_not_asked_about(tmp_path: Path) -> None:
    async with opened(write_bundle(tmp_path, made_run("t", [], [], input="an ask"))) as explorer:
        await change(explorer)
        await explorer.press("q", "down", "enter", "ctrl+u")
        await explorer.type(str(tmp_path / "kept.patch.json"))
        assert (tmp_path / "kept.patch.json").exists()
        await explorer.pilot.press("q")
        await explorer.until(lambda: not explorer.app.is_running)


async def test_opening_another_bundle_asks_first(tmp_path: Path) -> None:
    path = write_bundle(tmp_path, made_run("other", [], []))
    async with opened(CYBERTRAVELS) as explorer:
        await change(explorer)
        explorer.app.open_path(path)
        await explorer.until(lambda: "open another, and drop it" in explorer.text)
        await explorer.press("escape")
        assert explorer.app.main.session.changes == 1
        explorer.app.open_path(path)
        await explorer.press("end", "enter")
        await explorer.until(lambda: explorer.run == "other")


async def test_without_changes_nothing_is_asked() -> None:
    async with opened(CYBERTRAVELS) as explorer:
        await explorer.pilot.press("q")
        await explorer.until(lambda: not explorer.app.is_running)
