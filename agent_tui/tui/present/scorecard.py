"""The scorecard: every rate with its denominator and interval, every number a stop for the cursor."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence

from msgspec import Struct
from rich.text import Text

from agent_tui.reports import figures
from agent_tui.scoring import LEVELS, Scorecard, Tally
from agent_tui.scoring.scorecard import GAP_MATCHERS
from agent_tui.tui.judge.facts import JudgeFacts
from agent_tui.tui.present.about import About, measure
from agent_tui.tui.present.card_form import Form, Line, count_cells, fraction, left_out
from agent_tui.tui.present.judge_line import STATE_STYLES
from agent_tui.tui.present.words import safe, shown_measure
from agent_tui.tui.session import CYCLE, Session
from agent_tui.tui.theme import Glyphs

WITH_BARS = ("exact", "name_only", "order_ignored")
_NAME = 13
_RIGHT = 22
"""Cells that a rate, a gap and an interval need beside a name and a fraction."""
_FINDINGS = 6
"""Findings that are shown; `p` lists all."""


class ScorecardLines(Struct, frozen=True):
    """The lines of the pane, and the number that a line is about (None: none, the cursor does not stop)."""

    lines: Sequence[Text]
    about: Sequence[About | None]

    @property
    def stops(self) -> list[int]:
        """The lines where the cursor may rest."""
        return [line for line, about in enumerate(self.about) if about is not None]

    def line_of(self, about: About) -> int:
        """The line that a number stands on; the first stop where it has none."""
        return self.about.index(about) if about in self.about else next(iter(self.stops), 0)


def scorecard_lines(session: Session, width: int, glyphs: Glyphs) -> ScorecardLines:
    """The whole scorecard for a pane of `width` cells."""
    card = session.card
    count = count_cells(card)
    so_far = "" if session.bundle.is_complete else " so far"
    before = session.shift.before if session.shift is not None else None
    form = Form(width, _name_cells(card, width - count - _RIGHT), count, glyphs, so_far, card, before)
    pairs = [
        *_tool_calls(session, card, form),
        *_output(card, form),
        *_levels(card, form),
        *_scores(card, form),
        *_trials(card, form),
        *_judge(session, card, form),
        *_findings(card, form),
        *_said("stored in the bundle", _stored(card), width, About("stored")),
        *_said("not measured", ", ".join(card.not_measured), width),
        *_ribbon(card, form),
    ]
    return ScorecardLines([line for line, _ in pairs], [about for _, about in pairs])


def _name_cells(card: Scorecard, room: int) -> int:
    """Room for every measure, and for the names of recorded scores as far as there is `room`."""
    measures = max(len(shown_measure(name)) for name in CYCLE if name == "exact" or worth_a_line(card.tallies[name]))
    scores = max((len(safe(name, 60)) for name in card.scores), default=0)
    return max(_NAME, measures, min(room, scores))


def worth_a_line(tally: Tally) -> bool:
    """Whether a measure says anything of any run."""
    return bool(tally.scored or tally.errors)


def _tool_calls(session: Session, card: Scorecard, form: Form) -> Iterator[Line]:
    exact = card.tallies["exact"]
    yield form.heading("tool calls", f"n = {exact.scored:,}{form.so_far}")
    shown = [name for name in CYCLE if worth_a_line(card.tallies[name])]
    if not shown:
        yield Text("  no expected calls are recorded", "label"), None
    for name in shown:
        tally = card.tallies[name]
        gap = figures.gap(card.gap(name)) if name in GAP_MATCHERS else ""
        line = form.row(shown_measure(name), fraction(tally), tally.rate, active=name == session.measure)
        if name in WITH_BARS:
            yield from form.rows(line, measure(name), Text(gap, "notice"), *left_out(tally))
            yield form.bar(tally, None if name == "exact" else exact.rate)
        else:
            gap_text = Text(f"{gap:<5}", "notice")
            yield from form.rows(line, measure(name), gap_text, form.span(tally), *left_out(tally))
    yield from _means(card, form, "precision", "recall", "f1", "alignment")
    yield Text(), None


def _means(card: Scorecard, form: Form, *names: str) -> Iterator[Line]:
    """Means below each other; what was left out of several alike stands below the last of them."""
    means = [card.means[name] for name in names if card.means[name].scored]
    for number, mean in enumerate(means, 1):
        row = form.row(shown_measure(mean.name).replace("-", " "), f"n {mean.scored:,}", mean.mean)
        fits = row.cell_len + 5 <= form.room(form.moved(mean.name))
        said = list(left_out(mean))
        is_last = number == len(means) or list(left_out(means[number])) != said
        yield from form.rows(
            row.append(" mean" if fits else "", "label"), measure(mean.name), *(said if is_last else [])
        )


def _output(card: Scorecard, form: Form) -> Iterator[Line]:
    tally, output = card.tallies["output"], card.output
    yield form.heading("output", f"n = {tally.scored:,}{form.so_far}")
    errors = [part for part in left_out(tally) if "err" in part.plain]
    yield from form.rows(form.row("correct", fraction(tally), tally.rate), measure("output"), *errors)
    if tally.scored:
        yield form.bar(tally)
    counts = (
        ("unscoreable", "unscoreable", output.unscoreable, "unscoreable"),
        ("no answer", "no_answer", output.no_answer, "fail"),
        ("errored", "run_error", output.errors, "error"),
        ("checks broken", "check_error", output.check_errors, "notice"),
    )
    for name, state, number, style in counts:
        if number or state == "unscoreable":
            line = Text(f"  {name:<{form.name}}", "text").append(f"{number:>{form.count},}", style)
            yield line, About("output", state)
    yield Text(), None


def _levels(card: Scorecard, form: Form) -> Iterator[Line]:
    yield form.heading("levels")
    for name in LEVELS:
        tally = card.tallies[name]
        row = form.row(shown_measure(name), fraction(tally), tally.rate)
        yield from form.rows(row, measure(name), *left_out(tally), form.span(tally))
    yield from _means(card, form, "query_quality")
    if card.grade is not None:
        weights = "  ".join(_weight(name, weight, card.tallies[name]) for name, weight in card.grade.weights.items())
        line = Text(f"  {'overall grade':<{form.name}}{'':>{form.count}} ", "text")
        yield line.append(figures.rate(card.grade.value), "number"), About("grade")
        for part in textwrap.wrap(weights, max(20, form.width - 4)):
            yield Text(f"    {part}", "label"), None
    weak = len(card.weak_paths)
    line = Text(f"  {'weak paths':<{form.name}}", "text")
    yield line.append(f"{weak:>{form.count},}", "notice" if weak else "label"), About("weak")
    yield Text(), None


def _weight(name: str, weight: float, tally: Tally) -> str:
    """A weight of the overall grade, with the errored runs that its level leaves out."""
    return f"{shown_measure(name)} {weight:g}" + (f" ({tally.errors:,} err)" if tally.errors else "")


def _scores(card: Scorecard, form: Form) -> Iterator[Line]:
    if not card.scores:
        return
    yield form.heading("recorded scores", "mean")
    for score in card.scores.values():
        row = form.row(safe(score.name, 60), f"{score.n:,}/{score.total:,}", score.mean)
        left = Text(f"{len(score.unscored):,} n/a", "unscoreable") if score.unscored else None
        yield from form.rows(row, About("score", score.name), left)
    yield Text(), None


def _trials(card: Scorecard, form: Form) -> Iterator[Line]:
    trials = card.trials
    if trials is None:
        yield form.heading("trials", "not yet known")
        yield Text(), None
        return
    if len(trials["pass_hat"]) < 2:
        return
    yield form.heading("trials", figures.count(trials["tasks"], "task"))
    for k in (1, *(k for k in trials["pass_hat"] if k > 1 and (k & (k - 1)) == 0)):
        always, once = trials["pass_hat"][k], trials["pass_at"][k]
        over = "" if always["tasks"] == always["of"] else f"{always['tasks']:,} of {always['of']:,} tasks"
        line = Text(f"  pass^{k} ", "text").append(f"{figures.rate(always['value']):<5}", "number")
        line.append(f"  pass@{k} ", "text").append(figures.rate(once["value"]), "number")
        yield from form.rows(line, About("trials", str(k)), Text(over, "notice"))
    if trials["unequal"]:
        yield Text("  unequal numbers of trials", "notice"), None
    yield Text(), None


def _judge(session: Session, card: Scorecard, form: Form) -> Iterator[Line]:
    judge = session.judge
    line = Text().append(" judge   ", "title")
    if judge is None:
        line.append("not validated", "notice")
    elif judge.state in STATE_STYLES:
        line.append(judge.state, STATE_STYLES[judge.state])
    else:
        line.append(f" {judge.state} ", "alert")
    button = Text(" J  Judge ", "quiet_button")
    room = form.width - line.cell_len - button.cell_len
    yield line.append(" " * max(1, room)).append_text(button), None
    if judge is not None:
        yield from _judge_figures(judge, form)
    labelled = card.output.correct + card.output.incorrect
    yield Text(f"   {labelled:,} have a truth, {card.output.unscoreable:,} without", "label"), About("truths")
    yield Text(), None


def _judge_figures(judge: JudgeFacts, form: Form) -> Iterator[Line]:
    """Who judges, how good that is, and what becomes of the verdicts."""
    yield Text(f"   {safe(judge.name, form.width - 3)}", "text"), None
    figures_of = (
        ("agreement", judge.agreement),
        ("false passes", judge.false_passes),
        ("coverage", judge.coverage),
    )
    for name, rate in figures_of:
        row = form.row(name, f"{rate.k:,}/{rate.n:,}", rate.rate)
        yield from form.rows(row, About("judge", name), Text(figures.span(rate.low, rate.high), "label"))
    if judge.hidden:
        yield Text(f"   verdicts on {figures.count(judge.hidden, 'run')} hidden", "label"), None


def _findings(card: Scorecard, form: Form) -> Iterator[Line]:
    if not card.findings:
        return
    yield form.heading("findings", f"{len(card.findings):,}")
    for number, finding in enumerate(card.findings[:_FINDINGS]):
        yield from _sentence(finding.text, form.width, About("finding", str(number)))
    if len(card.findings) > _FINDINGS:
        more = f"   … {len(card.findings) - _FINDINGS:,} more: Enter lists all"
        yield Text(more, "label"), About("finding", str(_FINDINGS))
    yield Text(), None


def _stored(card: Scorecard) -> str:
    """How the figures that came with the bundle compare with ours; those that differ are findings."""
    agree = sum(each.agrees is True for each in card.stored)
    differ = sum(each.agrees is False for each in card.stored)
    alone = len(card.stored) - agree - differ
    counts = ((agree, "as ours"), (differ, "not as ours"), (alone, "without one of ours"))
    said = ", ".join(f"{count} {word}" for count, word in counts if count)
    return f"{figures.count(len(card.stored), 'figure')}: {said}" if card.stored else ""


def _said(title: str, sentence: str, width: int, about: About | None = None) -> Iterator[Line]:
    if sentence:
        yield Text(f" {title}", "title"), None
        yield from _sentence(sentence, width, about)
        yield Text(), None


def _sentence(sentence: str, width: int, about: About | None) -> Iterator[Line]:
    """A sentence over as many lines as it needs; the cursor stops at the first."""
    for number, line in enumerate(textwrap.wrap(safe(sentence, 300), max(20, width - 4))):
        yield Text(f"   {line}", "label"), about if number == 0 else None


def _ribbon(card: Scorecard, form: Form) -> Iterator[Line]:
    """The stop for the ribbon, which stands below the pane or at the foot of the screen."""
    line, _ = form.heading("all runs", f"by {shown_measure(card.ribbon.measure)} = {card.ribbon.total:,}{form.so_far}")
    yield line, About("ribbon")
