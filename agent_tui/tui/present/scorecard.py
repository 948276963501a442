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
from agent_tui.tui.theme import UNICODE, Glyphs
from agent_tui.tui.widgets.bars import interval_bar, ribbon

WITH_BARS = ("exact", "name_only", "order_ignored")
_NAME = 13
_RIGHT = 22
"""Cells that a rate, a gap and an interval need beside a name and a fraction."""
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


@dataclass(frozen=True, slots=True)
class _Form:
    """How the lines of one scorecard stand below each other."""

    width: int
    name: int
    """Cells of the column of names."""
    count: int
    """Cells of the column `k/n`."""
    glyphs: Glyphs
    so_far: str
    now: Scorecard
    before: Scorecard | None = None
    """The scorecard before the last change: what moved since stands at the right edge."""

    def row(self, name: str, fraction: str, value: float | None, *, active: bool = False) -> Text:
        """`  exact   3/6  .500 `."""
        shown = name if len(name) <= self.name else f"{name[: self.name - 1]}…"
        line = Text(f"  {shown:<{self.name}}", "title" if active else "text")
        line.append(f"{fraction:>{self.count}} ", "text")
        return line.append(f"{figures.rate(value):<5}", "number")

    def rows(self, line: Text, measure: str | None, *more: Text | None) -> Iterator[Line]:
        """A line, and what else there is to say: behind it as far as there is room, else below it."""
        moved = self._moved(measure) if measure is not None else None
        room = self.width - (1 + moved.cell_len if moved else 0)
        below = Text()
        for part in more:
            if not part:
                continue
            if not below and line.cell_len + 1 + part.cell_len <= room:
                line = joined(line, part, gap=" ")
            else:
                below = joined(below, part)
        yield self._with(line, moved), measure
        if below:
            yield Text("    ").append_text(below), None

    def span(self, tally: Tally) -> Text | None:
        """The interval in figures; not beside what moved, for which there would be no room."""
        interval = tally.interval if self.before is None else None
        bounds = figures.span(interval.low, interval.high) if interval else ""
        return Text(bounds, "label") if bounds else None

    def with_moved(self, line: Text, measure: str) -> Text:
        """A line with what its number moved by at the right edge."""
        return self._with(line, self._moved(measure))

    def _with(self, line: Text, moved: Text | None) -> Text:
        if moved is None:
            return line
        return line.append(" " * max(1, self.width - line.cell_len - moved.cell_len)).append_text(moved)

    def _moved(self, measure: str) -> Text | None:
        return None if self.before is None else moved_by(self.before, self.now, measure, self.glyphs)

    def heading(self, name: str, n: str = "") -> Line:
        """A section's name, and at the right what its numbers are over."""
        line = Text(f" {name}", "title")
        return line.append(n.rjust(max(0, self.width - line.cell_len)), "label"), None

    def bar(self, tally: Tally, mark: float | None = None) -> Line:
        """The rate's place and its interval; in words where there is none."""
        interval = tally.interval
        low, high = (interval.low, interval.high) if interval else (None, None)
        bounds = figures.span(low, high)
        if interval and not bounds:
            return Text("    ").append(safe(interval.method, self.width - 4), "label"), None
        room = max(8, min(40, self.width - len(bounds) - 5))
        bar = interval_bar(room, tally.rate, low, high, mark=mark, glyphs=self.glyphs)
        return Text("    ").append_text(bar).append(f" {bounds}", "label"), None


def scorecard_lines(session: Session, width: int, glyphs: Glyphs) -> ScorecardLines:
    """The whole scorecard for a pane of `width` cells."""
    card = session.card
    count = _count_cells(card)
    so_far = "" if session.bundle.is_complete else " so far"
    before = session.shift.before if session.shift is not None else None
    form = _Form(width, _name_cells(card, width - count - _RIGHT), count, glyphs, so_far, card, before)
    pairs = [
        *_tool_calls(session, card, form),
        *_output(card, form),
        *_levels(card, form),
        *_scores(card, form),
        *_trials(card),
        *_judge(card, form),
        *_said("findings", [finding.text for finding in card.findings], width),
        *_said("stored in the bundle", _stored(card), width),
        *_said("not measured", [", ".join(card.not_measured)], width),
    ]
    return ScorecardLines([line for line, _ in pairs], [measure for _, measure in pairs])


def moved_by(before: Scorecard, now: Scorecard, measure: str, glyphs: Glyphs) -> Text:
    """`▲+.167`, `▼-.167`, or `· 0`: how a rate or a mean moved from one scorecard to the next."""
    was, value = _value_of(before, measure), _value_of(now, measure)
    change = figures.gap(value - was) if was is not None and value is not None else ""
    if not change:
        known = was is value is None or was == value
        return (
            Text(f"{glyphs.nothing}    0", "faint")
            if known
            else Text(f"{glyphs.changed} {figures.rate(was)}", "notice")
        )
    rises = change.startswith("+")
    return Text(f"{glyphs.up if rises else glyphs.down}{change}", "pass bold" if rises else "fail bold")


def _value_of(card: Scorecard, measure: str) -> float | None:
    return card.tallies[measure].rate if measure in card.tallies else card.means[measure].mean


def _fraction(tally: Tally) -> str:
    return f"{tally.passed:,}/{tally.scored:,}"


def _count_cells(card: Scorecard) -> int:
    return 1 + max(len(_fraction(tally)) for tally in card.tallies.values())


def _name_cells(card: Scorecard, room: int) -> int:
    """Room for every measure, and for the names of recorded scores as far as there is `room`."""
    measures = max(len(shown_measure(name)) for name in CYCLE if name == "exact" or _worth_a_line(card.tallies[name]))
    scores = max((len(safe(name, 60)) for name in card.scores), default=0)
    return max(_NAME, measures, min(room, scores))


def _left_out(tally: Tally) -> Text:
    counts = (
        (tally.errors, "err", "error"),
        (tally.unscoreable, "n/a", "unscoreable"),
        (tally.vacuous, "vac", "unscoreable"),
        (tally.broken, "broken", "notice"),
        (tally.pending, "open", "label"),
    )
    return joined(*(Text(f"{count:,} {word}", style) for count, word, style in counts if count), gap=" ")


def _tool_calls(session: Session, card: Scorecard, form: _Form) -> Iterator[Line]:
    exact = card.tallies["exact"]
    yield form.heading("tool calls", f"n = {exact.scored:,}{form.so_far}")
    shown = [name for name in CYCLE if _worth_a_line(card.tallies[name])]
    if not shown:
        yield Text("  no expected calls are recorded", "label"), None
    for name in shown:
        tally = card.tallies[name]
        gap = figures.gap(card.gap(name)) if name in GAP_MATCHERS else ""
        line = form.row(shown_measure(name), _fraction(tally), tally.rate, active=name == session.measure)
        if name in WITH_BARS:
            yield from form.rows(line, name, Text(gap, "notice"), _left_out(tally))
            yield form.bar(tally, None if name == "exact" else exact.rate)
        else:
            yield from form.rows(line, name, Text(f"{gap:<5}", "notice"), form.span(tally), _left_out(tally))
    for name in ("precision", "recall", "f1", "alignment"):
        yield from _mean(card, form, name)
    yield Text(), None


def _mean(card: Scorecard, form: _Form, name: str) -> Iterator[Line]:
    mean = card.means[name]
    if mean.scored:
        row = form.row(shown_measure(name).replace("-", " "), f"n {mean.scored:,}", mean.mean)
        fits = row.cell_len + 5 <= form.width
        yield form.with_moved(row.append(" mean" if fits else "", "label"), name), name


def _worth_a_line(tally: Tally) -> bool:
    return bool(tally.scored or tally.errors)


def _output(card: Scorecard, form: _Form) -> Iterator[Line]:
    tally, output = card.tallies["output"], card.output
    yield form.heading("output", f"n = {tally.scored:,}{form.so_far}")
    yield from form.rows(form.row("correct", _fraction(tally), tally.rate), "output")
    if tally.scored:
        yield form.bar(tally)
    no_answer = Text(f"{output.no_answer:,} gave no answer", "label") if output.no_answer else None
    unscoreable = Text("  unscoreable  ", "text").append(f"{output.unscoreable:,}", "unscoreable")
    yield joined(unscoreable, no_answer), None
    if output.errors or output.check_errors:
        errors = Text(f"{output.errors:,} errored", "error") if output.errors else None
        broken = Text(f"{output.check_errors:,} checks broken", "notice") if output.check_errors else None
        yield Text("  ").append_text(joined(errors, broken)), None
    yield Text(), None


def _levels(card: Scorecard, form: _Form) -> Iterator[Line]:
    yield form.heading("levels")
    for name in LEVELS:
        tally = card.tallies[name]
        row = form.row(_LEVEL_NAMES[name], _fraction(tally), tally.rate)
        yield from form.rows(row, name, _left_out(tally), form.span(tally))
    yield from _mean(card, form, "query_quality")
    if card.grade is not None:
        weights = " ".join(f"{_LEVEL_NAMES[name]} {weight:g}" for name, weight in card.grade.weights.items())
        yield Text("  overall grade  ", "text").append(figures.rate(card.grade.value), "number"), None
        yield Text(f"    {weights}", "label"), None
    weak = figures.count(len(card.weak_paths), "weak path")
    yield Text(f"  {weak}", "notice" if card.weak_paths else "label"), None
    yield Text(), None


def _scores(card: Scorecard, form: _Form) -> Iterator[Line]:
    if not card.scores:
        return
    yield form.heading("recorded scores", "mean")
    for score in card.scores.values():
        row = form.row(safe(score.name, 60), f"{score.n:,}/{score.total:,}", score.mean)
        left = Text(f"{len(score.unscored):,} n/a", "unscoreable") if score.unscored else None
        yield from form.rows(row, None, left)
    yield Text(), None


def _trials(card: Scorecard) -> Iterator[Line]:
    trials = card.trials
    if len(trials["pass_hat"]) < 2:
        return
    yield Text(" trials", "title").append(f"  {figures.count(trials['tasks'], 'task')}", "label"), None
    ks = [1, *(k for k in trials["pass_hat"] if k > 1 and (k & (k - 1)) == 0)]
    for k in ks:
        always, once = trials["pass_hat"][k], trials["pass_at"][k]
        over = "" if always["tasks"] == always["of"] else f"  {always['tasks']} of {always['of']} tasks"
        line = Text(f"  pass^{k} ", "text").append(f"{figures.rate(always['value']):<6}", "number")
        line.append(f" pass@{k} ", "text").append(f"{figures.rate(once['value']):<6}", "number")
        yield line.append(over, "notice"), None
    if trials["unequal"]:
        yield Text("  unequal numbers of trials", "notice"), None
    yield Text(), None


def _judge(card: Scorecard, form: _Form) -> Iterator[Line]:
    line = Text(" judge", "title").append("   not validated", "notice")
    button = Text(" J  Judge ", "quiet_button")
    room = form.width - line.cell_len - button.cell_len
    yield line.append(" " * max(1, room)).append_text(button), None
    labelled = card.output.correct + card.output.incorrect
    yield Text(f"   {labelled:,} have a truth, {card.output.unscoreable:,} without", "label"), None
    yield Text(), None


def _stored(card: Scorecard) -> list[str]:
    """How the figures that came with the bundle compare with ours; those that differ are findings."""
    agree = sum(each.agrees is True for each in card.stored)
    differ = sum(each.agrees is False for each in card.stored)
    alone = len(card.stored) - agree - differ
    counts = ((agree, "as ours"), (differ, "not as ours"), (alone, "without one of ours"))
    said = ", ".join(f"{count} {word}" for count, word in counts if count)
    return [f"{figures.count(len(card.stored), 'figure')}: {said}"] if card.stored else []


def _said(title: str, sentences: Sequence[str], width: int) -> Iterator[Line]:
    if not sentences:
        return
    yield Text(f" {title}", "title"), None
    for sentence in sentences[:6]:
        for line in textwrap.wrap(safe(sentence, 300), max(20, width - 4)):
            yield Text(f"   {line}", "label"), None
    if len(sentences) > 6:
        yield Text(f"   … {len(sentences) - 6:,} more: agent-tui score prints them", "label"), None
    yield Text(), None


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


def ribbon_parts(value: Ribbon) -> list[Text]:
    """The ribbon in words, part by part, that add up: `3 pass`, `3 fail`, `0 err`, `= 6`."""
    parts = [(value.passed, "pass", "pass"), (value.failed, "fail", "fail"), (value.errored, "err", "error")]
    more = [(value.unscoreable, "unscoreable", "unscoreable"), (value.running, "running", "label")]
    more += [(value.skipped, "skipped", "label"), (value.queued, "queued", "label")]
    more += [(count, safe(word, 20), "notice") for word, count in value.other.items()]
    parts += [part for part in more if part[0]]
    words = [Text(f"{count:,} ", "text").append(word, style) for count, word, style in parts]
    words.append(Text(f"= {value.total:,}", "text"))
    if value.planned is not None and (not value.is_complete or value.planned != value.total):
        words.append(Text(f"{value.finished:,}/{value.planned:,} finished", "notice"))
    return words


def ribbon_words(value: Ribbon) -> Text:
    """The ribbon in one line of words."""
    return joined(*ribbon_parts(value))


def ribbon_lines(value: Ribbon, width: int, glyphs: Glyphs) -> list[Text]:
    """The ribbon as a bar and in words, in as many lines as they need."""
    lines = [Text(" ").append_text(ribbon(max(8, width - 1), ribbon_counts(value), glyphs=glyphs)), Text()]
    for part in ribbon_parts(value):
        if lines[-1] and lines[-1].cell_len + 2 + part.cell_len > width:
            lines.append(Text())
        lines[-1] = lines[-1].append("  " if lines[-1] else " ").append_text(part)
    return lines


# --- two lines for a small terminal ---


def compact_lines(session: Session, width: int, glyphs: Glyphs = UNICODE) -> tuple[Text, Text]:
    """The scorecard in two lines: tool calls, then output, judge and n; what does not fit is one key away."""
    card = session.card
    names = [name for name in ("exact", "name_only", "order_ignored") if _worth_a_line(card.tallies[name])]
    if names:
        first = joined(*(_short(session, card, name, glyphs) for name in names), gap="   ")
    else:
        first = joined(*(_short(session, card, name, glyphs) for name in LEVELS), gap="   ")
    output = _short(session, card, "output", glyphs)
    unscoreable = Text("unscoreable ", "label").append(f"{card.output.unscoreable:,}", "unscoreable")
    judge = Text("judge ", "label").append("not validated", "notice")
    n = f"n = {card.tallies[session.measure].scored:,}{'' if session.bundle.is_complete else ' so far'}"
    rest = joined(output, unscoreable, judge, Text(n, "label"), gap="   ")
    return _fit(Text(" ").append_text(first), width), _fit(Text(" ").append_text(rest), width)


def _short(session: Session, card: Scorecard, name: str, glyphs: Glyphs) -> Text:
    tally = card.tallies[name]
    style = "title" if name == session.measure else "label"
    line = Text(f"{shown_measure(name)} ", style).append(f"{tally.passed:,}/{tally.scored:,} ", "text")
    line.append(figures.rate(tally.rate), "number")
    gap = figures.gap(card.gap(name)) if name in GAP_MATCHERS else ""
    errors = f" {tally.errors} err" if tally.errors else ""
    moved = None if session.shift is None else moved_by(session.shift.before, card, name, glyphs)
    if moved is not None and not moved.plain.startswith(glyphs.nothing):
        return line.append(" ").append_text(moved).append(errors, "error")
    return line.append(f" {gap}" if gap else "", "notice").append(errors, "error")


def _fit(line: Text, width: int) -> Text:
    if line.cell_len > width:
        line.truncate(width, overflow="ellipsis")
    return line
