"""Keys that come in one piece do what they do one by one."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from pathlib import Path

import pytest
from textual import events
from textual.keys import _character_to_key
from textual.screen import Screen

from agent_tui.tui.config import Config
from agent_tui.tui.widgets.prompt import Prompt
from tests.tui.opened import CYBERTRAVELS, Explorer, opened

ENTER, ESCAPE, END, DOWN, PALETTE = "enter", "escape", "end", "down", "ctrl+p"


def key_of(name: str) -> events.Key:
    return events.Key(_character_to_key(name), name) if len(name) == 1 else events.Key(name, None)


async def typed_at_once(explorer: Explorer, keys: Iterable[str]) -> None:
    for key in keys:
        explorer.app.post_message(key_of(key))
    await explorer.until(lambda: not explorer.app.in_turn.is_busy)
    await explorer.settle()


def shown(explorer: Explorer) -> tuple[object, ...]:
    app = explorer.app
    focused = app.focused
    return type(app.screen).__name__, None if focused is None else focused.id, explorer.text


@pytest.mark.parametrize(
    "keys",
    [
        ["f", *"gap", ENTER],
        ["f", *"gap", ENTER, DOWN, "3", END],
        ["f", ENTER, DOWN, ENTER],
        ["f", *"exact = fial", ENTER],
        ["f", *"gap", ESCAPE, "j"],
        ["/", *"refund", ENTER, "n", "n"],
        ["3", "G"],
        ["3", END, "k", "k", "2", "j"],
        ["2", "G", ENTER, "j", "j", ESCAPE, "k"],
        ["tab", "G", "tab", "j", "shift+tab", "k"],
        ["1", "j", "j", "p", ESCAPE, "2", "j"],
        ["s", DOWN, DOWN, ENTER, "G"],
        ["+", "G", "+", "3", "+", "j", "+"],
        ["j", "3", "j", "j", "j", "e", "ctrl+u", *"7", ENTER, "2", "G"],
        ["]", "3", "x", "u", "U", "2", "j"],
        [PALETTE, *"scorecard", ESCAPE, "j"],
        ["?", ESCAPE, "G"],
        ["m", "m", "M", "d", "4", "j"],
        ["j", ENTER, END],
        ["l", "p", *"for sure", ENTER, ESCAPE, "j"],
        ["G", "l", "n", ESCAPE, "3", "G"],
        ["J", ESCAPE, "j"],
        ["H", "3", "j", "j", "y", "u", "g"],
    ],
    ids=" ".join,
)
@pytest.mark.parametrize("size", [(140, 50), (80, 24), (50, 12)], ids=str)
async def test_keys_in_one_piece_do_what_they_do_one_by_one(
    tmp_path: Path, keys: list[str], size: tuple[int, int]
) -> None:
    one, other = (
        shutil.copytree(Path(CYBERTRAVELS).parent, tmp_path / name) for name in "ab"
    )  # of changes each its own
    async with opened(str(one / "cybertravels.json"), *size) as explorer:
        await explorer.press(*keys)
        await explorer.settle()
        one_by_one = shown(explorer)
    async with opened(str(other / "cybertravels.json"), *size) as explorer:
        await typed_at_once(explorer, keys)
        assert shown(explorer) == one_by_one


async def test_what_is_pasted_comes_after_the_key_before_it() -> None:
    async with opened(CYBERTRAVELS) as explorer:
        explorer.app.post_message(key_of("f"))
        explorer.app.post_message(events.Paste("cause = order"))
        explorer.app.post_message(key_of(ENTER))
        await explorer.until(lambda: not explorer.app.in_turn.is_busy)
        assert explorer.app.main.session.filter_text == "cause = order"
        assert not explorer.app.main.query_one(Prompt).is_open


class _Never(Screen[None]):
    """A screen that is never filled."""

    is_filled = False
    seen = 0

    def on_key(self) -> None:
        self.seen += 1


async def test_a_screen_that_is_never_filled_holds_one_key_up_and_not_all() -> None:
    async with opened(CYBERTRAVELS) as explorer:
        app, screen = explorer.app, _Never()
        await app.push_screen(screen)
        for _ in range(40):
            app.post_message(key_of("j"))
        await explorer.until(lambda: screen.seen == 40 and not app.in_turn.is_busy)  # 40 seconds would be too long


@pytest.mark.parametrize("keys", ["j", "G", "é"])
async def test_a_letter_right_behind_escape_is_one_of_its_own(keys: str) -> None:
    """A terminal sends both in one piece, which is also what Alt and that letter send."""
    async with opened(CYBERTRAVELS) as apart, opened(CYBERTRAVELS) as together:
        await apart.press("f", "x", ESCAPE, *keys)
        await together.press("f", "x")
        together.app.post_message(events.Key(f"alt+{keys}", keys))
        await together.until(lambda: shown(together) == shown(apart))
        assert not together.app.main.query_one(Prompt).is_open


async def test_alt_and_a_letter_is_what_somebody_chose_it_for() -> None:
    config = Config(keys={"move.last": "alt+j"})
    async with opened(CYBERTRAVELS, config=config) as explorer:
        explorer.app.post_message(events.Key("alt+j", "j"))
        await explorer.until(lambda: explorer.run == "R6")
