"""The palette on terminals of any size: what is typed narrows it, and no key ends the program."""

from __future__ import annotations

import pytest

from agent_tui.tui.widgets.vtext import TextPane
from tests.tui.opened import CYBERTRAVELS, app_on, loaded, opened

KEYS = ("pagedown", "pageup", "down", "up", "s", "o", "pagedown", "pageup", "down", "backspace", "backspace", "up")


@pytest.mark.parametrize("height", [1, 4, 24])
@pytest.mark.parametrize("width", [5, 80])
async def test_no_key_ends_the_program(width: int, height: int) -> None:
    app = app_on(CYBERTRAVELS)
    async with app.run_test(size=(width, height)) as pilot:
        await loaded(app)
        await pilot.press("ctrl+p")
        for key in KEYS:
            await pilot.press(key)
            await pilot.pause()
        await pilot.press("escape", "escape")
        await pilot.pause()
        assert (app.return_code, app.screen is app.main) == (None, True)


@pytest.mark.parametrize("size", [(80, 24), (140, 50)])
async def test_it_stands_in_a_frame(size: tuple[int, int]) -> None:
    async with opened(CYBERTRAVELS, *size) as explorer:
        await explorer.press("ctrl+p")
        upper = next(line for line in explorer.lines if "╭─ What to do ─" in line)
        left = upper.index("╭─ What")
        edges = {line[left] for line in explorer.lines if line[left:] and "│" in line[left : left + 1]}
        assert edges == {"│"}
        assert any(line[left : left + 1] == "╰" for line in explorer.lines)


async def test_a_page_is_turned_while_words_are_typed() -> None:
    async with opened(CYBERTRAVELS, 80, 24) as explorer:
        await explorer.press("ctrl+p", "down", "pagedown")
        pane = explorer.app.screen.query_one(TextPane)
        assert pane.cursor > 5
        await explorer.press("pageup")
        assert pane.cursor < 5


async def test_all_words_that_are_typed_are_looked_for_in_any_order() -> None:
    async with opened(CYBERTRAVELS, 80, 24) as explorer:
        await explorer.press("ctrl+p", *"matcher next")
        pane = explorer.app.screen.query_one(TextPane)
        assert pane.count < 5
        assert "the next matcher" in explorer.text
        await explorer.press(*" zzz")
        assert "nothing does that" in explorer.text
        await explorer.press("enter")
        assert explorer.app.screen is not explorer.app.main


async def test_a_click_on_the_action_under_the_cursor_does_it() -> None:
    async with opened(CYBERTRAVELS, 80, 24) as explorer:
        await explorer.press("ctrl+p")
        row = next(at for at, line in enumerate(explorer.lines) if "the next matcher" in line)
        await explorer.pilot.click(offset=(20, row))
        await explorer.until(lambda: explorer.app.main.session.measure == "name_only")


async def test_a_terminal_that_becomes_small_keeps_it_open() -> None:
    async with opened(CYBERTRAVELS, 80, 24) as explorer:
        await explorer.press("ctrl+p")
        for size in ((80, 4), (5, 24), (1, 1), (80, 24)):
            await explorer.pilot.resize_terminal(*size)
            await explorer.pilot.press("pagedown", "pageup")
            await explorer.pilot.pause()
        await explorer.pilot.press("escape")
        await explorer.until(lambda: explorer.app.screen is explorer.app.main)
