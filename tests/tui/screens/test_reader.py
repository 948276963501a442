"""The trajectory of a long run is made beside the keys: the pane says so, the cursor is free, the lines come."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent_tui.tui.terminal import Terminal
from tests.tui.opened import CYBERTRAVELS, call, made_run, opened, write_bundle


async def test_a_long_run_is_aligned_while_keys_are_answered(tmp_path: Path) -> None:
    expected, made = [[call("look", place=f"{n:06}", kind=kind) for n in range(2000)] for kind in ("a", "b")]
    path = write_bundle(tmp_path, made_run("short", [call("a")], [call("a")]), made_run("long", expected, made))
    async with opened(path) as explorer:
        main = explorer.app.main
        main.table.move_to(1)
        main.reader.show()
        assert main.reader.tree is None
        await explorer.pilot.pause()
        assert explorer.run == "long"
        await explorer.settle()
        await explorer.until(lambda: main.reader.tree is not None)
        await explorer.until(lambda: any("≠ look" in line for line in explorer.lines))
        main.table.move_to(0)
        main.reader.show()
        assert main.reader.tree is not None
        assert main.reader.row == 0


async def test_a_text_that_does_not_hold_what_is_searched_says_so_until_it_does() -> None:
    async with opened(CYBERTRAVELS, 80, 24) as explorer:
        await explorer.press("question_mark", "slash")
        await explorer.type("no such thing")
        assert "not found: no such thing" in explorer.lines[0]
        await explorer.press("slash", *["backspace"] * 13)
        await explorer.type("undo")
        assert "not found" not in explorer.text


@pytest.mark.parametrize("size", [(80, 24), (140, 50)])
async def test_without_utf8_two_signs_look_different_and_it_is_said_once(tmp_path: Path, size: tuple[int, int]) -> None:
    terminal = Terminal(utf8=False, colours="16", remote=False, dumb=False, erases=True)
    run = made_run("t", [call("a", of="ツ…")], [call("a", of="…シ")])
    async with opened(write_bundle(tmp_path, run), *size, terminal=terminal) as explorer:
        assert r"no UTF-8 here: signs beyond ASCII stand as \u30c4" in explorer.status
        assert r'"\u30c4\u2026"' in explorer.text
        assert r'"\u2026\u30b7"' in explorer.text
        await explorer.press("m")
        assert "no UTF-8" not in explorer.text
