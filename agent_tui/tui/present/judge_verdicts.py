"""A judge's verdicts on runs without a label, once a permit opened them; marked where the judge is not validated."""

from __future__ import annotations

from collections.abc import Iterator

from rich.text import Text

from agent_tui.judge.judgement import Judgement
from agent_tui.judge.permit import Override
from agent_tui.judge.recorded_group import RecordedGroup, pass_rates
from agent_tui.judge.validation import JudgedRun
from agent_tui.reports import figures
from agent_tui.reports.judgement import total_lines
from agent_tui.stats.rates import Rate
from agent_tui.tui.judge.facts import Said, word_of
from agent_tui.tui.present.judge_line import NOT_VALIDATED, verdict_mark
from agent_tui.tui.present.page import BLANK, Page, PageLine, lit, told
from agent_tui.tui.present.words import safe, safe_name
from agent_tui.tui.theme import Glyphs

_WORD = 14


def verdict_page(judgement: Judgement, width: int, glyphs: Glyphs, group: RecordedGroup | None = None) -> Page:
    """What the verdicts come to, then a line a run; `group` is where they came from, where that is the bundle."""
    return Page.of(_verdicts(judgement, width, glyphs, group))


def _verdicts(judgement: Judgement, width: int, glyphs: Glyphs, group: RecordedGroup | None) -> Iterator[PageLine]:
    if isinstance(judgement.permit, Override):
        why = f"shown all the same, in no rate: {safe(judgement.permit.reason, 300)}"
        yield from ((line, None) for line in lit(NOT_VALIDATED, why, width, "alert", "alert bold"))
    for sentence in total_lines(judgement):
        yield from ((line, None) for line in told(safe(sentence).strip(), width, "text", hang=2))
    if group is not None and group.inconsistent and judgement.permit is not None:
        rates = pass_rates(group.verdicts(judgement.permit))
        said = f"all that was recorded: {_passed(rates.passed)} pass, {_passed(rates.consistent)} without those at odds"
        yield from ((line, None) for line in told(f"{said} with their own score", width, "text", hang=2))
    yield BLANK
    yield Text(f"{figures.count(len(judgement.runs), 'run')} without a label", "title"), None
    name = min(16, max((len(safe_name(run.name)) for run in judgement.runs), default=4))
    for run in judgement.runs:
        yield _run_line(run, name, width, glyphs, is_validated=judgement.is_validated), run


def _passed(rate: Rate) -> str:
    return f"{rate.k:,}/{rate.n:,} {figures.rate(rate.rate)}"


def _run_line(run: JudgedRun, name: int, width: int, glyphs: Glyphs, *, is_validated: bool) -> Text:
    asks = max(16, (width - name - _WORD - 6) // 2)
    asked = safe(run.asks, 200)
    shown = asked if len(asked) <= asks else f"{asked[: asks - 1]}…"
    mark = verdict_mark(Said(word_of(run), run.why, is_validated), glyphs, in_words=True)
    line = Text().append(f"{safe_name(run.name):<{name}}  ", "title").append_text(mark)
    line.append(" " * max(1, _WORD + 2 - mark.cell_len))
    return line.append(f"{shown:<{asks}}", "text").append(f"  {safe(run.why, 200)}", "label")
