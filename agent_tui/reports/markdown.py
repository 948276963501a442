"""The scorecard as Markdown, for a pull request or a page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from agent_tui.bundles import Bundle
from agent_tui.matchers import MATCHERS
from agent_tui.reports import figures
from agent_tui.reports.text import NO_MODEL, left_out_of, ribbon_line, weights_line
from agent_tui.safety import sanitise_line
from agent_tui.scoring import LEVELS, Scorecard, Tally
from agent_tui.scoring.scorecard import GAP_MATCHERS

_SPECIAL = str.maketrans({character: f"\\{character}" for character in "\\`*_{}[]<>|#~$&"})


def cell(text: str) -> str:
    """Foreign text as a literal cell of a Markdown table."""
    return sanitise_line(text).translate(_SPECIAL)


def score_markdown(bundle: Bundle, card: Scorecard) -> str:
    """The scorecard as Markdown tables, with every denominator."""
    return "\n".join(_lines(bundle, card)) + "\n"


def _lines(bundle: Bundle, card: Scorecard) -> Iterator[str]:
    yield f"# {cell(bundle.name)}"
    yield ""
    yield f"{figures.count(len(bundle), 'run')}, digest `{bundle.digest}`. {cell(card.headline)}."
    what_if = figures.what_if(bundle.edited)
    if what_if is not None:
        yield ""
        yield f"**{what_if}: these are not the figures of what was recorded.**"
    yield ""
    yield from _table(
        ["measure", "passed", "scored", "rate", "95&nbsp;%", "gap&nbsp;to&nbsp;exact", "left&nbsp;out"], _rows(card)
    )
    yield ""
    yield f"{NO_MODEL} {cell(ribbon_line(card))}."
    yield ""
    yield f"Output: {', '.join(_output_counts(card))}."
    if card.grade is not None:
        weights = cell(weights_line(card.grade, card))
        yield f"Overall grade: {figures.rate(card.grade.value)} ({weights})."
    yield ""
    yield from _run_table(bundle, card)
    if bundle.losses:
        yield ""
        yield from (f"- skipped: {cell(str(problem))}" for problem in bundle.losses)
    yield ""
    yield f"Not measured: {cell(', '.join(card.not_measured))}."


def _output_counts(card: Scorecard) -> Iterator[str]:
    output = card.output
    yield f"{output.correct:,} correct"
    yield f"{output.incorrect:,} incorrect"
    yield f"{output.unscoreable:,} unscoreable"
    seldom = {
        "errored": output.errors,
        "check errors": output.check_errors,
        "not finished": card.tallies["output"].pending,
    }
    yield from (f"{count} {word}" for word, count in seldom.items() if count)


def _rows(card: Scorecard) -> Iterator[list[str]]:
    for name in (*MATCHERS, "output", *LEVELS):
        tally = card.tallies[name]
        yield _tally_row(tally, figures.gap(card.gap(name)) if name in GAP_MATCHERS else "")


def _tally_row(tally: Tally, gap: str) -> list[str]:
    interval = tally.interval
    bounds = figures.span(interval.low, interval.high) if interval else ""
    left_out = "; ".join(left_out_of(tally))
    return [cell(tally.measure), str(tally.passed), str(tally.scored), figures.rate(tally.rate), bounds, gap, left_out]


def _run_table(bundle: Bundle, card: Scorecard) -> Iterator[str]:
    table = bundle.table
    rows = (
        [
            cell(bundle.names.name(row)),
            cell(table.state(row, card.measure).word),
            cell(table.cause(row) or ""),
            cell(table.strictest(row) or ""),
            cell(table.output(row)),
        ]
        for row in range(len(bundle))
    )
    yield from _table(["run", cell(card.measure), "cause", "strictest", "output"], rows)


def _table(head: list[str], rows: Iterable[list[str]]) -> Iterator[str]:
    yield f"| {' | '.join(head)} |"
    yield f"|{' --- |' * len(head)}"
    for row in rows:
        yield f"| {' | '.join(row)} |"
