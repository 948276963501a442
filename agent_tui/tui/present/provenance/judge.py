"""Where a judge's figures come from: formula, bound, the runs in numerator and denominator, and who judged by what."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.text import Text

from agent_tui.bundles import Bundle
from agent_tui.judge.judgement import Judgement
from agent_tui.judge.validation import FAIL, PASS, UNDETERMINED, Validated, Validation
from agent_tui.reports import figures
from agent_tui.reports.validation import Line, panel
from agent_tui.stats.rates import Rate
from agent_tui.tui.present.provenance import origin
from agent_tui.tui.present.provenance.lines import Many, Part, Provenance, pair
from agent_tui.tui.present.words import safe, safe_name

AGREEMENT, FALSE_PASSES, FALSE_FAILS, COVERAGE = "agreement", "false passes", "false fails", "coverage"
FORMULAS = {
    AGREEMENT: "judge and truth say the same, of the labelled runs that the judge passed or failed",
    FALSE_PASSES: "the judge passes it, of all labelled runs whose truth is fail, undetermined ones among them",
    FALSE_FAILS: "the judge fails it, of all labelled runs whose truth is pass, undetermined ones among them",
    COVERAGE: "the judge passes or fails it, of all labelled runs",
}
_UNDECIDED = ((PASS, UNDETERMINED), (FAIL, UNDETERMINED))
_CELLS = {
    AGREEMENT: (((PASS, PASS), (FAIL, FAIL)), ((PASS, FAIL), (FAIL, PASS)), _UNDECIDED),
    FALSE_PASSES: (((FAIL, PASS),), ((FAIL, FAIL), (FAIL, UNDETERMINED)), ()),
    FALSE_FAILS: (((PASS, FAIL),), ((PASS, PASS), (PASS, UNDETERMINED)), ()),
    COVERAGE: (((PASS, PASS), (PASS, FAIL), (FAIL, PASS), (FAIL, FAIL)), _UNDECIDED, ()),
}
"""Of each figure the cells of the confusion in its numerator, in the rest of its denominator, and left out."""


def judge_provenance(bundle: Bundle, judgement: Judgement, name: str) -> Provenance:
    """All that stands behind a figure of a validation."""
    validation = judgement.validation
    assert validation is not None
    line = next(line for line in panel(validation) if line.name == name)
    return Provenance([*_figure(line), Text(), *_runs(validation, name), Text(), *_judge(validation), *origin(bundle)])


def _figure(line: Line) -> Iterator[Part]:
    rate = line.rate
    yield pair("number", f"{rate.k:,} / {rate.n:,} = {figures.rate(rate.rate)}", "number")
    yield pair("counts", FORMULAS[line.name])
    yield pair("interval", _interval(rate))
    if line.met is not None:
        held = "one-sided 95 % by Clopper and Pearson" if line.name == FALSE_PASSES else "the bound decides"
        met = "met" if line.met else "not met"
        yield pair("bound", f"{line.bound}: {met}  ({held})", "pass" if line.met else "fail")


def _interval(rate: Rate) -> str:
    if rate.low is None:
        return f"n/a: {rate.why_none}"
    return f"{figures.span(rate.low, rate.high)}  (Wilson, 95 %)"


def _runs(validation: Validation, name: str) -> Iterator[Part]:
    counted, others, apart = (
        [run for truth, verdict in cells for run in validation.cell(truth, verdict)] for cells in _CELLS[name]
    )
    yield from _section("numerator", counted, "text")
    yield from _section("denominator, the rest", others, "label")
    yield from _section("left out: undetermined", apart, "unscoreable")
    yield from _section("left out: not judged", validation.not_judged, "error")
    yield from _section("left out: steered, the pass went away without a flagged span", validation.steered, "notice")
    for title, names in (
        ("left out: decided without a judge", validation.without_judge),
        ("left out: an example in the rubric", validation.in_rubric),
    ):
        if names:
            yield pair(title, ", ".join(map(safe_name, names)), "label")


def _section(title: str, runs: Sequence[Validated], style: str) -> Iterator[Part]:
    if not runs:
        return

    def draw(run: Validated) -> Text:
        said = f"  truth {run.truth} by {run.truth_source}, judge {run.verdict or 'none'}: "
        return Text("  ").append(safe_name(run.name), style).append(f"{said}{safe(run.why, 300)}", "label")

    yield Text(f"{title} ({len(runs):,})", "title")
    yield Many(sorted(runs, key=lambda run: run.row), draw, lambda run: run.row)


def _judge(validation: Validation) -> Iterator[Part]:
    judge = validation.judge
    yield pair("judge", f"{safe(judge.name, 80)}, by {judge.host_class}", "title")
    if judge.answered != judge.model:
        yield pair("answered", safe(judge.answered, 80))
    yield pair("asked by", f"{judge.rung}, of each run: {', '.join(judge.sees) or 'not recorded'}")
    yield pair("rubric", f"{safe(judge.rubric, 60)} sha {safe(judge.rubric_digest, 80)}")
    yield pair("key", f"{validation.key}: judge, rubric, template, scanner and labels")
    yield pair("last reply", validation.last or "not recorded")
