"""The line that stands wherever a verdict is: who judges, by which rubric, how good, how old the certificate."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from math import floor

from rich.text import Text

from agent_tui.reports import figures
from agent_tui.tui.judge.facts import (
    ACCEPTED,
    FAIL,
    LOOKING,
    NOT_JUDGED,
    PASS,
    STALE,
    STEERED,
    UNDETERMINED,
    JudgeFacts,
    Said,
)
from agent_tui.tui.present.ages import age
from agent_tui.tui.present.words import safe
from agent_tui.tui.theme import Glyphs

NOT_VALIDATED = "judge not validated"
STATE_STYLES = {ACCEPTED: "pass", STALE: "notice", LOOKING: "label"}
"""States that are said as they are; any other is: not validated."""


def judge_lines(facts: JudgeFacts, width: int, now: datetime) -> tuple[Text, Text]:
    """Two lines; the second is empty where the first has room for all."""
    passes = facts.false_passes
    items = (
        Text(safe(facts.name, 40), "title"),
        state_words(facts),
        Text(f"{facts.digest_of} {facts.digest}", "label"),
        Text("agreement ≥ ", "label").append(_rounded_down(facts.agreement.low), "number"),
        Text("false passes ", "label").append(f"{passes.k:,}/{passes.n:,}", "number"),
        Text("coverage ", "label").append(figures.short(facts.coverage.rate), "number"),
        Text(certificate_words(facts, now), "label"),
    )
    for gap in ("   ", "  "):
        one, two = _in_lines([item for item in items if item], width, gap)
        if not two:
            break
    return one, two


def _in_lines(items: Sequence[Text], width: int, gap: str) -> tuple[Text, Text]:
    one, two = Text(" "), Text(" ")
    for item in items:
        line = two if len(two) > 1 or one.cell_len + len(gap) + item.cell_len > width else one
        line.append(gap if len(line) > 1 else "").append_text(item)
    return one, two if len(two) > 1 else Text()


def _rounded_down(rate: float | None) -> str:
    """Three places, never towards the bar: as the gate says it."""
    return figures.rate(None if rate is None else floor(rate * 1000) / 1000)


def state_words(facts: JudgeFacts) -> Text:
    """Whether the judge is validated, lit where it is not."""
    if facts.state in STATE_STYLES:
        return Text(facts.state, STATE_STYLES[facts.state])
    return Text(f" {NOT_VALIDATED} ", "alert")


def certificate_words(facts: JudgeFacts, now: datetime) -> str:
    """How old the certificate is, or the answers where there is none."""
    old = age(facts.last, now)
    if facts.state == ACCEPTED:
        return f"certificate {old}".rstrip()
    return f"asked {old.replace(' old', ' ago')}" if old else ""


_MARKS = {
    PASS: ("passed", "pass"),
    FAIL: ("failed", "fail"),
    UNDETERMINED: ("unscoreable", "unscoreable"),
    NOT_JUDGED: ("errored", "error"),
    STEERED: ("notice", "notice"),
}


LABEL_STYLES = {PASS: "pass", FAIL: "fail", UNDETERMINED: "unscoreable"}
"""What people said of a run, by word."""


_SHORT = {NOT_JUDGED: "none", STEERED: "steered"}
"""Words where the mark alone would not say enough."""


def verdict_mark(said: Said, glyphs: Glyphs, *, in_words: bool = False) -> Text:
    """A judge's verdict as its mark; with `?` where the judge is not validated."""
    name, style = _MARKS.get(said.word, ("notice", "notice"))
    word = said.word if in_words else _SHORT.get(said.word, "")
    words = f" {word}" if word else ""
    text = Text(f"{getattr(glyphs, name)}{words}", style)
    return text if said.is_validated else text.append("?", "notice")
