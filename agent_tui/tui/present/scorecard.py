"""The scorecard: every rate with its denominator and interval; in full, and in two lines for a small terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rich.text import Text

from agent_tui.reports import figures
from agent_tui.scoring import LEVELS, Scorecard, Tally
from agent_tui.scoring.scorecard import GAP_MATCHERS, Ribbon
from agent_tui.tui.present.words import joined, safe, shown_measure
from agent_tui.tui.session import CYCLE, Session
from agent_tui.tui.theme import Glyphs
from agent_tui.tui.widgets.bars import interval_bar, ribbon

WITH_BARS = ("exact", "name_only", "order_ignored")
_NAME = 14
_COUNT = 8
_LEVEL_NAMES = {
    "task_success": "task success",
    "tool_call_correctness": "tool calls",
    "trajectory_quality": "trajectory",
}


@dataclass(frozen=True, slots=True)
class ScorecardLines:
    """The lines of the pane, the measure that a line is about (None: none), and the line of the active measure."""

    lines: Sequence[Text]
    measures: Sequence[str | None]

    def line_of(self, measure: str) -> int:
        """The line that a measure stands on; the first stop where it has none."""
        if measure in self.measures:
            return self.measures.index(measure)
        return next((at for at, each in enumerate(self.measures) if each is not None), 0)


Line = tuple[Text, str | None]


def scorecard_lines(session: Session, width: int, glyphs: Glyphs) -> ScorecardLines:
    """The whole scorecard for a pane of `width` cells."""
    card = session.card
    pairs = [
        *_tool_calls(session, card, width, glyphs),
        *_output(card, width, glyphs),
        *_levels(card, width),
        *_scores(card, width),
        *_trials(card),
        *_judge(card, width),
        *_said("findings", [finding.text for finding in card.findings], width),
        *_said("not measured", [", ".join(card.not_measured)], width),
        (Text(), None),
        *((line, None) for line in ribbon_lines(card.ribbon, width - 2, glyphs)),
    ]
    return ScorecardLines([line for line, _ in pairs], [measure for _, measure in pairs])


def _heading(name: str, n: str, width: int) -> Line:
    line = Text(f" {name}", "title")
    return line.append(n.rjust(max(0, width - line.cell_len - 2)), "label"), None


def _rate_line(name: str, tally: Tally, gap: str, *, active: bool = False) -> Text:
    fraction = f"{tally.passed:,}/{tally.scored:,}"
    style = "title" if active else "text"
    line = Text(f"  {name:<{_NAME}}", style).append(f"{fraction:>{_COUNT}}  ", "text")
    line.append(f"{figures.rate(tally.rate):<6}", "number")
    return line.append(f"{gap:<6}", "notice") if gap else line


def _left_out(tally: Tally) -> Text:
    counts = (
        (tally.errors, "err", "error"),
        (tally.unscoreable, "n/a", "unscoreable"),
        (tally.vacuous, "vac", "unscoreable"),
        (tally.broken, "broken", "notice"),
        (tally.pending, "open", "label"),
    )
    return joined(*(Text(f"{count:,} {word}", style) for count, word, style in counts if count), gap=" ")


def _with_left_out(line: Text, tally: Tally, measure: str, width: int) -> Iterator[Line]:
    """A measure's line with what was left out behind it, or below it where there is no room."""
    left_out = _left_out(tally)
    if line.cell_len + 1 + left_out.cell_len <= width:
        yield joined(line, left_out, gap=" "), measure
    else:
        yield line, measure
        yield Text("      left out  ", "label").append_text(left_out), None


def _bar(tally: Tally, width: int, glyphs: Glyphs, mark: float | None = None) -> Text:
    interval = tally.interval
    low, high = (interval.low, interval.high) if interval else (None, None)
    bounds = figures.span(low, high) or (interval.method if interval else "")
    room = max(8, min(40, width - len(bounds) - 7))
    bar = interval_bar(room, tally.rate, low, high, mark=mark, glyphs=glyphs)
    return Text("    ").append_text(bar).append(f" {bounds}", "label")


def _tool_calls(session: Session, card: Scorecard, width: int, glyphs: Glyphs) -> Iterator[Line]:
    exact = card.tallies["exact"]
    yield _heading("tool calls", f"n = {exact.scored:,}", width)
    shown = [name for name in CYCLE if _worth_a_line(card.tallies[name])]
    if not shown:
        yield Text("  no expected calls are recorded", "label"), None
    for name in shown:
        tally = card.tallies[name]
        gap = figures.gap(card.gap(name)) if name in GAP_MATCHERS else ""
        line = _rate_line(shown_measure(name), tally, gap, active=name == session.measure)
        yield from _with_left_out(line, tally, name, width)
        if name in WITH_BARS:
            yield _bar(tally, width, glyphs, None if name == "exact" else exact.rate), None
    for name in ("precision", "recall", "f1", "alignment"):
        mean = card.means[name]
        if mean.scored:
            line = Text(f"  {name:<{_NAME}}", "text").append(f"{f'n {mean.scored:,}':>{_COUNT}}  ", "label")
            yield line.append(f"{figures.rate(mean.mean):<6}", "number").append("mean", "label"), name
    yield Text(), None


def _worth_a_line(tally: Tally) -> bool:
    return bool(tally.scored or tally.errors)


def _output(card: Scorecard, width: int, glyphs: Glyphs) -> Iterator[Line]:
    tally, output = card.tallies["output"], card.output
    yield _heading("output", f"n = {tally.scored:,}", width)
    yield _rate_line("correct", tally, ""), "output"
    if tally.scored:
        yield _bar(tally, width, glyphs), None
    no_answer = Text(f"{output.no_answer:,} gave no answer", "label") if output.no_answer else None
    unscoreable = Text("  unscoreable  ", "text").append(f"{output.unscoreable:,}", "unscoreable")
    yield joined(unscoreable, no_answer), None
    if output.errors or output.check_errors:
        errors = Text(f"  {output.errors:,} errored", "error") if output.errors else None
        broken = Text(f"  {output.check_errors:,} checks broken", "notice") if output.check_errors else None
        yield joined(errors, broken), None
    yield Text(), None


def _levels(card: Scorecard, width: int) -> Iterator[Line]:
    yield _heading("levels", "", width)
    for name in LEVELS:
        tally = card.tallies[name]
        yield from _with_left_out(_rate_line(_LEVEL_NAMES[name], tally, ""), tally, name, width)
    quality = card.means["query_quality"]
    if quality.scored:
        line = Text(f"  {'query quality':<{_NAME}}", "text").append(f"{f'n {quality.scored:,}':>{_COUNT}}  ", "label")
        yield line.append(f"{figures.rate(quality.mean):<6}", "number").append("mean", "label"), "query_quality"
    if card.grade is not None:
        weights = " ".join(f"{_LEVEL_NAMES[name]} {weight:g}" for name, weight in card.grade.weights.items())
        yield Text("  overall grade  ", "text").append(figures.rate(card.grade.value), "number"), None
        yield Text(f"    {weights}", "label"), None
    weak = figures.count(len(card.weak_paths), "weak path")
    yield Text(f"  {weak}", "notice" if card.weak_paths else "label"), None
    yield Text(), None


def _scores(card: Scorecard, width: int) -> Iterator[Line]:
    if not card.scores:
        return
    yield _heading("recorded scores", "mean", width)
    for score in card.scores.values():
        line = Text(f"  {safe(score.name, 24):<{_NAME}}", "text").append(
            f"{f'{score.n}/{score.total}':>{_COUNT}}  ", "text"
        )
        line.append(f"{figures.rate(score.mean):<6}", "number")
        left = Text(f"{len(score.unscored)} n/a", "unscoreable") if score.unscored else None
        yield joined(line, left, gap=" "), None
    yield Text(), None


def _trials(card: Scorecard) -> Iterator[Line]:
    trials = card.trials
    if len(trials["pass_hat"]) < 2:
        return
    yield Text(" trials").append(f"  {figures.count(trials['tasks'], 'task')}", "label"), None
    ks = [1, *(k for k in trials["pass_hat"] if k > 1 and (k & (k - 1)) == 0)]
    for k in ks:
        always, once = trials["pass_hat"][k], trials["pass_at"][k]
        over = "" if always["tasks"] == always["of"] else f"  {always['tasks']} of {always['of']} tasks"
        line = Text(f"  pass^{k} ", "text").append(f"{figures.rate(always['value']):<6}", "number")
        line.append(f" pass@{k} ", "text").append(f"{figures.rate(once['value']):<6}", "number")
        yield line.append(over, "notice"), None
    if trials["unequal"]:
        yield Text("  the tasks have unequal numbers of trials", "notice"), None
    yield Text(), None


def _judge(card: Scorecard, width: int) -> Iterator[Line]:
    line = Text(" judge", "title").append("   not validated", "notice")
    button = Text(" J  Judge ", "quiet_button")
    room = width - line.cell_len - button.cell_len - 2
    yield line.append(" " * max(1, room)).append_text(button), None
    labelled = card.output.correct + card.output.incorrect
    waiting = card.output.unscoreable
    yield Text(f"   {labelled:,} with a truth, {waiting:,} without a verdict", "label"), None
    yield Text(), None


def _said(title: str, sentences: Sequence[str], width: int) -> Iterator[Line]:
    if not sentences:
        return
    yield Text(f" {title}", "title"), None
    for sentence in sentences[:6]:
        for line in textwrap.wrap(safe(sentence, 300), max(20, width - 5)):
            yield Text(f"   {line}", "label"), None
    if len(sentences) > 6:
        yield Text(f"   … {len(sentences) - 6:,} more: agent-tui score prints them", "label"), None


# --- the ribbon ---


def ribbon_counts(ribbon_value: Ribbon) -> dict[str, int]:
    """The ribbon's parts as the bar names them."""
    waiting = ribbon_value.running + ribbon_value.skipped + ribbon_value.queued
    return {
        "passed": ribbon_value.passed,
        "failed": ribbon_value.failed,
        "errored": ribbon_value.errored,
        "unscoreable": ribbon_value.unscoreable,
        "other": sum(ribbon_value.other.values()),
        "open": waiting,
    }


def ribbon_words(value: Ribbon) -> Text:
    """The ribbon in words that add up: `3 pass  3 fail  0 err = 6`."""
    parts = [(value.passed, "pass", "pass"), (value.failed, "fail", "fail"), (value.errored, "err", "error")]
    more = [(value.unscoreable, "unscoreable", "unscoreable"), (value.running, "running", "label")]
    more += [(value.skipped, "skipped", "label"), (value.queued, "queued", "label")]
    more += [(count, safe(word, 20), "notice") for word, count in value.other.items()]
    parts += [part for part in more if part[0]]
    line = joined(*(Text(f"{count:,} ", "text").append(word, style) for count, word, style in parts))
    line.append(f" = {value.total:,}", "text")
    if value.planned is not None and (not value.is_complete or value.planned != value.total):
        line.append(f"   {value.finished:,}/{value.planned:,} finished", "notice")
    return line


def ribbon_lines(value: Ribbon, width: int, glyphs: Glyphs) -> list[Text]:
    """The ribbon as a bar and in words, wrapped to the width."""
    bar = Text(" ").append_text(ribbon(max(8, width), ribbon_counts(value), glyphs=glyphs))
    words = ribbon_words(value)
    if words.cell_len <= width:
        return [bar, Text(" ").append_text(words)]
    cut = words.plain.rfind("  ", 0, width)
    return [bar, Text(" ").append_text(words[:cut]), Text(" ").append_text(words[cut + 2 :])]


# --- two lines for a small terminal ---


def compact_lines(session: Session, width: int) -> tuple[Text, Text]:
    """The scorecard in two lines: tool calls, then output, judge and n; what does not fit is one key away."""
    card = session.card
    names = [name for name in ("exact", "name_only", "order_ignored") if _worth_a_line(card.tallies[name])]
    if names:
        first = joined(*(_short(session, card, name) for name in names), gap="   ")
    else:
        first = joined(*(_short(session, card, name) for name in LEVELS), gap="   ")
    output = _short(session, card, "output", "output")
    unscoreable = Text("unscoreable ", "label").append(f"{card.output.unscoreable:,}", "unscoreable")
    judge = Text("judge ", "label").append("not validated", "notice")
    rest = joined(output, unscoreable, judge, Text(f"n = {card.tallies[session.measure].scored:,}", "label"), gap="   ")
    return _fit(Text(" ").append_text(first), width), _fit(Text(" ").append_text(rest), width)


def _short(session: Session, card: Scorecard, name: str, shown: str | None = None) -> Text:
    tally = card.tallies[name]
    style = "title" if name == session.measure else "label"
    line = Text(f"{shown or shown_measure(name)} ", style).append(f"{tally.passed:,}/{tally.scored:,} ", "text")
    line.append(figures.rate(tally.rate), "number")
    gap = figures.gap(card.gap(name)) if name in GAP_MATCHERS else ""
    errors = f" {tally.errors} err" if tally.errors else ""
    return line.append(f" {gap}" if gap else "", "notice").append(errors, "error")


def _fit(line: Text, width: int) -> Text:
    if line.cell_len > width:
        line.truncate(width, overflow="ellipsis")
    return line
