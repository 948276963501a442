"""The ledger: every change with what noticed it, which of them are shown, and what was recorded as the first line."""

from __future__ import annotations

from msgspec import Struct
from rich.text import Text

from agent_tui.bundles.ledger import Change, Ledger
from agent_tui.reports.figures import count
from agent_tui.tui.present.noticed import edit_line, noticed_briefly
from agent_tui.tui.present.words import joined
from agent_tui.tui.theme import Glyphs


class LedgerLine(Struct, frozen=True):
    """A line, and how many changes are shown after going to it."""

    line: Text
    position: int


def ledger_lines(ledger: Ledger, glyphs: Glyphs) -> list[LedgerLine]:
    """A line a change, oldest first, after the one for what was recorded."""
    lines = [LedgerLine(_marked(glyphs.passed, "   as recorded", "text"), 0)]
    for number, change in enumerate(ledger, 1):
        lines.append(LedgerLine(_line(number, change, ledger, glyphs), number))
    return lines


def _line(number: int, change: Change, ledger: Ledger, glyphs: Glyphs) -> Text:
    is_shown = number <= ledger.position
    sign = glyphs.passed if is_shown else glyphs.nothing
    more = f"and {count(len(change.edits) - 1, 'more edit')}" if len(change.edits) > 1 else None
    undone = None if is_shown else Text("undone", "notice")
    told = joined(undone, edit_line(change.edits[0], glyphs), Text(more, "label") if more else None)
    return joined(_marked(sign, f"{number:>3} ", "label"), told, Text(noticed_briefly(change.effect), "label"), gap=" ")


def _marked(sign: str, text: str, style: str) -> Text:
    return Text(f"{sign} ", "accent").append(text, style)
