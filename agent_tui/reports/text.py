"""The scorecard as text for a terminal or a pipe, without colour."""

from __future__ import annotations

from collections.abc import Iterator

from agent_tui.bundles import Bundle
from agent_tui.matchers import MATCHERS
from agent_tui.reports import figures
from agent_tui.reports.problems import count_problems
from agent_tui.safety import sanitise_line
from agent_tui.scoring import LEVELS, MEASURES, Grade, Mean, Scorecard, Tally
from agent_tui.scoring.scorecard import GAP_MATCHERS

NO_MODEL = "Neither number needed a model."
_NAME_WIDTH = 22
_FRACTION_WIDTH = 9
"""Cells of what a rate is over, at the least."""


def score_text(bundle: Bundle, card: Scorecard) -> str:
    """What `score` prints: the tool-call table, the output line, and what else is known, every line safe to show."""
    parts = [
        title(bundle),
        *tool_call_lines(card),
        "",
        *output_lines(card),
        "",
        NO_MODEL,
        "",
        *level_lines(card),
        *score_lines(card),
        *trial_lines(card),
        *weak_path_lines(card),
        *finding_lines(card),
        "",
        ribbon_line(card),
        f"not measured: {', '.join(card.not_measured)}",
    ]
    return "\n".join(sanitise_line(line).rstrip() for line in parts) + "\n"


def title(bundle: Bundle) -> str:
    """Which bundle this is, in a line."""
    facts = [bundle.name, figures.count(len(bundle), "run"), bundle.header.agent, bundle.header.model]
    lost = count_problems(bundle.losses)
    facts += [f"({lost} skipped)" if lost else None, figures.what_if(bundle.edited)]
    return "  ".join(fact for fact in facts if fact)


def tool_call_lines(card: Scorecard) -> Iterator[str]:
    """The tool-call table: every matcher with n, rate, interval and the gap to exact."""
    yield ""
    yield f"{'tool calls':<{_NAME_WIDTH + 2}}{'passed':>{_fraction_width(card)}}  rate   95 %      gap to exact"
    modes = [name for name in card.tallies if name not in MEASURES]
    for name in (*MATCHERS, *modes):
        tally = card.tallies[name]
        if tally.scored or tally.errors or name in ("exact", "name_only", "order_ignored"):
            yield _tally_line(card, tally, card.gap(name) if name in GAP_MATCHERS else None)
    for mean in card.means.values():
        if mean.scored and mean.name != "query_quality":
            yield _mean_line(card, mean)


def _fraction(tally: Tally) -> str:
    return f"{tally.passed:,}/{tally.scored:,}"


def _fraction_width(card: Scorecard) -> int:
    return max(_FRACTION_WIDTH, *(len(_fraction(tally)) for tally in card.tallies.values()))


def _row(card: Scorecard, name: str, fraction: str, rate: float | None) -> str:
    """A name, what its rate or mean is over, and that: the same columns in every section."""
    return f"  {name:<{_NAME_WIDTH}}{fraction:>{_fraction_width(card)}}  {figures.rate(rate):<6}"


def _tally_line(card: Scorecard, tally: Tally, gap: float | None = None) -> str:
    """A measure in one line: name, k/n, rate, interval, gap, and what was left out."""
    interval = tally.interval
    bounds = figures.span(interval.low, interval.high) if interval else ""
    row = _row(card, tally.measure, _fraction(tally), tally.rate)
    return f"{row} {bounds:<9} {figures.gap(gap):<7} {'  '.join(left_out_of(tally))}"


def left_out_of(over: Tally | Mean) -> Iterator[str]:
    """What the denominator of a rate or a mean does not hold, in words."""
    if over.errors:
        strict = f" (strict {figures.rate(over.rate_strict)})" if isinstance(over, Tally) else ""
        yield f"{over.errors:,} errored{strict}"
    for count, word in (
        (over.unscoreable, "unscoreable"),
        (over.vacuous, "vacuous"),
        (over.broken if isinstance(over, Tally) else 0, "check errors"),
        (over.pending, "not finished"),
    ):
        if count:
            yield f"{count:,} {word}"


def _mean_line(card: Scorecard, mean: Mean) -> str:
    """A figure's mean in one line, with the runs it is over, and what was left out."""
    row = _row(card, mean.name, f"n={mean.scored:,}", mean.mean)
    return f"{row} {'mean':<17} {'  '.join(left_out_of(mean))}"


def output_lines(card: Scorecard) -> Iterator[str]:
    """The output surface with the unscoreable column."""
    output = card.output
    yield "output      correct  incorrect  unscoreable  accuracy"
    scored = output.correct + output.incorrect
    line = f"            {output.correct:>7,}  {output.incorrect:>9,}  {output.unscoreable:>11,}  "
    errors = f"   {output.errors:,} errored" if output.errors else ""
    broken = f"   {output.check_errors:,} check errors" if output.check_errors else ""
    yield f"{line}{figures.rate(output.accuracy)} over {scored:,}{errors}{broken}"


def level_lines(card: Scorecard) -> Iterator[str]:
    """The three levels, and the overall grade where weights were given."""
    yield "levels"
    for name in LEVELS:
        yield _tally_line(card, card.tallies[name])
    quality = card.means["query_quality"]
    if quality.scored:
        yield _mean_line(card, quality)
    reasons = [
        tally.interval.method for tally in card.tallies.values() if tally.interval and tally.interval.low is None
    ]
    yield from (f"  no intervals for runs clustered by task: {reason}" for reason in dict.fromkeys(reasons) if reason)
    if card.grade is not None:
        weights = weights_line(card.grade, card)
        yield f"{_row(card, 'overall grade', '', card.grade.value)} weights: {weights}"


def weights_line(grade: Grade, card: Scorecard) -> str:
    """The weights of a grade, each with the errored runs that its level leaves out."""
    errors = {name: card.tallies[name].errors for name in grade.weights}
    return ", ".join(
        f"{name} {weight:g}" + (f" ({errors[name]:,} errored)" if errors[name] else "")
        for name, weight in grade.weights.items()
    )


def score_lines(card: Scorecard) -> Iterator[str]:
    """The scores that came with the runs."""
    if card.scores:
        yield ""
        yield "recorded scores"
    for score in card.scores.values():
        reasons = sorted(set(score.unscored.values()))
        left = f"  {len(score.unscored):,} unscored: {', '.join(reasons)}" if reasons else ""
        yield f"{_row(card, score.name, f'{score.n:,}/{score.total:,}', score.mean)} mean{left}"


def trial_lines(card: Scorecard) -> Iterator[str]:
    """pass^k and pass@k, where tasks have several trials."""
    trials = card.trials
    if trials is None:
        yield from ("", "trials not yet known: runs are still read")
        return
    if len(trials["pass_hat"]) < 2:
        return
    yield ""
    unequal = "; the tasks have unequal numbers of trials" if trials["unequal"] else ""
    yield f"trials of {figures.count(trials['tasks'], 'task')} (task success){unequal}"
    for k, always in trials["pass_hat"].items():
        once = trials["pass_at"][k]
        over = "" if always["tasks"] == always["of"] else f"   {always['tasks']:,} of {always['of']:,} tasks"
        yield f"  pass^{k} {figures.rate(always['value']):<7} pass@{k} {figures.rate(once['value'])}{over}"


def weak_path_lines(card: Scorecard, shown: int = 20) -> Iterator[str]:
    """The weak paths, each with its reasons."""
    if not card.weak_paths:
        return
    yield ""
    yield f"weak paths ({len(card.weak_paths):,})"
    for weak in card.weak_paths[:shown]:
        surfaced = {True: ", relevant document surfaced: yes", False: ", relevant document surfaced: no"}
        words = ", ".join(weak.reasons)
        yield f"  {weak.run:<{_NAME_WIDTH}} {words}, {figures.count(weak.calls, 'call')}" + surfaced.get(
            weak.document_surfaced,  # type: ignore[arg-type]
            "",
        )
    if len(card.weak_paths) > shown:
        yield f"  … {len(card.weak_paths) - shown:,} more (all in --json)"


def finding_lines(card: Scorecard, shown: int = 20) -> Iterator[str]:
    """The figures that came with the bundle beside ours, and what differs."""
    if card.stored:
        yield ""
        yield "figures stored in the bundle"
        yield from (f"  {each.text}" for each in card.stored)
    if card.findings:
        yield ""
        yield f"findings ({len(card.findings):,})"
    for finding in card.findings[:shown]:
        yield f"  {finding.text}"
    if len(card.findings) > shown:
        yield f"  … {len(card.findings) - shown:,} more (all in --json)"


def ribbon_line(card: Scorecard) -> str:
    """The ribbon in words; its parts add up."""
    ribbon = card.ribbon
    parts = [f"{ribbon.passed:,} pass", f"{ribbon.failed:,} fail", f"{ribbon.errored:,} errored"]
    named = [(ribbon.unscoreable, "unscoreable"), (ribbon.running, "running"), (ribbon.skipped, "skipped")]
    named += [(ribbon.queued, "queued"), *((count, word) for word, count in ribbon.other.items())]
    parts += [f"{count:,} {word}" for count, word in named if count]
    due = max(ribbon.planned or 0, ribbon.total)
    planned = f"; {ribbon.finished:,}/{due:,} finished" if ribbon.planned is not None or ribbon.finished < due else ""
    return f"{ribbon.measure}: {' + '.join(parts)} = {figures.count(ribbon.total, 'run')}{planned}"
