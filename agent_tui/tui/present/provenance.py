"""Where a number comes from: formula, runs in numerator and denominator, what was left out, from which bytes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

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


@dataclass(frozen=True, slots=True)
class Provenance:
    """Lines to read, and the row that each line is about (None: none)."""

    lines: Sequence[Text]
    rows: Sequence[int | None]


def provenance(bundle: Bundle, card: Scorecard, measure: str) -> Provenance:
    """All that stands behind a measure's number."""
    pairs = list(_figure(bundle, card, measure) if measure in FIGURES else _tally(bundle, card, measure))
    pairs += [(Text(), None), *((line, None) for line in _origin(bundle))]
    return Provenance([line for line, _ in pairs], [row for _, row in pairs])


Lines = Iterator[tuple[Text, int | None]]


def _formula(bundle: Bundle, measure: str) -> str:
    kinds = {source.plan.levels.kind for source in bundle.sources}
    if kinds == {"search"}:
        return SEARCH_FORMULAS.get(measure, FORMULAS[measure])
    return FORMULAS[measure]


def _tally(bundle: Bundle, card: Scorecard, measure: str) -> Lines:
    tally = card.tallies[measure]
    yield _pair("number", f"{tally.passed:,} / {tally.scored:,} = {figures.rate(tally.rate)}", "number"), None
    if tally.errors:
        strict = f"{tally.passed:,} / {tally.scored + tally.errors:,} = {figures.rate(tally.rate_strict)}"
        yield _pair("strict", f"{strict}, with errored runs as not passed", "text"), None
    yield _pair("measure", shown_measure(measure), "text"), None
    yield _pair("passes if", _formula(bundle, measure), "text"), None
    yield _pair("interval", _interval(tally), "text"), None
    yield Text(), None
    yield from _rows(bundle, measure, "numerator: passed", (State.PASS,), "pass")
    yield from _rows(bundle, measure, "denominator, not passed", (State.FAIL,), "fail")
    yield from _rows(bundle, measure, "left out: errored", (State.ERROR,), "error")
    yield from _rows(bundle, measure, "left out: nothing known to judge by", (State.NOT_KNOWN,), "unscoreable")
    yield from _rows(bundle, measure, "left out: vacuous", (State.VACUOUS,), "unscoreable")
    yield from _rows(bundle, measure, "left out: the check cannot be used", (State.BROKEN,), "notice")
    yield from _rows(bundle, measure, "left out: not finished", (State.PENDING,), "label")


def _interval(tally: Tally) -> str:
    interval = tally.interval
    if interval is None:
        return "n/a: nothing was scored"
    if interval.low is None or interval.high is None:
        return f"none: {interval.method}"
    return f"{figures.span(interval.low, interval.high)}  ({interval.method})"


def _rows(bundle: Bundle, measure: str, title: str, states: tuple[State, ...], style: str) -> Lines:
    rows = list(bundle.table.rows_in(measure, *states))
    if not rows:
        return
    yield Text(f"{title} ({len(rows):,})", "title"), None
    for row in rows:
        reason = _reason(bundle, measure, row) if style != "pass" else ""
        yield Text("  ").append(safe_name(bundle.names.name(row)), style).append(f"  {reason}", "label"), row


def _reason(bundle: Bundle, measure: str, row: int) -> str:
    table = bundle.table
    if measure == "output":
        return table.output(row).replace("_", " ")
    if measure in LEVELS:
        return ", ".join(bundle.weak_reasons(row))
    return (table.cause(row) or "").replace("_", " ")


def _figure(bundle: Bundle, card: Scorecard, name: str) -> Lines:
    mean = card.means[name]
    yield _pair("number", f"{figures.rate(mean.mean)}, mean over {figures.count(mean.scored, 'run')}", "number"), None
    yield _pair("figure", shown_measure(name), "text"), None
    yield _pair("formula", FORMULAS[name], "text"), None
    left = f"{mean.errors} errored, {mean.unscoreable} unscoreable, {mean.vacuous} vacuous"
    yield _pair("left out", left, "text"), None
    yield Text(), None
    for row in range(len(bundle)):
        value = bundle.table.figure(row, name)
        shown = "n/a" if value is None else f"{value:.3f}"
        style = "unscoreable" if value is None else "text"
        yield Text(f"  {shown:>6}  ", style).append(safe_name(bundle.names.name(row)), "label"), row


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
