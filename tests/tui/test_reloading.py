"""Files that change under the open screen: shown when they are whole, with the cursor where it was."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agent_tui.bundles import load
from agent_tui.bundles.write import bundle_lines
from tests.tui.opened import CYBERTRAVELS, Explorer, opened

_WITHIN = 1.0
EDITOR = "import pathlib, sys; pathlib.Path(sys.argv[1]).write_text(sys.stdin.read())"


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    """The sample as a file of the user's own."""
    path = tmp_path / "mine.json"
    path.write_bytes(Path(CYBERTRAVELS).read_bytes())
    return path


def with_amount(path: Path, amount: int) -> str:
    """The text of the file with another expected amount in R2."""
    bundle = json.loads(path.read_text())
    bundle["runs"][1]["expected"]["calls"][1]["args"]["amount"] = amount
    return json.dumps(bundle)


def edit_elsewhere(path: Path, text: str) -> None:
    """Let another process write a file."""
    subprocess.run([sys.executable, "-c", EDITOR, str(path)], input=text, text=True, check=True)


def passed(explorer: Explorer) -> int:
    """How many runs exact passes."""
    return explorer.app.main.session.card.tallies["exact"].passed


async def is_watched(explorer: Explorer) -> None:
    """Until the watcher has begun to look."""
    await explorer.until(lambda: "watchfiles" in sys.modules)
    await explorer.pilot.pause(0.3)


async def changed_on_disk(explorer: Explorer, path: Path, change: Callable[[Any], None]) -> None:
    """Change a file and wait until the screen shows it."""
    bundle = json.loads(path.read_text())
    change(bundle)
    was = explorer.app.bundle
    path.write_text(json.dumps(bundle))
    await explorer.until(lambda: explorer.app.bundle is not was)
    await explorer.settle()


async def test_a_file_that_is_edited_elsewhere_is_shown_within_a_second_and_the_cursor_stays(mine: Path) -> None:
    async with opened(str(mine)) as explorer:
        await explorer.press("j", "3", "k")
        key = explorer.app.main.reader.key()
        await is_watched(explorer)
        edit_elsewhere(mine, with_amount(mine, 1400))
        began = time.monotonic()
        await explorer.until(lambda: passed(explorer) == 4)
        assert time.monotonic() - began < _WITHIN
        await explorer.settle()
        assert (explorer.run, explorer.app.main.reader.key()) == ("R2", key)
        assert explorer.app.main.panes.focused == "trajectory"
        for words in ("was read again  1 run changed: R2", "▲ R2 passes now", "✓ was ✗", "as recorded"):
            assert words in explorer.text


async def test_a_torn_write_is_waited_for_and_shows_nothing(mine: Path) -> None:
    async with opened(str(mine)) as explorer:
        await is_watched(explorer)
        whole, before, seen = with_amount(mine, 1400), explorer.text, []
        reloading = explorer.app.reloading
        for part in (0.3, 0.6, 0.9):
            mine.write_text(whole[: int(len(whole) * part)])
            await explorer.until(lambda: reloading._not_whole is not None and not reloading._is_reading)
            reloading._calm()
            seen.append(explorer.text)
        assert seen == [before] * 3
        mine.write_text(whole)
        await explorer.until(lambda: passed(explorer) == 4)


async def test_what_stays_torn_is_said_calmly_and_shown_when_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("agent_tui.tui.reloading._PATIENCE", 0.05)
    path = tmp_path / "mine.jsonl"
    whole = b"".join(bundle_lines(load([CYBERTRAVELS])))
    path.write_bytes(whole)
    async with opened(str(tmp_path)) as explorer:
        await is_watched(explorer)
        path.write_bytes(whole[:-100])
        await explorer.until(lambda: "what is on disk is not whole" in explorer.status)
        assert len(explorer.app.bundle) == 6
        await explorer.press("r")
        await explorer.until(lambda: len(explorer.app.bundle) == 5)
        await explorer.settle()
        assert "1 run gone: R6" in explorer.text
        assert "runs came or went: 6 → 5" in explorer.text
        assert "did not notice" not in explorer.text


async def test_what_cannot_be_read_at_all_changes_nothing(mine: Path) -> None:
    async with opened(str(mine)) as explorer:
        mine.write_text("hello")
        await explorer.press("r")
        await explorer.until(lambda: "mine.json" in explorer.status)
        assert len(explorer.app.bundle) == 6


async def test_changes_are_made_again_where_they_still_fit(mine: Path) -> None:
    async with opened(str(mine)) as explorer:
        await explorer.press("j", "e", "end", "0", "enter")
        await is_watched(explorer)
        await changed_on_disk(explorer, mine, lambda bundle: bundle["runs"].pop(0))
        assert explorer.run == "R2"
        assert "what-if: 1 change" in explorer.lines[0]
        assert "1 run gone: R1" in explorer.text
        await explorer.press("u")
        assert "as recorded" in explorer.lines[0]


async def test_a_change_that_does_not_fit_any_more_is_dropped_and_said(mine: Path) -> None:
    async with opened(str(mine)) as explorer:
        await explorer.press("j", "e", "end", "0", "enter")
        await is_watched(explorer)
        mine.write_text(with_amount(mine, 150))
        await explorer.until(lambda: "dropped, it does not fit any more" in explorer.text)
        assert "as recorded" in explorer.lines[0]


async def test_filter_and_order_stay(mine: Path) -> None:
    async with opened(str(mine)) as explorer:
        await explorer.press("f", *"calls > 1", "enter", "s", "j", "enter", "G")
        run, field = explorer.run, explorer.app.main.session.sort_field
        await is_watched(explorer)
        await changed_on_disk(explorer, mine, lambda bundle: bundle["runs"].append({**bundle["runs"][1], "id": "R7"}))
        assert (explorer.run, explorer.app.main.session.sort_field) == (run, field)
        assert "filter calls > 1  5 of 7" in explorer.status


async def test_what_is_being_typed_is_waited_for(mine: Path) -> None:
    async with opened(str(mine)) as explorer:
        await explorer.press("j", "e")
        await is_watched(explorer)
        was = explorer.app.bundle
        mine.write_text(with_amount(mine, 1400))
        await explorer.pilot.pause(0.6)
        assert explorer.app.bundle is was
        await explorer.press("escape")
        await explorer.until(lambda: passed(explorer) == 4)


async def test_a_file_put_in_the_place_of_the_old_one_is_seen(mine: Path) -> None:
    async with opened(str(mine)) as explorer:
        await is_watched(explorer)
        for amount, count in ((1400, 4), (140, 3)):
            draft = mine.with_suffix(".draft")
            draft.write_text(with_amount(mine, amount))
            draft.replace(mine)
            await explorer.until(lambda count=count: passed(explorer) == count)


async def test_reading_again_what_did_not_change_says_so(mine: Path) -> None:
    async with opened(str(mine)) as explorer:
        await explorer.press("r")
        await explorer.until(lambda: "on disk is what is shown" in explorer.status)
