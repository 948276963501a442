"""How the lines of a scorecard stand below each other: names, fractions, rates, bars, and what moved at the edge."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct
from rich.text import Text

from agent_tui.reports import figures
from agent_tui.scoring import Mean, Scorecard, Tally
from agent_tui.tui.present.about import About
from agent_tui.tui.present.shifted import shifted_by
from agent_tui.tui.present.words import joined, safe
from agent_tui.tui.theme import Glyphs
from agent_tui.tui.widgets.bars import interval_bar

Line = tuple[Text, About | None]


class Form(Struct, frozen=True):
    """How the lines of one scorecard stand below each other."""

    width: int
    name: int
    """Cells of the column of names."""
    count: int
    """Cells of the column `k/n`."""
    glyphs: Glyphs
    so_far: str
    now: Scorecard
    before: Scorecard | None = None
    """The scorecard before the last change: what moved since stands at the right edge."""

    def row(self, name: str, fraction: str, value: float | None, *, active: bool = False) -> Text:
        """`  exact   3/6  .500 `."""
        shown = name if len(name) <= self.name else f"{name[: self.name - 1]}…"
        line = Text(f"  {shown:<{self.name}}", "title" if active else "text")
        line.append(f"{fraction:>{self.count}} ", "text")
        return line.append(f"{figures.rate(value):<5}", "number")

    def rows(self, line: Text, about: About | None, *more: Text | None) -> Iterator[Line]:
        """A line, and what else there is to say: behind it as far as there is room, else below it.

        What moved stands at the right edge: beside the number, or below where the number leaves no room for it.
        """
        moved = self.moved(about.name) if about is not None and about.kind == "measure" else None
        beside, lower = self._placed(line, moved)
        line, below = self._packed(line, self.room(beside), more)
        yield self._at_edge(line, beside), about
        if lower and (not below or below[-1].cell_len + 1 + lower.cell_len > self.width):
            below.append(Text())
        last = len(below) - 1
        yield from ((self._at_edge(text, lower if number == last else None), None) for number, text in enumerate(below))

    def _placed(self, line: Text, moved: Text | None) -> tuple[Text | None, Text | None]:
        """What stands at the edge of a line, and what below it: what did not move needs no more than its sign."""
        if moved is None or line.cell_len < self.room(moved):
            return moved, None
        line.rstrip()
        if not moved.plain.startswith(self.glyphs.nothing):
            return None, moved
        sign = moved[: len(self.glyphs.nothing)]
        return (sign, None) if line.cell_len <= self.room(sign) else (None, None)

    def _packed(self, line: Text, room: int, more: Iterable[Text | None]) -> tuple[Text, list[Text]]:
        """A line with what fits behind it, and the lines that the rest needs."""
        below: list[Text] = []
        for part in more:
            if not part:
                continue
            if not below and line.cell_len + 1 + part.cell_len <= room:
                line = joined(line, part, gap=" ")
            elif below and below[-1].cell_len + 2 + part.cell_len <= self.width:
                below[-1] = joined(below[-1], part)
            else:
                below.append(Text("    ").append_text(part))
        return line, below

    def room(self, moved: Text | None) -> int:
        """Cells of a line beside what moved."""
        return self.width - (1 + moved.cell_len if moved else 0)

    def span(self, tally: Tally) -> Text | None:
        """The interval in figures; not beside what moved, for which there would be no room."""
        interval = tally.interval if self.before is None else None
        bounds = figures.span(interval.low, interval.high) if interval else ""
        return Text(bounds, "label") if bounds else None

    def _at_edge(self, line: Text, moved: Text | None) -> Text:
        if not moved:
            return line
        return line.append(" " * max(1, self.width - line.cell_len - moved.cell_len)).append_text(moved)

    def moved(self, measure: str) -> Text | None:
        """What the number of a measure moved by since the last change; None where there was none."""
        return None if self.before is None else shifted_by(self.before, self.now, measure, self.glyphs)

    def heading(self, name: str, n: str = "") -> Line:
        """A section's name, and at the right what its numbers are over."""
        line = Text(f" {name}", "title")
        return line.append(n.rjust(max(0, self.width - line.cell_len)), "label"), None

    def bar(self, tally: Tally, mark: float | None = None) -> Line:
        """The rate's place and its interval; in words where there is none."""
        interval = tally.interval
        low, high = (interval.low, interval.high) if interval else (None, None)
        bounds = figures.span(low, high)
        if interval and not bounds:
            return Text("    ").append(safe(interval.method, self.width - 4), "label"), None
        room = max(8, min(40, self.width - len(bounds) - 5))
        bar = interval_bar(room, tally.rate, low, high, mark=mark, glyphs=self.glyphs)
        return Text("    ").append_text(bar).append(f" {bounds}", "label"), None


def fraction(tally: Tally) -> str:
    """Numerator and denominator: `3/6`."""
    return f"{tally.passed:,}/{tally.scored:,}"


def count_cells(card: Scorecard) -> int:
    """Cells that the widest fraction needs, and a blank."""
    return 1 + max(len(fraction(tally)) for tally in card.tallies.values())


def left_out(over: Tally | Mean) -> Iterator[Text]:
    """What the denominator of a rate or a mean does not hold; with the errored runs the rate that counts them."""
    if over.errors:
        yield errors_beside(over) if isinstance(over, Tally) else Text(f"{over.errors:,} err", "error")
    counts = (
        (over.unscoreable, "n/a", "unscoreable"),
        (over.vacuous, "vac", "unscoreable"),
        (over.broken if isinstance(over, Tally) else 0, "broken", "notice"),
        (over.pending, "open", "label"),
    )
    yield from (Text(f"{count:,} {word}", style) for count, word, style in counts if count)


def errors_beside(tally: Tally, gap: str = "  ") -> Text:
    """How many runs errored, and the rate with these as not passed."""
    line = Text().append(f"{tally.errors:,} err", "error").append(f"{gap}strict ", "label")
    return line.append(figures.rate(tally.rate_strict), "number")
