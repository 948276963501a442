"""The explorer for tests: opened on a file or on runs written down in the test, driven by keys, read as text."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from textual.pilot import Pilot

from agent_tui.bundles import Bundle, load
from agent_tui.tui.app import AgentTui
from agent_tui.tui.loader import Opening
from agent_tui.tui.settings import Settings
from agent_tui.tui.terminal import Terminal
from agent_tui.workers.loading import LEAST
from tests.growing import write_lines

TERMINAL = Terminal(utf8=True, colours="truecolor", remote=False, dumb=False, erases=True)
CYBERTRAVELS = "sample_runs/cybertravels.json"
LIMIT = 60.0
"""Seconds until a small bundle must be read."""
_TRIES = 400


def call(name: str, **args: object) -> dict[str, object]:
    """A call as it stands in a bundle."""
    return {"name": name, "args": args}


def made_run(id: str, expected: list[object] | None = None, actual: list[object] | None = None, **more: object) -> Any:
    """A run as it stands in a bundle."""
    run: dict[str, object] = {"id": id, "status": "done", **more}
    if expected is not None:
        run["expected"] = {"calls": expected, **more.pop("truth", {})}  # type: ignore[dict-item]
    if actual is not None:
        run["actual"] = {"calls": actual}
    return run


def write_bundle(folder: Path, *runs: object, name: str = "small") -> str:
    """A bundle file with these runs."""
    path = folder / f"{name}.json"
    path.write_text(json.dumps({"schema": "agent-tui/1", "bundle": {"id": name}, "runs": runs}))
    return str(path)


def write_large(path: Path, *runs: dict[str, Any]) -> str:
    """A file with these runs, a line each and with an answer so long that an index is worth while; gives its path."""
    answer = "long " * (LEAST // len(runs) // 5 + 1)
    return write_lines(path, ({**run, "answer": answer} for run in runs))


def bundle_of(folder: Path, *runs: object) -> Bundle:
    """These runs, read as a user's file is."""
    return load([write_bundle(folder, *runs)])


def app_on(path: str, **options: Any) -> AgentTui:
    """The app, with nothing remembered."""
    options.setdefault("settings", Settings())
    options.setdefault("terminal", TERMINAL)
    options.setdefault("theme", "agent-dark")
    return AgentTui(Opening((path,)), **options)


async def loaded(app: AgentTui) -> None:
    """Until everything is read."""
    await asyncio.wait_for(app.is_loaded.wait(), LIMIT)


@asynccontextmanager
async def opened(path: str, width: int = 140, height: int = 50, **options: Any) -> AsyncIterator[Explorer]:
    """The app with everything read and drawn."""
    app = app_on(path, **options)
    async with app.run_test(size=(width, height)) as pilot:
        explorer = Explorer(app, pilot)
        await loaded(app)
        await explorer.settle()
        yield explorer


class Explorer:
    """What a person does and sees."""

    def __init__(self, app: AgentTui, pilot: Pilot[int]) -> None:
        self.app = app
        self.pilot = pilot

    async def press(self, *keys: str) -> None:
        """Press keys and let the screen come to rest."""
        await self.pilot.press(*keys)
        await self.settle()

    async def type(self, text: str) -> None:
        """Type a text and Enter."""
        await self.press(*text, "enter")

    async def settle(self) -> None:
        """Until the trajectory is that of the row under the cursor, and nothing waits to be drawn."""
        await self.until(self._is_settled)
        await self.pilot.pause()

    def _is_settled(self) -> bool:
        main = self.app.main
        is_shown = main.reader.row is not None and main.reader.row == main.row
        return is_shown or main.row is None or main.reader.pane.size.width < 12

    async def until(self, holds: Callable[[], bool]) -> None:
        """Wait until something holds."""
        for _ in range(_TRIES):
            await self.pilot.pause()
            if holds():
                return
            await self.pilot.pause(0.01)
        raise AssertionError(f"not seen in time; the screen was\n{self.text}")

    @property
    def lines(self) -> list[str]:
        """The screen as lines of text."""
        strips = self.app.screen._compositor.render_strips()[: self.app.size.height]
        return [strip.text.rstrip() for strip in strips]

    @property
    def text(self) -> str:
        """The screen as text."""
        return "\n".join(self.lines)

    @property
    def status(self) -> str:
        """The status line."""
        return self.lines[-2]

    @property
    def run(self) -> str | None:
        """The run under the cursor."""
        row = self.app.main.row
        return None if row is None else self.app.bundle.names.name(row)
