"""By how much a number of the scorecard moved since the last change."""

from __future__ import annotations

from rich.text import Text

from agent_tui.reports import figures
from agent_tui.scoring import Scorecard
from agent_tui.tui.theme import Glyphs


def shifted_by(before: Scorecard, now: Scorecard, measure: str, glyphs: Glyphs) -> Text:
    """`▲+.167`, `▼-.167`, or `·    0`: how a rate or a mean moved from one scorecard to the next.

    `▲+1 run` where the places of a rate would not say by how much.
    """
    was, value = _value_of(before, measure), _value_of(now, measure)
    if was is None or value is None:
        is_known = was is value
        return Text(f"{glyphs.nothing}    0", "faint") if is_known else _was(was, glyphs)
    change = figures.gap(value - was)
    if not change:
        return Text(f"{glyphs.nothing}    0", "faint")
    rises = value > was
    shown = _passes(before, now, measure) if "<" in change else change
    return Text(f"{glyphs.up if rises else glyphs.down}{shown or change}", "pass bold" if rises else "fail bold")


def _was(value: float | None, glyphs: Glyphs) -> Text:
    return Text(f"{glyphs.changed} was {figures.rate(value)}", "notice")


def _passes(before: Scorecard, now: Scorecard, measure: str) -> str:
    """How many more or fewer runs pass: `+1 run`; empty where that is not all that moved."""
    was, is_now = before.tallies.get(measure), now.tallies.get(measure)
    if was is None or is_now is None or was.scored != is_now.scored:
        return ""
    return f"{is_now.passed - was.passed:+,} {'run' if abs(is_now.passed - was.passed) == 1 else 'runs'}"


def _value_of(card: Scorecard, measure: str) -> float | None:
    return card.tallies[measure].rate if measure in card.tallies else card.means[measure].mean
