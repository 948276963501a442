"""When frames are written, held back, or left to Textual."""

from __future__ import annotations

import inspect
import re
from importlib.metadata import version
from pathlib import Path

import pytest
from textual._compositor import LayoutUpdate
from textual.app import App
from textual.drivers.headless_driver import HeadlessDriver
from textual.drivers.linux_driver import LinuxDriver
from textual.pilot import Pilot

from agent_tui.tui.output import SUPPORTED, _pieces
from agent_tui.tui.widgets.vtable import VirtualTable
from tests.tui.widgets.sample_app import COLUMNS, Rows, WidgetApp


class SlowTerminal(HeadlessDriver):
    """A terminal that keeps what it is given, and is busy as long as it says so."""

    is_headless = False
    is_writing = False

    def __init__(self, app: WidgetApp) -> None:
        super().__init__(app)
        self.frames: list[str] = []

    def write(self, data: str) -> None:
        self.frames.append(data)


def listing() -> tuple[WidgetApp, VirtualTable]:
    table = VirtualTable(COLUMNS, Rows(1000))
    return WidgetApp(table), table


async def arrival(pilot: Pilot[None], terminal: SlowTerminal) -> None:
    while not terminal.frames:
        await pilot.pause()


async def test_frames_wait_for_the_terminal_and_the_last_state_arrives() -> None:
    app, table = listing()
    async with app.run_test(size=(80, 24)) as pilot:
        terminal = SlowTerminal(app)
        app._driver = terminal
        app.redraw()
        await arrival(pilot, terminal)
        terminal.frames.clear()
        terminal.is_writing = True
        await pilot.press(*["pagedown"] * 10)
        assert terminal.frames == []
        terminal.is_writing = False
        await arrival(pilot, terminal)
        assert f"{table.cursor}" in "".join(terminal.frames)
        assert len(terminal.frames) == 1


async def test_a_repaint_that_changes_nothing_writes_nothing() -> None:
    app, _ = listing()
    async with app.run_test(size=(80, 24)) as pilot:
        terminal = SlowTerminal(app)
        app._driver = terminal
        app.redraw()
        await arrival(pilot, terminal)
        terminal.frames.clear()
        app.screen.refresh()
        await pilot.pause()
        assert terminal.frames == []


async def test_a_redraw_writes_everything() -> None:
    app, _ = listing()
    async with app.run_test(size=(80, 24)) as pilot:
        terminal = SlowTerminal(app)
        app._driver = terminal
        for _ in range(2):
            terminal.frames.clear()
            app.redraw()
            await arrival(pilot, terminal)
            assert "R20" in terminal.frames[0]


async def test_switched_off_textual_writes_and_switched_on_starts_afresh() -> None:
    app, _ = listing()
    async with app.run_test(size=(80, 24)) as pilot:
        terminal = SlowTerminal(app)
        app._driver = terminal
        app.lean = False
        app.screen.refresh()
        await arrival(pilot, terminal)
        plain = len(terminal.frames[0])
        terminal.frames.clear()
        app.lean = True
        app.screen.refresh()
        await arrival(pilot, terminal)
        assert "R20" in terminal.frames[0]
        assert len(terminal.frames[0]) < plain


# Textual's inner names


@pytest.mark.parametrize(
    ("kind", "names"),
    [
        (App, ("_display", "_driver", "_running", "_closed", "_batch_count", "_sync_available", "no_color")),
        (App, ("get_driver_class", "get_line_filters", "app_resume_signal", "cursor_position", "is_headless")),
        (LinuxDriver, ("start_application_mode", "stop_application_mode", "run_input_thread", "write", "flush")),
        (LinuxDriver, ("_file", "_key_thread", "exit_event", "is_inline")),
    ],
)
def test_the_names_that_the_output_leans_on_are_where_they_were(kind: type, names: tuple[str, ...]) -> None:
    source = "".join(inspect.getsource(base) for base in kind.__mro__ if base.__module__.startswith("textual"))
    gone = [name for name in names if not hasattr(kind, name) and f"self.{name}" not in source]
    assert gone == [], "Textual has moved them: see agent_tui/tui/output.py"


async def test_updates_hold_what_is_drawn_where_the_output_looks_for_it() -> None:
    assert SUPPORTED
    app, _ = listing()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        whole = app.screen._compositor.render_full_update()
        assert isinstance(whole, LayoutUpdate)
        rows = {y: sum(len(text) for text, *_ in pieces) for _, y, pieces in _pieces(whole)}
        assert rows == dict.fromkeys(range(24), 80)


def test_the_version_that_was_tried_is_the_one_that_is_pinned() -> None:
    pinned = re.search(r"^textual==(\S+)$", Path("constraints.txt").read_text(), re.MULTILINE)
    assert pinned is not None
    assert pinned[1] == version("textual")
