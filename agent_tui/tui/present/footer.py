"""The footer: the keys worth knowing here, as many as fit."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct
from rich.text import Text

from agent_tui.tui.actions import ACTIONS, Action, shown_keys


class FooterItem(Struct, frozen=True):
    """An action in the footer, from cell `start` to before cell `end`."""

    action: Action
    start: int
    end: int


def footer(width: int, keys: Mapping[str, str]) -> tuple[Text, list[FooterItem]]:
    """The line and where each action stands in it; help and quit always fit, the others by their place."""
    wanted = sorted((action for action in ACTIONS if action.footer), key=lambda action: action.footer)
    kept = [action for action in wanted if action.id in ("help", "quit")]
    room = width + 1 - sum(_length(action, keys) for action in kept)
    for action in wanted:
        if action not in kept and _length(action, keys) <= room:
            kept.append(action)
            room -= _length(action, keys)
    line, items = Text(" "), []
    for action in sorted(kept, key=lambda action: action.footer):
        start = line.cell_len
        line.append(_keys(action, keys), "accent bold").append(f" {action.label}  ", "label")
        items.append(FooterItem(action, start, line.cell_len - 2))
    line.rstrip()
    return line, items


def _keys(action: Action, keys: Mapping[str, str]) -> str:
    return shown_keys(keys.get(action.id, action.keys))


def _length(action: Action, keys: Mapping[str, str]) -> int:
    """Cells that an action needs with the two blanks behind it, which the last can do without."""
    return len(_keys(action, keys)) + len(action.label) + 3
