"""Start the app with what the command line, the configuration and the last session say."""

from __future__ import annotations

import os
from dataclasses import dataclass

from agent_tui.matchers import Rules
from agent_tui.tui.app import AgentTui
from agent_tui.tui.loader import Opening
from agent_tui.tui.settings import read_config, read_settings
from agent_tui.tui.terminal import read_terminal


@dataclass(frozen=True, slots=True)
class Start:
    """What the command line asks for; None leaves the choice to the settings and the terminal."""

    paths: tuple[str, ...]
    rules: Rules | None = None
    references: str | None = None
    allow_outside: bool = False
    measure: str | None = None
    filter_text: str = ""
    weights: dict[str, float] | None = None
    theme: str | None = None
    mouse: bool | None = None
    follow_cursor: bool | None = None
    resume: bool = False


def start(asked: Start) -> tuple[int, str | None]:
    """Run the app to its end; gives its exit status and, where it ended by itself, why."""
    settings, terminal = read_settings(), read_terminal(os.environ)
    if asked.follow_cursor is not None:
        settings.follow_cursor = asked.follow_cursor
    app = AgentTui(
        Opening(asked.paths, asked.rules, asked.references, asked.allow_outside),
        measure=asked.measure,
        filter_text=asked.filter_text,
        weights=asked.weights,
        settings=settings,
        config=read_config(),
        terminal=terminal,
        theme=None if asked.theme is None else f"agent-{asked.theme}",
        resume=asked.resume,
    )
    status = app.run(mouse=terminal.mouse if asked.mouse is None else asked.mouse)
    return (status if isinstance(status, int) else app.return_code or 0), app.last_words
