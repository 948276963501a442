"""What a toggle moved: the announcement in a line, and the runs one by one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import overload

from rich.text import Text

from agent_tui.bundles import Bundle
from agent_tui.reports import figures
from agent_tui.tui.present.short_names import short_name
from agent_tui.tui.present.words import CAUSES, joined, mark, shown_measure
from agent_tui.tui.session import Toggle
from agent_tui.tui.theme import Glyphs

_NAMED = 4
_NAME = 40
"""Cells of a run's name beside what moved."""
_SHORT_NAME = 20
"""Cells of one among several."""


def announcement(bundle: Bundle, toggle: Toggle, glyphs: Glyphs) -> Text:
    """`name-only 4/6 .667  +.167 over exact: R2 moved`."""
    before, after = toggle.before, toggle.after
    line = Text(f" {shown_measure(after.measure)} ", "title").append(f"{after.passed:,}/{after.scored:,} ", "text")
    line.append(figures.rate(after.rate), "number")
    if before.rate is not None and after.rate is not None:
        change = figures.gap(after.rate - before.rate) or "no change"
        line.append(f"  {change} against {shown_measure(before.measure)}", "notice")
    moved = [bundle.names.name(row) for row in toggle.moved[:_NAMED]]
    names = [short_name(name, _SHORT_NAME, glyphs.ellipsis, moved) for name in moved]
    more = f" and {len(toggle.moved) - _NAMED:,} more" if len(toggle.moved) > _NAMED else ""
    return line.append(f"  moved: {', '.join(names) + more if names else 'no run'}", "label")


class MovedLines(Sequence[Text]):
    """A line a run, made when it is seen: its verdict before and after, and the cause."""

    def __init__(self, bundle: Bundle, toggle: Toggle, glyphs: Glyphs) -> None:
        self._bundle, self._toggle, self._glyphs = bundle, toggle, glyphs

    def __len__(self) -> int:
        return 1 + len(self._toggle.moved)

    @overload
    def __getitem__(self, number: int) -> Text: ...
    @overload
    def __getitem__(self, number: slice) -> list[Text]: ...
    def __getitem__(self, number: int | slice) -> Text | list[Text]:
        if isinstance(number, slice):
            return [self[each] for each in range(*number.indices(len(self)))]
        number = range(len(self))[number]
        if number:
            return _line(self._bundle, self._toggle, self._toggle.moved[number - 1], self._glyphs)
        measures = (shown_measure(tally.measure) for tally in (self._toggle.before, self._toggle.after))
        head = Text(f" {f' {self._glyphs.arrow} '.join(measures)}", "title")
        return head.append(f"  {figures.count(len(self._toggle.moved), 'run')} moved", "label")


class MovedRows(Sequence[int | None]):
    """The row that each of these lines is about."""

    def __init__(self, toggle: Toggle) -> None:
        self._rows = toggle.moved

    def __len__(self) -> int:
        return 1 + len(self._rows)

    @overload
    def __getitem__(self, number: int) -> int | None: ...
    @overload
    def __getitem__(self, number: slice) -> list[int | None]: ...
    def __getitem__(self, number: int | slice) -> int | list[int | None] | None:
        if isinstance(number, slice):
            return [self[each] for each in range(*number.indices(len(self)))]
        number = range(len(self))[number]
        return self._rows[number - 1] if number else None


def _line(bundle: Bundle, toggle: Toggle, row: int, glyphs: Glyphs) -> Text:
    table = bundle.table
    was, now = (table.state(row, tally.measure) for tally in (toggle.before, toggle.after))
    cause = table.cause(row) or ""
    change = joined(mark(was, glyphs), Text(glyphs.arrow, "label"), mark(now, glyphs), gap=" ")
    name = short_name(bundle.names.name(row), _NAME, glyphs.ellipsis)
    return joined(Text(f" {name:<12}", "text"), change, Text(CAUSES.get(cause, cause), "label"))
