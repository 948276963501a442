"""Every pane and screen as a picture, after the keys a person would press, on a small and on a large terminal."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest
from textual.pilot import Pilot

from tests.tui.opened import CYBERTRAVELS, Explorer, app_on, loaded

SIZES = {"small": (80, 24), "large": (140, 50)}
Compare = Callable[..., bool]


@dataclass(frozen=True)
class Picture:
    """What to open, which keys to press, and in which theme."""

    keys: tuple[str, ...] = ()
    path: str = CYBERTRAVELS
    theme: str = "agent-dark"


FLIP = ("j", "e", "end", "0", "enter")
BOTH = {
    "opened": Picture(),
    "a difference": Picture(("j",)),
    "toggled": Picture(("j", "m")),
    "what moved": Picture(("m", "4", "j")),
    "scorecard enlarged": Picture(("1", "+", "j")),
    "trajectory enlarged": Picture(("j", "3", "+")),
    "provenance": Picture(("p",)),
    "help": Picture(("?",)),
    "sort": Picture(("s", "j")),
    "filtered": Picture(("f", *"verdict = fail", "enter")),
    "filter that does not parse": Picture(("f", *"speed > 3", "enter")),
    "found": Picture(("/", *"NOT issued", "enter"), "tests/cases/22-said-something-and-called-a-tool/messages.jsonl"),
    "changed": Picture(FLIP),
    "other side": Picture(("j", "3", "H")),
    "editing": Picture(("j", "e")),
    "value that does not parse": Picture(("j", "e", "home", "{", "enter")),
    "changes": Picture((*FLIP, "e", "end", "0", "enter", "u", "L")),
    "palette": Picture(("ctrl+p",)),
    "light": Picture(("j", "m"), theme="agent-light"),
    "sixteen colours": Picture(("j", "m"), theme="agent-16"),
}
LARGE = {
    "runs enlarged": Picture(("+",)),
    "ready filters": Picture(("f", "enter")),
    "columns": Picture(("C",)),
    "other bundles": Picture(("o",)),
    "problems": Picture(("P",), "tests/cases/11-bad-lines-in-the-middle/messages.jsonl"),
    "whole text": Picture(("j", "3", "home", "enter")),
    "search made twice": Picture(("end", "3", "j", "j", "y"), "sample_runs/docent.json"),
    "changed in sixteen colours": Picture(FLIP, theme="agent-16"),
    "high contrast": Picture(("j", "m"), theme="agent-contrast"),
    "docent": Picture(("end",), "sample_runs/docent.json"),
    "inspect": Picture(("j",), "sample_runs/travel-inspect.eval"),
    "chat": Picture(("j", "3"), "sample_runs/travel-chat.jsonl"),
    "not finished": Picture((), "tests/cases/23-finished-is-not-passed/run.json"),
    "square brackets": Picture(("j",), "tests/cases/13-square-brackets/run.json"),
    "control sequences": Picture((), "tests/cases/14-terminal-control-sequences/run.json"),
}


def take(compare: Compare, picture: Picture, size: tuple[int, int]) -> bool:
    """Press the keys, each after the last has been drawn, and compare."""
    app = app_on(picture.path, theme=picture.theme)

    async def press(pilot: Pilot[int]) -> None:
        explorer = Explorer(app, pilot)
        await loaded(app)
        await explorer.settle()
        for key in picture.keys:
            await explorer.press(key)

    return compare(app, terminal_size=size, run_before=press)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", BOTH)
def test_small_and_large(snap_compare: Compare, name: str, size: str) -> None:
    assert take(snap_compare, BOTH[name], SIZES[size])


@pytest.mark.parametrize("name", LARGE)
def test_large(snap_compare: Compare, name: str) -> None:
    assert take(snap_compare, LARGE[name], SIZES["large"])
