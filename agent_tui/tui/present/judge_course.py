"""Before and while a judge is asked: what it would take, how far it is, why it stopped. Each thing to do is a line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import Enum

from rich.text import Text

from agent_tui.judge.asks import padded_runs
from agent_tui.judge.estimate import Estimate
from agent_tui.judge.events import Stopped
from agent_tui.judge.rubric import Rubric
from agent_tui.judge.session import Progress
from agent_tui.judge.verdict import decide_without_asking
from agent_tui.reports import figures
from agent_tui.reports.survey import estimate_line, under_way_words
from agent_tui.stats.confusion import Confusion
from agent_tui.tui.judge.asked import AskedJudge
from agent_tui.tui.present.judge_choice import missing_words
from agent_tui.tui.present.judge_figures import figure_lines, so_far
from agent_tui.tui.present.page import BLANK, Page, PageLine, told
from agent_tui.tui.present.words import safe
from agent_tui.tui.theme import Glyphs
from agent_tui.tui.widgets.bars import ribbon

_KEY = 8
_OUT_OF_DATE = "The validation is out of date: labels or labelled runs changed. What was answered before still counts."


class Do(Enum):
    """What a line of the page does; its key does the same."""

    SEND = "Enter"
    TEXT = "s"
    LIMIT = "m"
    UNKNOWN = "u"
    BATCH = "B"
    RUBRIC = "b"
    OTHER = "c"
    LABEL = "l"


def estimate_page(judge: AskedJudge, width: int, missing: Sequence[str] = ()) -> Page:
    """What the next step would take, what is sent where, and what may be done about it."""
    return Page.of(_estimate(judge, width, missing))


def _estimate(judge: AskedJudge, width: int, missing: Sequence[str]) -> Iterator[PageLine]:
    estimate, session = judge.estimate, judge.session
    assert estimate is not None
    validating = session.validation is None
    if judge.is_stale:
        yield from _plain(told(_OUT_OF_DATE, width, "notice"))
    step = "validation" if validating else f"judging {figures.count(len(session.survey.unlabelled), 'unlabelled run')}"
    yield from _plain(told(f"{estimate_line(estimate, step)}.", width, "title"))
    yield from _plain(told(f"The text goes to {safe(judge.provider.host, 120)}. {_asks(judge)}", width, "text"))
    for notice in judge.provider.notices:
        yield from _plain(told(safe(notice, 300), width, "notice"))
    if judge.unknown:
        calls = figures.count(judge.unknown, "call has", "calls have")
        yield from _plain(told(f"{calls} no known end: billed perhaps, and not asked again.", width, "notice"))
    yield BLANK
    for sentence in judge.survey_words:
        yield from _plain(told(safe(sentence, 1000).lstrip(), width, hang=2))
    if words := missing_words(missing):
        yield from _plain(told(words, width))
    yield BLANK
    yield from _to_do(judge, estimate)


def _asks(judge: AskedJudge) -> str:
    """What one run is shown with, and how often."""
    asker = judge.session.asker
    sees = ", ".join(asker.rubric.sees)
    if judge.session.validation is not None:
        return f"Of each run: {sees}."
    return f"Of each run: {sees}; never the truth. {_made_of(judge)}"


def _made_of(judge: AskedJudge) -> str:
    """What a validation asks."""
    session = judge.session
    times = figures.count(session.asker.labelled_asks, "time")
    parts = [f"each labelled run {times} and once with the verdicts reversed"]
    if padded := len(padded_runs(session.survey)):
        parts.append(f"{figures.count(padded, 'wrong answer')} with neutral text")
    attacks = [control for control in session.controls if control.wanted is not None]
    unasked = sum(decide_without_asking(control.item) is not None for control in attacks)
    without = f" ({unasked} without content: no call)" if unasked else ""
    return f"Asked: {', '.join(parts)}, and {figures.count(len(attacks), 'planted attack')}{without}."


def _to_do(judge: AskedJudge, estimate: Estimate) -> Iterator[PageLine]:
    calls = figures.count(estimate.calls, "call")
    send = f"make {calls}" if judge.provider.needs_consent else f"go on: {calls}, nothing leaves this machine"
    yield _action(Do.SEND, send if estimate.calls else "go on: the ledger has every answer", "accent"), Do.SEND
    yield _action(Do.TEXT, "read the exact text of the first request"), Do.TEXT
    yield from _limits(judge)
    if judge.in_batches is not None:
        how = (
            "one by one instead of in batches"
            if judge.in_batches
            else "in message batches: half the price, up to a day"
        )
        yield _action(Do.BATCH, how), Do.BATCH
    yield _action(Do.RUBRIC, f"judge by another rubric than {safe(judge.rubric[0], 40)}"), Do.RUBRIC
    yield _action(Do.OTHER, "another judge"), Do.OTHER


def _limits(judge: AskedJudge) -> Iterator[PageLine]:
    """What asking may cost, and whether it may cost something twice."""
    if judge.provider.needs_consent:
        cap = judge.choices.max_cost
        yield _action(Do.LIMIT, "no limit on the cost" if cap is None else f"at most {cap:g} USD in all"), Do.LIMIT
    if judge.unknown:
        again = "leave them" if judge.choices.retry_unknown else "ask them again, which may be billed twice"
        yield _action(Do.UNKNOWN, f"calls without a known end: {again}"), Do.UNKNOWN


def _action(do: Do, words: str, style: str = "text") -> Text:
    return Text(" ").append(f"{do.value:<{_KEY}}", "accent bold").append(words, style)


def _plain(lines: Iterator[Text]) -> Iterator[PageLine]:
    return ((line, None) for line in lines)


def progress_page(progress: Progress | None, counts: Confusion, width: int, glyphs: Glyphs, *, ends: bool) -> Page:
    """How far asking is, and the figures of the labelled runs so far; `ends` once it was told to stop."""
    lines: list[PageLine] = [(line, None) for line in _progress(progress, width, glyphs, ends=ends)]
    if progress is None or progress.phase == "validating":
        lines += [BLANK, *((line, None) for line, _ in figure_lines(so_far(counts), width, glyphs, "so far"))]
    return Page.of(lines)


def _progress(progress: Progress | None, width: int, glyphs: Glyphs, *, ends: bool) -> Iterator[Text]:
    if progress is None:
        yield Text("rendering what is asked …", "label")
        return
    done, total = progress.done, progress.total
    line = Text().append(f"{progress.phase}  ", "title").append(f"{done:,} of {total:,}", "number")
    yield line.append(" questions answered", "label")
    room = max(10, min(80, width - 4))
    yield Text().append_text(ribbon(room, {"passed": done, "open": max(0, total - done)}, glyphs=glyphs))
    yield Text(_beside(progress), "label")
    if progress.under_way is not None:
        yield Text(safe(under_way_words(progress.under_way), 200), "label")
    if progress.waiting:
        yield Text(f"waiting: {safe(progress.waiting, 200)}", "notice")
    if ends:
        yield Text("stopping: calls that are out may end", "notice")


def _beside(progress: Progress) -> str:
    parts = [f"{progress.from_ledger:,} from the ledger" if progress.from_ledger else "each answer is kept as it comes"]
    if progress.unusable:
        parts.append(f"{progress.unusable:,} without a verdict")
    return ", ".join(parts)


def paused_page(judge: AskedJudge, stopped: Stopped, width: int) -> Page:
    """Why asking ended early, and how to go on."""
    where = safe(str(judge.session.ledger.path), 200)
    pairs: list[PageLine] = [
        *_plain(told(f"{safe(stopped.reason, 400)}.", width, "notice")),
        *_plain(told(f"What was answered is kept in {where}: nothing is asked twice.", width)),
        BLANK,
        (_action(Do.SEND, "go on", "accent"), Do.SEND),
        *_limits(judge),
        (_action(Do.OTHER, "another judge"), Do.OTHER),
    ]
    return Page.of(pairs)


def shut_page(judge: AskedJudge, width: int) -> Page:
    """There is too little to validate on: what to label."""
    gate = judge.session.shut
    assert gate is not None
    pairs: list[PageLine] = [
        *_plain(told(f"no validation yet: {'; '.join(gate.reasons)}.", width, "notice")),
        *_plain(told(f"what would open it: {gate.settles}.", width, "text")),
        BLANK,
        *((line, None) for words in judge.survey_words for line in told(safe(words, 1000).lstrip(), width, hang=2)),
        BLANK,
        (_action(Do.LABEL, "label runs, the next one first", "accent"), Do.LABEL),
        (_action(Do.OTHER, "another judge"), Do.OTHER),
    ]
    return Page.of(pairs)


def failed_page(reason: str, width: int) -> Page:
    """The judge that was chosen cannot be asked."""
    return Page.of(
        [*_plain(told(safe(reason, 600), width, "notice")), BLANK, (_action(Do.OTHER, "another judge"), Do.OTHER)]
    )


def rubric_lines(rubric: Rubric) -> list[Text]:
    """A rubric to read before it is taken: foreign text."""
    lines = [Text(f"rubric {safe(rubric.title, 60)}", "title"), Text(f"sha {rubric.digest}", "label")]
    lines += [Text(f"sees {', '.join(rubric.sees)}", "label"), Text(), Text("criteria", "title")]
    for criterion in rubric.criteria:
        lines.append(Text(f"  {safe(criterion.id, 40)}  ", "accent").append(safe(criterion.words, 2000), "text"))
    lines += [Text(), Text("examples", "title")]
    for example in rubric.examples:
        lines.append(Text(f"  {example.verdict}  ", "accent").append(safe(example.task, 500), "text"))
        lines.append(Text("  answer  ", "label").append(safe(example.answer, 2000), "text"))
        lines.append(Text("  why     ", "label").append(safe(example.why, 2000), "text"))
    return lines
