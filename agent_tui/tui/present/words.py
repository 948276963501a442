"""Small pieces that every pane says the same way."""

from __future__ import annotations

import json

from rich.text import Text

from agent_tui.runs import State
from agent_tui.runs.json_values import JsonValue
from agent_tui.tui.theme import Glyphs
from agent_tui.tui.widgets.foreign import shown_line, shown_start

_CELL = 400


def safe(text: str, limit: int = _CELL) -> str:
    """Foreign text as one line that cannot act, cut at `limit` characters with what was cut said."""
    return shown_start(text, limit)


def safe_name(text: str) -> str:
    """A foreign name as one line, whole."""
    return shown_line(text)


def shown_measure(measure: str) -> str:
    """A measure's name as people read it: `name-only`, `task success`."""
    return _NAMES.get(measure, measure.replace("_", "-"))


_NAMES = {
    "task_success": "task success",
    "tool_call_correctness": "calls right",
    "trajectory_quality": "trajectory",
}

CAUSES = {
    "no_calls": "no calls",
    "wrong_args": "args",
    "wrong_tool": "tool",
    "run_error": "run error",
}
"""Causes in a word, where the word of the data is not the one people say."""

_MARKS = {
    State.PASS: ("passed", "pass"),
    State.FAIL: ("failed", "fail"),
    State.ERROR: ("errored", "error"),
    State.NOT_KNOWN: ("unscoreable", "unscoreable"),
    State.VACUOUS: ("unscoreable", "unscoreable"),
    State.BROKEN: ("notice", "notice"),
    State.PENDING: ("nothing", "label"),
}
_WORDS = {
    State.ERROR: "error",
    State.VACUOUS: "vacuous",
    State.BROKEN: "check error",
}


def mark(state: State, glyphs: Glyphs, word: str | None = None) -> Text:
    """A verdict as its mark and, where the mark alone would not say enough, a word."""
    name, style = _MARKS[state]
    said = word or _WORDS.get(state, "")
    return Text(f"{getattr(glyphs, name)} {said}".rstrip(), style)


def joined(*parts: Text | str | None, gap: str = "  ") -> Text:
    """Parts in one line; None and empty ones leave no gap."""
    line = Text()
    for part in parts:
        if part:
            if line:
                line.append(gap)
            line.append_text(part if isinstance(part, Text) else Text(part, "text"))
    return line


def text_of_json(value: JsonValue) -> str:
    """A value as JSON, so that a number and its text look different."""
    return json.dumps(value, ensure_ascii=False, default=str)
