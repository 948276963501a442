"""The scorecard in two lines for a small terminal; what does not fit is one key away, and `…` says so."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

from agent_tui.reports import figures
from agent_tui.scoring import LEVELS, Scorecard
from agent_tui.scoring.scorecard import GAP_MATCHERS
from agent_tui.tui.present.card_form import errors_beside, fraction
from agent_tui.tui.present.judge_line import STATE_STYLES
from agent_tui.tui.present.scorecard import WITH_BARS, worth_a_line
from agent_tui.tui.present.shifted import shifted_by
from agent_tui.tui.present.words import joined, shown_measure
from agent_tui.tui.session import Session
from agent_tui.tui.theme import UNICODE, Glyphs

_GAP = "   "


def compact_lines(session: Session, width: int, glyphs: Glyphs = UNICODE) -> tuple[Text, Text]:
    """Tool calls, then output, unscoreable, judge and n: whole items only, as many as fit."""
    card = session.card
    names = [name for name in WITH_BARS if worth_a_line(card.tallies[name])] or list(LEVELS)
    if session.measure not in (*names, "output"):
        names.insert(0, session.measure)
    first = [_short(session, card, name, glyphs) for name in names]
    n = f"n = {card.tallies[session.measure].scored:,}{'' if session.bundle.is_complete else ' so far'}"
    rest = [
        _short(session, card, "output", glyphs),
        Text("unscoreable ", "label").append(f"{card.output.unscoreable:,}", "unscoreable"),
        _judge(session),
        Text(n, "label"),
    ]
    return _fitting(first, width, glyphs), _fitting(rest, width, glyphs)


def _judge(session: Session) -> Text:
    judge = session.judge
    state = judge.state if judge is not None and judge.state in STATE_STYLES else "not validated"
    return Text("judge ", "label").append(state, STATE_STYLES.get(state, "notice"))


def _short(session: Session, card: Scorecard, name: str, glyphs: Glyphs) -> Text:
    tally = card.tallies[name]
    style = "title" if name == session.measure else "label"
    line = Text(f"{shown_measure(name)} ", style).append(f"{fraction(tally)} ", "text")
    line.append(figures.rate(tally.rate), "number")
    gap = figures.gap(card.gap(name)) if name in GAP_MATCHERS else ""
    before = None if session.shift is None else session.shift.before
    moved = None if before is None else shifted_by(before, card, name, glyphs)
    has_moved = moved is not None and not moved.plain.startswith(glyphs.nothing)
    errors = errors_beside(tally, " ") if tally.errors else None
    return joined(line, moved if has_moved else Text(gap, "notice"), errors, gap=" ")


def _fitting(items: Sequence[Text], width: int, glyphs: Glyphs) -> Text:
    """The items that fit a line, and `…` where some do not; the first is cut only where it alone is too wide."""
    line = Text(" ").append_text(items[0])
    for number, item in enumerate(items[1:], 1):
        more = 0 if number == len(items) - 1 else 2
        if line.cell_len + len(_GAP) + item.cell_len + more > width:
            line.append(f" {glyphs.ellipsis}", "label")
            break
        line.append(_GAP).append_text(item)
    if line.cell_len > width:
        line.truncate(width, overflow="ellipsis")
    return line
