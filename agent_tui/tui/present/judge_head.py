"""The head of the judge's screen: who judges by which rubric, and the four steps with where we are."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from rich.text import Text

from agent_tui.judge.judgement import Judgement
from agent_tui.tui.judge.asked import AskedJudge
from agent_tui.tui.judge.bench import Seat
from agent_tui.tui.judge.facts import SHORT_DIGEST, STALE
from agent_tui.tui.present.judge_line import certificate_words
from agent_tui.tui.present.words import safe
from agent_tui.tui.theme import Glyphs

ESTIMATE, VALIDATE, READ, VERDICTS = range(4)
"""The steps, in their order."""
_GAP = "   "


def head_line(seat: Seat | None, width: int, now: datetime) -> Text:
    """Who judges, by which rubric, how old the certificate is, and over how many runs: as much as fits."""
    if seat is None:
        return Text(" no judge is chosen", "label")
    line = Text(" ")
    for item in _items(seat, now):
        if line.cell_len + len(_GAP) + item.cell_len > width:
            break
        line.append(_GAP if len(line) > 1 else "").append_text(item)
    return line


def _items(seat: Seat, now: datetime) -> Iterator[Text]:
    yield Text(safe(seat.name, 60), "title")
    facts = seat.facts()
    title, digest = seat.rubric
    if title:
        yield Text("rubric ", "label").append(safe(title, 30), "text")
    if digest:
        name = "sha" if isinstance(seat, AskedJudge) else "fingerprint"
        yield Text(f"{name} {safe(digest[:SHORT_DIGEST])}", "label")
    if facts is None or facts.state == STALE:
        yield Text("no certificate yet" if facts is None else "certificate out of date", "notice")
    else:
        yield Text(certificate_words(facts, now), "label")
    if isinstance(seat, AskedJudge):
        known = seat.session.survey
        yield Text(f"{len(known.labelled):,} labelled · {len(known.unlabelled):,} to judge", "label")


def steps_line(step: int, judgement: Judgement | None, width: int, glyphs: Glyphs) -> Text:
    """`1 estimate ✓  2 validate ✓  3 read the validation ▸  4 verdicts locked`."""
    line = _steps(step, _verdicts(judgement), "  ", glyphs)
    return line if line.cell_len <= width else _steps(step, _verdicts(judgement, short=True), " ", glyphs)


def _steps(step: int, verdicts: str, gap: str, glyphs: Glyphs) -> Text:
    names = ["estimate", "validate", "read the validation", verdicts]
    line = Text(" ")
    for number, name in enumerate(names):
        is_done = number < step
        mark = f" {glyphs.passed}" if is_done else f" {glyphs.pointer}" if number == step else ""
        style = "button" if number == step else "quiet_button"
        text = Text(f" {number + 1} {name}{mark} ", style)
        if is_done:
            text.stylize("pass", 1, len(text) - 1)
        line.append(gap if number else "").append_text(text)
    return line


def _verdicts(judgement: Judgement | None, *, short: bool = False) -> str:
    if judgement is None or judgement.permit is None:
        return "verdicts locked" if judgement is None or judgement.gate.state != "accepted" else "verdicts"
    marked = "verdicts, marked" if short else "verdicts, not validated"
    return "verdicts" if judgement.is_validated else marked
