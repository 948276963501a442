"""Start the app with what the command line, the configuration and the last session say."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from msgspec import Struct

from agent_tui.tui.app import AgentTui
from agent_tui.tui.config import read_config
from agent_tui.tui.loader import Opening
from agent_tui.tui.settings import read_settings
from agent_tui.tui.terminal import read_terminal

if TYPE_CHECKING:
    from agent_tui.bundles.patch import Patch
    from agent_tui.matchers import Rules


class Start(Struct, frozen=True):
    """What the command line asks for; None leaves the choice to the configuration, the settings and the terminal."""

    paths: tuple[str, ...]
    rules: Rules | None = None
    references: str | None = None
    allow_outside: bool = False
    verifies: bool = False
    patch: Patch | None = None
    measure: str | None = None
    filter_text: str = ""
    weights: dict[str, float] | None = None
    theme: str | None = None
    mouse: bool | None = None
    follow_cursor: bool | None = None
    resume: bool = False


def start(asked: Start) -> tuple[int, str | None]:
    """Run the app to its end; gives its exit status and, where it ended by itself, why. Raises as `read_config`."""
    terminal, config = read_terminal(os.environ), read_config()
    theme = asked.theme or config.view.theme
    app = AgentTui(
        Opening(
            asked.paths,
            asked.rules,
            asked.references,
            asked.allow_outside,
            asked.patch,
            verifies=asked.verifies,
            limits=config.limits.limits,
        ),
        measure=asked.measure,
        filter_text=asked.filter_text,
        weights=asked.weights,
        settings=read_settings(),
        config=config,
        terminal=terminal,
        theme=None if theme is None else f"agent-{theme}",
        follow_cursor=asked.follow_cursor,
        resume=asked.resume,
    )
    wanted = (mouse for mouse in (asked.mouse, config.view.mouse) if mouse is not None)
    mouse = next(wanted, terminal.mouse)
    status = app.run(mouse=mouse)
    while app.mending.damage:
        app = app.mending.again()
        status = app.run(mouse=mouse)
    return (status if isinstance(status, int) else app.return_code or 0), app.last_words
