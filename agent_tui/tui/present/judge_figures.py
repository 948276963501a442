"""The figures that stand before any verdict, each with k, n, interval and the bound that it is held against."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct
from rich.text import Text

from agent_tui.reports import figures
from agent_tui.reports.validation import Line
from agent_tui.stats.confusion import Confusion
from agent_tui.tui.present.about import About
from agent_tui.tui.present.page import PageLine
from agent_tui.tui.theme import Glyphs
from agent_tui.tui.widgets.bars import interval_bar

_WIDEST, _LEAST = 40, 12
"""Cells of a bar: the most, and the fewest that are worth drawing."""
_RATE, _MET = 5, 7
_ROOMY = 110
"""Cells from which on columns stand wide apart."""


class _Columns(Struct, frozen=True):
    """Cells of each column, as wide as what stands in it."""

    name: int
    count: int
    bounds: int
    bound: int
    bar: int
    gap: str


def figure_lines(lines: Sequence[Line], width: int, glyphs: Glyphs, title: str) -> Iterator[PageLine]:
    """A heading and a line a figure; without room for the bars these go, and the interval stays."""
    columns = _columns(lines, width, title)
    heads = [f"{'k/n':>{columns.count}}", f"{'rate':<{_RATE}}", *([" " * columns.bar] if columns.bar else []), "95 %"]
    head = Text().append(f"{title:<{columns.name}}", "title")
    yield head.append(columns.gap + columns.gap.join(heads), "label"), None
    for line in lines:
        yield _figure(line, columns, glyphs), About("judge", line.name)


def _columns(lines: Sequence[Line], width: int, title: str) -> _Columns:
    name = max(len(title), *(len(_name(line)) for line in lines))
    count = max(len(_count(line)) for line in lines)
    bounds = max(len(_bounds(line)) for line in lines)
    bound = max(len(line.bound) for line in lines)
    gap = "   " if width > _ROOMY else " "
    cells = [name, count, _RATE, bounds, *([bound, _MET] if bound else [])]
    bar = min(_WIDEST, width - sum(cells) - len(gap) * len(cells))
    return _Columns(name, count, bounds, bound, bar if bar >= _LEAST else 0, gap)


def _name(line: Line) -> str:
    return f"{line.name}, {line.of}"


def _count(line: Line) -> str:
    return f"{line.rate.k:,}/{line.rate.n:,}"


def _bounds(line: Line) -> str:
    return figures.span(line.rate.low, line.rate.high)


def _figure(line: Line, columns: _Columns, glyphs: Glyphs) -> Text:
    rate = line.rate
    name = Text(line.name, "text").append(f", {line.of}".ljust(columns.name - len(line.name)), "label")
    cells = [
        name,
        Text(f"{_count(line):>{columns.count}}", "text"),
        Text(f"{figures.rate(rate.rate):<{_RATE}}", "number"),
    ]
    if columns.bar:
        cells.append(interval_bar(columns.bar, rate.rate, rate.low, rate.high, glyphs=glyphs))
    cells.append(Text(f"{_bounds(line):<{columns.bounds}}", "label"))
    if line.met is not None:
        style = "pass" if line.met else "fail"
        cells += [Text(f"{line.bound:<{columns.bound}}", style), Text("met" if line.met else "not met", style)]
    return Text(columns.gap).join(cells)


def so_far(confusion: Confusion) -> tuple[Line, ...]:
    """The figures while a validation goes on: no bound is held against them yet."""
    return (
        Line("agreement", "of decided", confusion.agreement_decided),
        Line("false passes", "of wrong answers", confusion.false_pass),
        Line("false fails", "of right answers", confusion.false_fail),
        Line("coverage", "of labelled", confusion.coverage),
    )
