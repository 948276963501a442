"""What a toggle moved: the announcement in a line, and the runs one by one."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

from agent_tui.bundles import Bundle
from agent_tui.reports import figures
from agent_tui.tui.present.words import CAUSES, joined, mark, safe_name, shown_measure
from agent_tui.tui.session import Toggle
from agent_tui.tui.theme import Glyphs

_TOLD = 1000
"""Runs that have a line of their own (a count)."""
_NAMED = 4


def announcement(bundle: Bundle, toggle: Toggle, glyphs: Glyphs) -> Text:
    """`name-only 4/6 .667  +.167 over exact: R2 moved`."""
    before, after = toggle.before, toggle.after
    line = Text(f" {shown_measure(after.measure)} ", "title").append(f"{after.passed:,}/{after.scored:,} ", "text")
    line.append(figures.rate(after.rate), "number")
    if before.rate is not None and after.rate is not None:
        change = figures.gap(after.rate - before.rate) or "no change"
        line.append(f"  {change} against {shown_measure(before.measure)}", "notice")
    names = [safe_name(bundle.names.name(row)) for row in toggle.moved[:_NAMED]]
    more = f" and {len(toggle.moved) - _NAMED:,} more" if len(toggle.moved) > _NAMED else ""
    return line.append(f"  moved: {', '.join(names) + more if names else 'no run'}", "label")


def moved_lines(bundle: Bundle, toggle: Toggle, glyphs: Glyphs) -> list[Text]:
    """A line a run: its verdict before and after, and the cause."""
    head = f" {shown_measure(toggle.before.measure)} {glyphs.arrow} {shown_measure(toggle.after.measure)}"
    lines = [Text(head, "title").append(f"  {figures.count(len(toggle.moved), 'run')} moved", "label")]
    lines += [_line(bundle, toggle, row, glyphs) for row in toggle.moved[:_TOLD]]
    more = len(toggle.moved) - _TOLD
    if more > 0:
        lines.append(Text(f" and {figures.count(more, 'run')} more: in the table a star stands at each", "label"))
    return lines


def _line(bundle: Bundle, toggle: Toggle, row: int, glyphs: Glyphs) -> Text:
    table = bundle.table
    was, now = (table.state(row, tally.measure) for tally in (toggle.before, toggle.after))
    cause = table.cause(row) or ""
    change = joined(mark(was, glyphs), Text(glyphs.arrow, "label"), mark(now, glyphs), gap=" ")
    return joined(
        Text(f" {safe_name(bundle.names.name(row)):<12}", "text"), change, Text(CAUSES.get(cause, cause), "label")
    )


def rows_of_lines(toggle: Toggle) -> Sequence[int | None]:
    """The row that each line of `moved_lines` is about."""
    rows = toggle.moved[:_TOLD]
    return (None, *rows, *([None] if len(toggle.moved) > _TOLD else []))
