"""The command palette on terminals of any size: it offers what there is room for, and no key ends the program."""

from __future__ import annotations

import pytest
from textual.command import CommandList

from tests.tui.opened import CYBERTRAVELS, app_on, opened

KEYS = ("pagedown", "pageup", "down", "up", "s", "o", "pagedown", "pageup", "down", "backspace", "backspace", "up")


@pytest.mark.parametrize("height", [1, 4, 24])
@pytest.mark.parametrize("width", [5, 80])
async def test_no_key_ends_the_program(width: int, height: int) -> None:
    app = app_on(CYBERTRAVELS)
    async with app.run_test(size=(width, height)) as pilot:
        await app.is_loaded.wait()
        await pilot.press("ctrl+p")
        for key in KEYS:
            await pilot.press(key)
            await pilot.pause()
        await pilot.press("escape", "escape")
        await pilot.pause()
        assert (app.return_code, app.screen is app.main) == (None, True)


async def test_a_page_is_turned_where_there_is_one() -> None:
    async with opened(CYBERTRAVELS, 80, 24) as explorer:
        await explorer.press("ctrl+p")
        await explorer.until(lambda: bool(explorer.app.screen.query_one(CommandList).option_count))
        commands = explorer.app.screen.query_one(CommandList)
        await explorer.pilot.press("down", "pagedown")
        await explorer.until(lambda: (commands.highlighted or 0) > 5)
        await explorer.pilot.press("pageup")
        await explorer.until(lambda: (commands.highlighted or 0) < 5)


async def test_a_terminal_that_becomes_small_keeps_it_open() -> None:
    async with opened(CYBERTRAVELS, 80, 24) as explorer:
        await explorer.press("ctrl+p")
        for size in ((80, 4), (5, 24), (1, 1), (80, 24)):
            await explorer.pilot.resize_terminal(*size)
            await explorer.pilot.press("pagedown", "pageup")
            await explorer.pilot.pause()
        await explorer.pilot.press("escape")
        await explorer.until(lambda: explorer.app.screen is explorer.app.main)
