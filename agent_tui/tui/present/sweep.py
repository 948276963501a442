"""The mutation sweep on the screen: its matrix, the cell under the cursor, and what it comes to in words."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from itertools import islice

from msgspec import Struct
from rich.text import Text

from agent_tui.bundles import Bundle
from agent_tui.reports import figures
from agent_tui.reports.sweep import (
    HOW_READ,
    NOTHING_MADE,
    blind_spot_sentences,
    fraction,
    judging,
    quote_sentence,
    shade,
    shown_mutation,
    silent_sentence,
    thinned_sentence,
)
from agent_tui.scoring.mutations import MUTATIONS
from agent_tui.scoring.sweep import FAILING, MISSED, NOTICED, Cell, Sweep
from agent_tui.tui.present.words import safe, safe_name, shown_measure
from agent_tui.tui.theme import Glyphs
from agent_tui.tui.widgets.matrix import Matrix

_HEADS = {
    "exact_groups": "ex-groups",
    "order_ignored": "order-ign.",
    "required_tools": "required",
    "forbidden_tools": "forbidden",
    "task_success": "success",
    "tool_call_correctness": "calls right",
}
"""Headings where the measure's name would make a column wide."""
_STYLES = ("pass", "notice", "notice", "fail")
_LEAST_SHADE, _LEAST_NAME = 2, 16
"""Cells that a shade and a name keep, however narrow the screen."""
_NAMED = 12
"""Mutants that are named behind a cell (a count)."""


class SweepMatrix(Struct, frozen=True):
    """The matrix, and which mutation and measure its rows and columns are."""

    matrix: Matrix
    mutations: Sequence[str]
    measures: Sequence[str]

    def place(self, mutation: str, measure: str) -> tuple[int, int]:
        """Row and column of a cell; the first ones where it is not there."""
        row = self.mutations.index(mutation) if mutation in self.mutations else 0
        return row, self.measures.index(measure) if measure in self.measures else 0


def sweep_matrix(sweep: Sweep, glyphs: Glyphs) -> SweepMatrix:
    """A column for each measure that judges some mutant, a row for each mutation."""
    measures = judging(sweep)
    columns = [_column(sweep, measure, glyphs) for measure in measures]
    labels = [_label(shown_mutation(mutation), f"{sweep.made(mutation):,}", "text") for mutation in MUTATIONS]
    matrix = Matrix(
        corner=_label("", "made", "label"),
        heads=[_head(measure) for measure in measures],
        labels=labels,
        cells=[list(row) for row in zip(*columns, strict=True)],
    )
    return SweepMatrix(matrix if measures else Matrix(), MUTATIONS, measures)


def _head(measure: str) -> str:
    return _HEADS.get(measure, shown_measure(measure))


def _label(name: str, made: str, style: str) -> Text:
    return Text(f" {name:<15}", style).append(f"{made:>7}", "label")


def _column(sweep: Sweep, measure: str, glyphs: Glyphs) -> list[Text]:
    """The cells of a measure: the shade takes the room that the numbers leave."""
    cells = [sweep.cell(mutation, measure) for mutation in MUTATIONS]
    digits = max(len(fraction(cell)) for cell in cells if cell is not None)
    room = max(_LEAST_SHADE, len(_head(measure)) - digits - 1)
    return [_cell(cell, room, digits, glyphs) for cell in cells]


def _cell(cell: Cell | None, room: int, digits: int, glyphs: Glyphs) -> Text:
    if cell is None:
        return Text(glyphs.unscoreable, "faint")
    level = shade(cell)
    if level is None:
        return Text(f"{glyphs.nothing:<{room}} ", "faint").append(f"{fraction(cell):>{digits}}", "faint")
    number = "fail bold" if level == 3 else "text"
    return Text(glyphs.ribbon[level] * room, _STYLES[level]).append(" ").append(f"{fraction(cell):>{digits}}", number)


def facts_line(bundle: Bundle, sweep: Sweep, width: int) -> Text:
    """Which bundle, which seed, how far the sweep is, and how a cell is read; the name gives way first."""
    total = len(bundle)
    going = sweep.runs < total
    far = f"{sweep.runs:,} of {total:,} runs so far, Esc stops" if going else figures.count(total, "run")
    facts = Text(f" · seed {sweep.seed} · ", "label").append(far, "notice" if going else "label")
    what_if = figures.what_if(bundle.edited)
    if what_if is not None:
        facts.append(f" · {what_if}", "notice")
    read = f" · {HOW_READ}"
    facts.append(read if facts.cell_len + len(read) + _LEAST_NAME < width else read.partition(",")[0], "label")
    name = Text(safe_name(bundle.name), "label")
    name.truncate(max(_LEAST_NAME, width - facts.cell_len - 2), overflow="ellipsis")
    return Text(" ").append_text(name).append_text(facts)


def cell_line(sweep: Sweep, mutation: str, measure: str) -> Text:
    """The cell under the cursor in a sentence."""
    line = Text(" ").append(f"{shown_measure(measure)}, {shown_mutation(mutation)}: ", "title")
    cell = sweep.cell(mutation, measure)
    if cell is None:
        reads = measure in sweep.mutants[mutation].counts
        return line.append("knew nothing of these runs" if reads else "does not read what is changed", "label")
    line.append(f"noticed {cell.noticed:,} of {cell.applied:,}", "fail bold" if shade(cell) == 3 else "number")
    line.append(f", {cell.already_failing:,} failed before", "label")
    if cell.not_judged:
        line.append(f", {cell.not_judged:,} not judged", "label")
    return line.append(f", {cell.made:,} made", "label")


def behind_line(bundle: Bundle, sweep: Sweep, mutation: str, measure: str) -> Text:
    """The first mutants behind the cell under the cursor: the missed ones, else those that were noticed or failed."""
    counts = sweep.mutants[mutation].counts.get(measure, (0, 0, 0, 0))
    for outcome, word, style in (
        (MISSED, "missed", "fail"),
        (NOTICED, "noticed", "pass"),
        (FAILING, "failed", "label"),
    ):
        if counts[outcome]:
            found = islice(sweep.behind(mutation, measure, outcome), _NAMED)
            named = [f"{safe_name(bundle.names.name(each.row))} {safe(each.place, 80)}" for each in found]
            more = f" and {counts[outcome] - _NAMED:,} more" if counts[outcome] > _NAMED else ""
            return Text(f" {word}: ", style).append(", ".join(named) + more, "label")
    return Text(" no run stands behind this cell", "label")


def word_lines(sweep: Sweep, width: int, *, done: bool) -> list[Text]:
    """Which matcher to quote, the blind spots, and what was left out, in lines of at most `width` cells."""
    if not any(map(sweep.made, MUTATIONS)):
        return _wrapped("", NOTHING_MADE if done else "looking for something to change …", width, "label")
    quote = quote_sentence(sweep, shown_measure) if done else None
    lines = _wrapped("in words ", quote, width, "text") if quote else []
    spots = blind_spot_sentences(sweep, shown_measure)
    lines.append(Text(" blind spots" + ("" if done else " so far"), "label"))
    for sentence in spots or ["none"]:
        lines += _wrapped("  ", sentence, width, "fail" if spots else "text")
    for rest in (silent_sentence(sweep, shown_measure) if done else None, thinned_sentence(sweep)):
        lines += _wrapped("", rest, width, "label") if rest else []
    return lines


def _wrapped(lead: str, sentence: str, width: int, style: str) -> list[Text]:
    """The sentence after `lead`, its later lines under its first."""
    pieces = textwrap.wrap(sentence, max(_LEAST_NAME, width - len(lead) - 2))
    return [
        Text(f" {lead if at == 0 else ' ' * len(lead)}", "label").append(piece, style)
        for at, piece in enumerate(pieces)
    ]
