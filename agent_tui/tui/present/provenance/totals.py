"""Where the numbers over all runs come from: the ribbon, the weak paths, the overall grade."""

from __future__ import annotations

from array import array
from collections.abc import Iterator

from rich.text import Text

from agent_tui.bundles import Bundle
from agent_tui.reports import figures
from agent_tui.runs import State
from agent_tui.scoring import Scorecard
from agent_tui.tui.present.provenance.lines import Part, pair, rows_of_codes, section
from agent_tui.tui.present.provenance.measures import reason_of
from agent_tui.tui.present.words import safe, shown_measure

_SEGMENTS = (
    ("passed", (State.PASS,), "pass"),
    ("failed", (State.FAIL,), "fail"),
    ("errored", (State.ERROR,), "error"),
    ("unscoreable: nothing known to judge by, vacuous, or the check is broken",
     (State.NOT_KNOWN, State.VACUOUS, State.BROKEN), "unscoreable"),
)  # fmt: skip


def of_ribbon(bundle: Bundle, card: Scorecard, _: str) -> Iterator[Part]:
    """Every run in the one part of the ribbon that it is in."""
    ribbon, table = card.ribbon, bundle.table
    column = table.column(ribbon.measure)
    yield pair("number", f"{figures.count(ribbon.total, 'run')}, each in one part; the parts add up", "number")
    yield pair("measure", shown_measure(ribbon.measure))
    if ribbon.planned is not None:
        yield pair("planned", f"{ribbon.finished:,} of {ribbon.planned:,} finished")
    yield Text()
    for title, states, style in _SEGMENTS:
        rows = rows_of_codes(column, *states)
        yield from section(bundle, title, rows, style, reason_of(bundle, ribbon.measure))
    unfinished: dict[str, array[int]] = {}
    for row in rows_of_codes(column, State.PENDING):
        unfinished.setdefault(table.statuses[row] or "", array("I")).append(row)
    for status, rows in unfinished.items():
        yield from section(bundle, f"not finished: {safe(status, 40)}", rows, "label")


def of_weak(bundle: Bundle, card: Scorecard, _: str) -> Iterator[Part]:
    """What makes a weak path, and each with its reasons."""
    rows = array("I", (weak.row for weak in card.weak_paths))
    yield pair("number", f"{len(rows):,} of {figures.count(len(bundle), 'run')}", "number")
    yield pair("weak if", "the task failed; or it did not fail, but off the reference path; or a call was repeated")
    yield Text()
    yield from section(bundle, "weak paths", rows, "notice", lambda row: _reasons(bundle, row))


def _reasons(bundle: Bundle, row: int) -> str:
    return f"{', '.join(bundle.weak_reasons(row))}  ({figures.count(bundle.table.calls[row], 'call')})"


def of_grade(bundle: Bundle, card: Scorecard, _: str) -> Iterator[Part]:
    """Weights and rates, and what each level adds."""
    grade = card.grade
    assert grade is not None
    yield pair("number", figures.rate(grade.value), "number")
    yield pair("formula", "Σ weight x rate over the levels; n/a where a level that has a weight is n/a")
    yield Text()
    for level, weight in grade.weights.items():
        tally = card.tallies[level]
        share = None if tally.rate is None else weight * tally.rate
        rate = f"{figures.rate(tally.rate)} ({tally.passed:,}/{tally.scored:,})"
        line = Text(f"  {shown_measure(level):<14} ", "label").append(f"{weight:g} x {rate}", "text")
        yield line.append(" = ", "label").append(figures.rate(share), "number")
