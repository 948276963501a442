"""One line a run as CSV, for a spreadsheet."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator

from agent_tui.bundles import Bundle
from agent_tui.reports.each_run import EachRun, one_by_one
from agent_tui.safety import sanitise_line
from agent_tui.scoring import MEASURES, Scorecard
from agent_tui.scoring.table import FACTS, FIGURES

_FORMULA_STARTS = ("=", "+", "-", "@", "＝", "＋", "－", "＠")
_FIXED = ("run", "task", "epoch", "model", "agent", "status", "calls", "errors", "cause", "strictest", "output_state")


def score_csv(bundle: Bundle, card: Scorecard, each_run: EachRun = one_by_one) -> Iterator[str]:
    """The runs as CSV, line by line under a header; what is not known is an empty cell, never 0."""
    scores = [_text(f"score.{name}") for name in card.scores]
    yield _line([*_FIXED, *MEASURES, *FIGURES, "redundancy", *FACTS, *scores, "weak"])
    yield from each_run(len(bundle), lambda row: _line(_cells(bundle, card, row)))


def _line(cells: Iterable[str]) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerow(cells)
    return out.getvalue()


def _cells(bundle: Bundle, card: Scorecard, row: int) -> Iterator[str]:
    table = bundle.table
    yield _text(bundle.names.name(row))
    yield _text(table.tasks[row] or "")
    yield str(table.epochs[row])
    yield _text(table.models[row] or "")
    yield _text(table.agents[row] or "")
    yield _text(table.statuses[row] or "")
    yield str(table.calls[row])
    yield str(bundle.errors(row))
    yield table.cause(row) or ""
    yield table.strictest(row) or ""
    yield table.output(row)
    yield from (table.state(row, measure).word for measure in MEASURES)
    yield from (_number(table.figure(row, name)) for name in FIGURES)
    yield _number(table.redundant(row))
    yield from (_truth(table.fact(row, name)) for name in FACTS)
    yield from (_score(table.score(row, name)) for name in card.scores)
    yield "; ".join(bundle.weak_reasons(row))


def _text(value: str) -> str:
    """Foreign text as a cell that a spreadsheet does not take for a formula."""
    safe = sanitise_line(value)
    return f"'{safe}" if safe.lstrip().startswith(_FORMULA_STARTS) else safe


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.6g}"


def _score(value: float | str | None) -> str:
    return _text(value) if isinstance(value, str) else _number(value)


def _truth(value: bool | None) -> str:
    return "" if value is None else str(value).lower()
