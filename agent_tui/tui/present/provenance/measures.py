"""Where the rate of a measure and the mean of a figure come from."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from rich.text import Text

from agent_tui.bundles import Bundle
from agent_tui.reports import figures
from agent_tui.runs import State
from agent_tui.scoring import LEVELS, Scorecard, Tally
from agent_tui.scoring.rounding import in_places
from agent_tui.scoring.table import FIGURES
from agent_tui.tui.present.provenance.lines import Many, Part, pair, rows_of_codes, section
from agent_tui.tui.present.truths import answer_words
from agent_tui.tui.present.words import joined, safe_name, shown_measure

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
SECTIONS = (
    ("numerator: passed", State.PASS, "pass"),
    ("denominator, not passed", State.FAIL, "fail"),
    ("left out: errored", State.ERROR, "error"),
    ("left out: nothing known to judge by", State.NOT_KNOWN, "unscoreable"),
    ("left out: vacuous", State.VACUOUS, "unscoreable"),
    ("left out: the check cannot be used", State.BROKEN, "notice"),
    ("left out: not finished", State.PENDING, "label"),
)


def of_measure(bundle: Bundle, card: Scorecard, name: str) -> Iterator[Part]:
    """Numerator, denominator, formula, interval and every run; or the mean of a figure and its value in every run."""
    return _figure(bundle, card, name) if name in FIGURES else _tally(bundle, card, name)


def _formula(bundle: Bundle, measure: str) -> str:
    kinds = {source.plan.levels.kind for source in bundle.sources}
    if kinds == {"search"}:
        return SEARCH_FORMULAS.get(measure, FORMULAS[measure])
    return FORMULAS[measure]


def _tally(bundle: Bundle, card: Scorecard, measure: str) -> Iterator[Part]:
    tally = card.tallies[measure]
    yield pair("number", f"{tally.passed:,} / {tally.scored:,} = {figures.rate(tally.rate)}", "number")
    if tally.errors:
        strict = f"{tally.passed:,} / {tally.scored + tally.errors:,} = {figures.rate(tally.rate_strict)}"
        yield pair("strict", f"{strict}, with errored runs as not passed")
    yield pair("measure", shown_measure(measure))
    yield pair("passes if", _formula(bundle, measure))
    yield pair("interval", _interval(tally))
    yield Text()
    column = bundle.table.column(measure)
    for title, state, style in SECTIONS:
        yield from section(bundle, title, rows_of_codes(column, state), style, reason_of(bundle, measure))


def _interval(tally: Tally) -> str:
    interval = tally.interval
    if interval is None:
        return "n/a: nothing was scored"
    if interval.low is None or interval.high is None:
        return f"none: {interval.method}"
    return f"{figures.span(interval.low, interval.high)}  ({interval.method})"


def reason_of(bundle: Bundle, measure: str) -> Callable[[int], str]:
    """Why a measure says what it says of a run, in a few words."""

    def reason(row: int) -> str:
        table = bundle.table
        if measure == "output":
            return joined(table.output(row).replace("_", " "), answer_words(bundle.run(row), 120)).plain
        if table.state(row, measure) is State.PASS:
            return ""
        if measure in LEVELS:
            return ", ".join(bundle.weak_reasons(row))
        return (table.cause(row) or "").replace("_", " ")

    return reason


def _figure(bundle: Bundle, card: Scorecard, name: str) -> Iterator[Part]:
    mean = card.means[name]
    yield pair("number", f"{figures.rate(mean.mean)}, mean over {figures.count(mean.scored, 'run')}", "number")
    yield pair("figure", shown_measure(name))
    yield pair("formula", FORMULAS[name])
    left = f"{mean.errors} errored, {mean.unscoreable} unscoreable, {mean.vacuous} vacuous"
    yield pair("left out", left)
    yield Text()

    def draw(row: int) -> Text:
        value = bundle.table.figure(row, name)
        shown = "n/a" if value is None else f"{in_places(value):.3f}"
        style = "unscoreable" if value is None else "text"
        return Text(f"  {shown:>6}  ", style).append(safe_name(bundle.names.name(row)), "label")

    yield Many(range(len(bundle)), draw)
