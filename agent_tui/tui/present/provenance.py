"""Where a number comes from: formula, runs in numerator and denominator, what was left out, from which bytes."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

from rich.text import Text

from agent_tui.bundles import Bundle
from agent_tui.reports import figures
from agent_tui.runs import State
from agent_tui.scoring import LEVELS, Scorecard, Tally
from agent_tui.scoring.table import FIGURES
from agent_tui.tui.present.words import safe_name, shown_measure

FORMULAS = {
    "exact": "same names, equal arguments, same order, same count",
    "exact_groups": "as exact, but order inside one parallel group of the expectation is free",
    "name_only": "same names in the same order; arguments are not looked at",
    "order_ignored": "equal as multisets of (name, arguments)",
    "in_order": "the expected calls are a subsequence of the calls made",
    "any_order": "the expected calls are a sub-multiset of the calls made, paired one to one",
    "subset": "the calls made are a sub-multiset of the expected calls, paired one to one",
    "required_tools": "each required tool was called between its min and max times",
    "forbidden_tools": "no call matches the list of forbidden tools",
    "output": "the check of the recorded truth holds of the final answer",
    "task_success": "the check holds; where none applies, the recorded score is 1",
    "tool_call_correctness": "tools were called, every call is valid, and each expected name was called often enough",
    "trajectory_quality": "the exact matcher passes, and no call repeats an earlier one without need",
    "precision": "mean of M / A: M pairs of a maximum one-to-one matching, A calls made",
    "recall": "mean of M / E: M pairs of a maximum one-to-one matching, E calls expected",
    "f1": "mean of the harmonic mean of precision and recall",
    "alignment": "mean of Σ pair credit / max(E, A), in order; credit = share of arguments that agree",
    "query_quality": "mean over runs of the mean share of each query's words that the question holds",
}
SEARCH_FORMULAS = {
    "tool_call_correctness": "the search tool was called, each query is a non-blank text, and their quality is above 0",
    "trajectory_quality": "exactly one search, and it returned a document that holds the answer; no query repeated",
}


Draw = Callable[[int], Text]


@dataclass(frozen=True, slots=True)
class _Rows:
    """A line a row, drawn when it is seen: there may be a million."""

    rows: Sequence[int]
    draw: Draw


Part = Text | _Rows


class Provenance:
    """Lines to read, and the row that each line is about."""

    def __init__(self, parts: Iterable[Part]) -> None:
        self._parts = list(parts)
        lengths = (len(part.rows) if isinstance(part, _Rows) else 1 for part in self._parts)
        self._starts = [0, *accumulate(lengths)]

    @property
    def count(self) -> int:
        """How many lines there are."""
        return self._starts[-1]

    def line(self, number: int, /) -> Text:
        """One line."""
        part, at = self._at(number)
        return part.draw(part.rows[at]) if isinstance(part, _Rows) else part

    def row(self, number: int) -> int | None:
        """The row that a line is about; None where it is about none."""
        part, at = self._at(number)
        return part.rows[at] if isinstance(part, _Rows) else None

    def _at(self, number: int) -> tuple[Part, int]:
        place = bisect_right(self._starts, number) - 1
        return self._parts[place], number - self._starts[place]


def provenance(bundle: Bundle, card: Scorecard, measure: str) -> Provenance:
    """All that stands behind a measure's number."""
    told = _figure(bundle, card, measure) if measure in FIGURES else _tally(bundle, card, measure)
    return Provenance([*told, Text(), *_origin(bundle)])


def _formula(bundle: Bundle, measure: str) -> str:
    kinds = {source.plan.levels.kind for source in bundle.sources}
    if kinds == {"search"}:
        return SEARCH_FORMULAS.get(measure, FORMULAS[measure])
    return FORMULAS[measure]


def _tally(bundle: Bundle, card: Scorecard, measure: str) -> Iterator[Part]:
    tally = card.tallies[measure]
    yield _pair("number", f"{tally.passed:,} / {tally.scored:,} = {figures.rate(tally.rate)}", "number")
    if tally.errors:
        strict = f"{tally.passed:,} / {tally.scored + tally.errors:,} = {figures.rate(tally.rate_strict)}"
        yield _pair("strict", f"{strict}, with errored runs as not passed", "text")
    yield _pair("measure", shown_measure(measure), "text")
    yield _pair("passes if", _formula(bundle, measure), "text")
    yield _pair("interval", _interval(tally), "text")
    yield Text()
    for title, state, style in _SECTIONS:
        yield from _rows(bundle, measure, title, state, style)


_SECTIONS = (
    ("numerator: passed", State.PASS, "pass"),
    ("denominator, not passed", State.FAIL, "fail"),
    ("left out: errored", State.ERROR, "error"),
    ("left out: nothing known to judge by", State.NOT_KNOWN, "unscoreable"),
    ("left out: vacuous", State.VACUOUS, "unscoreable"),
    ("left out: the check cannot be used", State.BROKEN, "notice"),
    ("left out: not finished", State.PENDING, "label"),
)


def _interval(tally: Tally) -> str:
    interval = tally.interval
    if interval is None:
        return "n/a: nothing was scored"
    if interval.low is None or interval.high is None:
        return f"none: {interval.method}"
    return f"{figures.span(interval.low, interval.high)}  ({interval.method})"


def _rows(bundle: Bundle, measure: str, title: str, state: State, style: str) -> Iterator[Part]:
    rows = array("I", bundle.table.rows_in(measure, state))
    if not rows:
        return

    def draw(row: int) -> Text:
        reason = _reason(bundle, measure, row) if state is not State.PASS else ""
        return Text("  ").append(safe_name(bundle.names.name(row)), style).append(f"  {reason}", "label")

    yield Text(f"{title} ({len(rows):,})", "title")
    yield _Rows(rows, draw)


def _reason(bundle: Bundle, measure: str, row: int) -> str:
    table = bundle.table
    if measure == "output":
        return table.output(row).replace("_", " ")
    if measure in LEVELS:
        return ", ".join(bundle.weak_reasons(row))
    return (table.cause(row) or "").replace("_", " ")


def _figure(bundle: Bundle, card: Scorecard, name: str) -> Iterator[Part]:
    mean = card.means[name]
    yield _pair("number", f"{figures.rate(mean.mean)}, mean over {figures.count(mean.scored, 'run')}", "number")
    yield _pair("figure", shown_measure(name), "text")
    yield _pair("formula", FORMULAS[name], "text")
    left = f"{mean.errors} errored, {mean.unscoreable} unscoreable, {mean.vacuous} vacuous"
    yield _pair("left out", left, "text")
    yield Text()

    def draw(row: int) -> Text:
        value = bundle.table.figure(row, name)
        shown = "n/a" if value is None else f"{value:.3f}"
        style = "unscoreable" if value is None else "text"
        return Text(f"  {shown:>6}  ", style).append(safe_name(bundle.names.name(row)), "label")

    yield _Rows(range(len(bundle)), draw)


def _origin(bundle: Bundle) -> Iterator[Text]:
    yield _pair("bundle", f"{safe_name(bundle.name)}, {figures.count(len(bundle), 'run')}", "text")
    yield _pair("digest", bundle.digest or "(still reading)", "text")
    for source in bundle.sources:
        yield _pair("file", f"{safe_name(source.file)}  {source.format}", "text")
    if bundle.edited:
        yield _pair("what-if", f"{figures.count(bundle.edited, 'run')} shown otherwise than recorded", "notice")
    if bundle.losses:
        yield _pair("skipped", f"{len(bundle.losses)} records or files are in no number (P lists them)", "notice")


def _pair(label: str, value: str, style: str) -> Text:
    return Text(f"{label:<10} ", "label").append(value, style)
