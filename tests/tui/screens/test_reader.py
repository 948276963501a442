"""The trajectory of a long run is made beside the keys: the pane says so, the cursor is free, the lines come."""

from __future__ import annotations

from pathlib import Path

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
