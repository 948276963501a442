"""Names that are too long for their room: cut in the middle, so that rows can be told apart."""

from __future__ import annotations

from collections.abc import Iterable

from rich.cells import cell_len, set_cell_size

from agent_tui.matchers.parting import parting
from agent_tui.tui.present.words import safe_name

_LEAD = 2
"""Cells before the place where two names part that are alike at both ends."""


def short_name(name: str, room: int, ellipsis: str, others: Iterable[str] = ()) -> str:
    """A name in `room` cells: its beginning and more of its end; where `others` would look the same, what differs."""
    whole = safe_name(name)
    if cell_len(whole) <= room:
        return whole
    cut = _without_middle(whole, room, ellipsis)
    shown = {other: safe_name(other) for other in others if other != name}
    alike = [other for other in shown.values() if _without_middle(other, room, ellipsis) == cut]
    return _from(whole, min(parting(whole, other) for other in alike), room, ellipsis) if alike else cut


def _without_middle(text: str, room: int, ellipsis: str) -> str:
    if cell_len(text) <= room:
        return text
    kept = max(0, room - cell_len(ellipsis))
    return _start(text, kept // 3) + ellipsis + _end(text, kept - kept // 3)


def _from(text: str, at: int, room: int, ellipsis: str) -> str:
    """A text from shortly before the character at `at`."""
    text = ellipsis + text[max(0, at - _LEAD) :]
    return text if cell_len(text) <= room else _start(text, max(0, room - cell_len(ellipsis))) + ellipsis


def _start(text: str, cells: int) -> str:
    return set_cell_size(text[:cells], cells) if cell_len(text[:cells]) > cells else text[:cells]


def _end(text: str, cells: int) -> str:
    end = text[len(text) - cells :] if cells else ""
    while cell_len(end) > cells:
        end = end[1:]
    return end
