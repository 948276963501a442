"""NO_COLOR: nothing is told by colour, and no text has the colour of its background."""

from __future__ import annotations

import pytest

from tests.tui.pty_terminal import run_explorer
from tests.writing import CYBERTRAVELS


@pytest.mark.parametrize("term", ["xterm-256color", "xterm"])
def test_without_colours_the_screen_has_none_and_can_be_read(term: str) -> None:
    with run_explorer(CYBERTRAVELS, width=80, height=24, NO_COLOR="1", TERM=term) as terminal:
        terminal.wait_for("✗ args")
        cells = [cell for line in terminal.screen.buffer.values() for cell in line.values() if cell.data.strip()]
    assert {(cell.fg, cell.bg) for cell in cells} == {("default", "default")}
    assert any(cell.reverse for cell in cells)
