"""Numbers as pictures of one line: a rate with its interval, and a ribbon whose parts add up."""

from __future__ import annotations

from collections.abc import Mapping

from rich.text import Text

from agent_tui.tui.theme import UNICODE, Glyphs

PARTS = ("passed", "failed", "errored", "unscoreable", "other", "open")
"""The parts of a ribbon, in the order they stand in; each has a glyph of its own."""
_STYLES = dict(zip(PARTS, ("pass", "fail", "error", "unscoreable", "notice", "faint"), strict=True))


def interval_bar(
    width: int,
    rate: float | None,
    low: float | None = None,
    high: float | None = None,
    *,
    mark: float | None = None,
    glyphs: Glyphs = UNICODE,
) -> Text:
    """`····├───●───┤···`: where a rate lies between 0 and 1, how sure that is, and `mark`, what it is compared with."""
    cells = [(glyphs.track, "faint")] * width
    if rate is None or width < 1:
        return _joined(cells)

    def cell(value: float) -> int:
        return round(max(0.0, min(1.0, value)) * (width - 1))

    if low is not None and high is not None:
        start, end = cell(low), cell(high)
        cells[start : end + 1] = [(glyphs.rule, "label")] * (end - start + 1)
        cells[start], cells[end] = (glyphs.low, "label"), (glyphs.high, "label")
    if mark is not None:
        cells[cell(mark)] = (glyphs.marker, "notice")
    cells[cell(rate)] = (glyphs.point, "accent")
    return _joined(cells)


def ribbon(width: int, counts: Mapping[str, int], *, glyphs: Glyphs = UNICODE) -> Text:
    """The parts of a whole over exactly `width` cells; whatever is not zero is seen."""
    shown = [(name, counts.get(name, 0)) for name in PARTS if counts.get(name, 0) > 0]
    bar = Text()
    for (name, _), cells in zip(shown, shares([count for _, count in shown], width), strict=True):
        bar.append(glyphs.ribbon[PARTS.index(name)] * cells, _STYLES[name])
    return bar if shown else Text(glyphs.track * width, "faint")


def ratio_bar(width: int, part: int, whole: int, *, glyphs: Glyphs = UNICODE) -> Text:
    """How much of a whole is there: the filled cells in `pass`, the missing ones in `fail`."""
    return ribbon(width, {"passed": part, "failed": whole - part}, glyphs=glyphs)


def course_bar(width: int, done: int, total: int, *, glyphs: Glyphs = UNICODE) -> Text:
    """`███·······`: how far something is that is under way; full only at its end."""
    cells = width if done >= total else min(width - 1, width * done // total)
    return Text(glyphs.ribbon[0] * cells, "accent").append(glyphs.track * (width - cells), "faint")


def shares(counts: list[int], width: int) -> list[int]:
    """`width` cells dealt out by largest remainder, at least one to each count that is not zero.

    Where there are more such counts than cells, the largest counts get one each.
    """
    total = sum(counts)
    if not total or width <= 0:
        return [0] * len(counts)
    if sum(count > 0 for count in counts) > width:
        seen = sorted(range(len(counts)), key=lambda at: -counts[at])[:width]
        return [int(at in seen) for at in range(len(counts))]
    cells = [count * width // total for count in counts]
    by_remainder = sorted(range(len(counts)), key=lambda at: (-(counts[at] * width % total), at))
    for at in by_remainder[: width - sum(cells)]:
        cells[at] += 1
    for at, count in enumerate(counts):
        if count > 0 and not cells[at]:
            cells[cells.index(max(cells))] -= 1
            cells[at] = 1
    return cells


def _joined(cells: list[tuple[str, str]]) -> Text:
    text = Text()
    for glyph, style in cells:
        text.append(glyph, style)
    return text
