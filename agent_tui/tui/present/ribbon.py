"""The ribbon: every run in one part, as a bar and in words."""

from __future__ import annotations

from rich.text import Text

from agent_tui.scoring.scorecard import Ribbon
from agent_tui.tui.present.words import joined, safe
from agent_tui.tui.session import Session
from agent_tui.tui.theme import Glyphs
from agent_tui.tui.widgets.bars import ribbon


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


def ribbon_parts(value: Ribbon, counted: str = "") -> list[Text]:
    """The ribbon in words, part by part, that add up: `3 pass`, `3 fail`, `0 err`, `= 6`; `counted` stands behind."""
    parts = [(value.passed, "pass", "pass"), (value.failed, "fail", "fail"), (value.errored, "err", "error")]
    more = [(value.unscoreable, "unscoreable", "unscoreable"), (value.running, "running", "label")]
    more += [(value.skipped, "skipped", "label"), (value.queued, "queued", "label")]
    more += [(count, safe(word, 20), "notice") for word, count in value.other.items()]
    parts += [part for part in more if part[0]]
    words = [Text(f"{count:,} ", "text").append(word, style) for count, word, style in parts]
    words.append(Text(f"= {value.total:,}{counted}", "text"))
    if value.planned is not None and (not value.is_complete or value.planned != value.total):
        words.append(Text(f"{value.finished:,}/{value.planned:,} finished", "notice"))
    return words


def _counted(session: Session) -> str:
    """That the sum is of the runs that are counted, where more are read by now than that."""
    return "" if session.bundle.is_complete and not session.grows else " counted"


def ribbon_line(session: Session, width: int) -> Text:
    """The ribbon in one line of words, and what was not measured as far as there is room."""
    card = session.card
    words = Text(" ").append_text(joined(*ribbon_parts(card.ribbon, _counted(session))))
    left_out = Text(f"not measured: {', '.join(card.not_measured)}", "label")
    room = width - words.cell_len - 3
    if room > 24:
        left_out.truncate(room, overflow="ellipsis")
        words.append("   ").append_text(left_out)
    return words


def ribbon_bar(value: Ribbon, width: int, glyphs: Glyphs) -> Text:
    """The ribbon as a bar of `width` cells."""
    return ribbon(width, ribbon_counts(value), glyphs=glyphs)


def _rows(parts: list[Text], width: int) -> list[Text]:
    """The ribbon in words, in as many lines as they need."""
    lines = [Text()]
    for part in parts:
        if lines[-1] and lines[-1].cell_len + 2 + part.cell_len > width:
            lines.append(Text())
        lines[-1] = lines[-1].append("  " if lines[-1] else " ").append_text(part)
    return lines


def ribbon_lines(session: Session, width: int, glyphs: Glyphs) -> list[Text]:
    """The ribbon as a bar, and in words below it."""
    value = session.card.ribbon
    words = _rows(ribbon_parts(value, _counted(session)), width)
    return [Text(" ").append_text(ribbon_bar(value, max(8, width - 1), glyphs)), *words]
