"""Changes outlive the program: killed with changes made, the next opening offers them."""

from __future__ import annotations

import json
import signal
from pathlib import Path

import pytest

from agent_tui.bundles import load
from agent_tui.bundles.patch import read_patch, write_patch
from agent_tui.bundles.what_if import WhatIf, set_value
from agent_tui.errors import BadPatch
from agent_tui.tui.app import AgentTui
from agent_tui.tui.loader import Opening
from agent_tui.tui.settings import Settings
from tests.tui.opened import CYBERTRAVELS, TERMINAL, Explorer, loaded, opened
from tests.tui.pty_terminal import PtyTerminal, run_explorer

VALUES = ("150", "160", "170", "180", "1400")


def change(terminal: PtyTerminal, value: str, number: int) -> None:
    """Give what is under the cursor another value."""
    terminal.press("e", "R2 expected.calls[1].args.amount")
    terminal.press("\x15", "nothing is typed")
    terminal.press(value, value)
    terminal.press("enter", f"what-if: {number} change")


@pytest.fixture
def killed(tmp_path: Path) -> Path:
    """A bundle in which five changes were made before the program was killed."""
    path = tmp_path / "mine.json"
    path.write_bytes(Path(CYBERTRAVELS).read_bytes())
    with run_explorer(str(path)) as terminal:
        terminal.wait_for("6 of 6")
        terminal.press("down", "R2  double-charge")
        for number, value in enumerate(VALUES, 1):
            change(terminal, value, number)
        terminal.send(signal.SIGKILL)
        assert terminal.end() == -signal.SIGKILL
    return path


async def test_changes_made_before_a_kill_are_offered_and_brought_back(killed: Path) -> None:
    async with opened(str(killed)) as explorer:
        assert "5 changes were left here: U brings them back, ctrl+r forgets" in explorer.status
        assert "as recorded" in explorer.lines[0]
        await explorer.press("U")
        assert "what-if: 5 changes" in explorer.lines[0]
        assert explorer.app.main.session.card.tallies["exact"].passed == 4
        assert "▲ R2 passes now" in explorer.text
        await explorer.press("u")
        assert "what-if: 4 changes" in explorer.lines[0]


@pytest.mark.parametrize("key", ["e", "a", "y", "x", "less_than_sign"])
async def test_no_change_takes_the_place_of_those_that_are_offered(killed: Path, key: str) -> None:
    async with opened(str(killed)) as explorer:
        await explorer.press("escape")
        assert "5 changes were left here" in explorer.status
        await explorer.press("down", "3", "down", "down", key)
        assert "5 changes were left here: U brings them back" in explorer.status
        assert "as recorded" in explorer.lines[0]
        await explorer.press("U")
        assert "what-if: 5 changes" in explorer.lines[0]


async def test_they_can_be_forgotten(killed: Path) -> None:
    async with opened(str(killed)) as explorer:
        await explorer.press("ctrl+r")
        assert "5 changes forgotten" in explorer.status
    async with opened(str(killed)) as explorer:
        assert "were left here" not in explorer.status


async def test_a_bundle_that_changed_since_then_says_so(killed: Path) -> None:
    bundle = json.loads(killed.read_text())
    killed.write_text(json.dumps({**bundle, "runs": bundle["runs"][:4]}))
    async with opened(str(killed)) as explorer:
        assert "5 changes were left here, but what is opened is not what it was" in explorer.status
        await explorer.press("U")
        assert "as recorded" in explorer.lines[0]


# A patch


def patch_of(folder: Path, path: str = CYBERTRAVELS) -> Path:
    """A patch of the workshop's flip."""
    what_if = WhatIf(load([path]))
    what_if.change(1, set_value("expected.calls[1].args.amount", "1400"))
    write_patch(what_if, folder / "a.whatif.json")
    return folder / "a.whatif.json"


async def test_a_patch_is_shown_as_a_what_if_from_the_start(tmp_path: Path) -> None:
    opening = Opening((CYBERTRAVELS,), patch=read_patch(patch_of(tmp_path)))
    app = AgentTui(opening, settings=Settings(), terminal=TERMINAL, theme="agent-dark")
    async with app.run_test(size=(140, 50)) as pilot:
        explorer = Explorer(app, pilot)
        await loaded(app)
        await explorer.settle()
        assert "what-if: 1 change · nothing on disk is touched" in explorer.lines[0]
        assert "R2 expected.calls[1].args.amount  140 → 1400" in explorer.text


def test_a_patch_for_another_bundle_ends_with_its_reason(tmp_path: Path) -> None:
    with run_explorer("--patch", str(patch_of(tmp_path)), "sample_runs/docent.json") as terminal:
        assert terminal.end() == BadPatch.exit_status
        assert b"for another bundle" in terminal.output.rpartition(b"\x1b[?1049l")[2]
