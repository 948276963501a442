"""The first line (what is open) and the status line (what of it is shown)."""

from __future__ import annotations

from collections.abc import Iterator

from rich.cells import cell_len
from rich.text import Text

from agent_tui.reports import figures
from agent_tui.tui.present.problems import skipped_words
from agent_tui.tui.present.words import joined, safe, safe_name, shown_measure
from agent_tui.tui.session import Session
from agent_tui.tui.settings import Place
from agent_tui.tui.theme import UNICODE, Glyphs
from agent_tui.tui.widgets.bars import course_bar

_WIDE = 100
"""Cells from which on there is room for more than the most needed."""
_BAR = 10
"""Cells of a bar."""


def title_line(session: Session, width: int, glyphs: Glyphs = UNICODE) -> Text:
    """Name, size, agent and model at the left; at the right whether it is as recorded, and the digest."""
    bundle = session.bundle
    is_whole = bundle.is_complete and (session.arrival is None or bool(bundle.digest))
    runs = figures.count(len(bundle), "run") + ("" if is_whole else " so far")
    if session.arrival is not None:
        runs += f"  {session.arrival.words}"
    course = None if is_whole else session.course
    if session.is_stopped:
        runs += f"  stopped{'' if course is None else f' at {course.share}'}"
    bar = None
    if course is not None and not session.is_stopped:
        bar = course_bar(_BAR, course.done, course.total, glyphs=glyphs).append(f" {course.words}", "label")
        bar = bar if width >= _WIDE else bar[_BAR + 1 :]
    state, style = "as recorded", "label"
    if bundle.edited:
        made = f"what-if: {figures.count(max(1, session.changes), 'change')}"
        state, style = f"{made} · nothing on disk is touched" if width >= _WIDE else made, "notice"
    digest = f"{bundle.digest[:8]} · " if width >= _WIDE and bundle.digest and not bundle.edited else ""
    right = Text(digest, "label").append(f"{state} ", style)
    left = joined(Text(" agent-tui", "accent bold"), Text(safe(bundle.name, 60), "title"), Text(runs, "label"), bar)
    for fact in (bundle.header.agent, bundle.header.model):
        shown = f" · {safe(fact, 40)}" if fact else ""
        if left.cell_len + cell_len(shown) + right.cell_len < width:
            left.append(shown, "label")
    return spread(left, right, width)


def status_line(session: Session, message: Text | None, width: int) -> Text:
    """A message, or what judges; at the right as much of what is shown as the message leaves room for."""
    left = message if message is not None else Text(f" by {shown_measure(session.measure)}", "label")
    room = width - (0 if message is None else message.cell_len + 1)
    fitting = (right for right in _shown(session) if right.cell_len <= room)
    return spread(left, next(fitting, Text()), width)


def _shown(session: Session) -> Iterator[Text]:
    """What is followed, the order, what was skipped, the filter in force and `n of N`; then less and less of it."""
    bundle = session.bundle
    lost = skipped_words(bundle.problems)
    order = (
        f"sorted by {safe_name(session.sort_field)} {'↓' if session.descending else '↑'}" if session.sort_field else ""
    )
    shown = f"filter {safe(session.filter_text, 60)}" if session.filter_text else "no filter"
    if session.only is not None:
        shown = safe(session.only_said, 40)
    style = "notice" if session.is_filtered else "label"
    so_far = "so far " if session.over < len(bundle) else ""
    count = Text(f"{len(session):,} of {session.over:,} {so_far}", "text")
    skipped = Text(f"{lost} (P)", "notice") if lost else None
    yield joined(_following(session), Text(order, "label"), skipped, Text(shown, style), count)
    yield joined(_following(session), skipped, Text(shown, style), count)
    yield joined(skipped, Text(shown, style), count)
    yield joined(Text(shown, style), count)
    yield joined(Text("filtered", style) if session.is_filtered else None, count)
    yield count


def _following(session: Session) -> Text | None:
    """What is followed, and how many runs came since."""
    bundle, since = session.bundle, session.follows_from
    if since is None or not bundle.sources:
        return None
    name = "the pipe" if session.arrival is not None else safe(bundle.sources[-1].file.rsplit("/", 1)[-1], 30)
    return Text(f"following {name}  +{len(bundle) - since:,}", "notice")


def spread(left: Text, right: Text, width: int) -> Text:
    """Two texts at the ends of a line; the left one gives way."""
    room = width - right.cell_len
    most = max(0, room - 1 if right else room)
    line = left.copy() if most else Text()
    if line.cell_len > most:
        line.truncate(most, overflow="ellipsis")
    line.append(" " * max(0, room - line.cell_len))
    return line.append_text(right)


def place_words(place: Place) -> Text:
    """Where a bundle was left, and how to go there."""
    parts = [
        f"left at {safe_name(place.run)}" if place.run else "left",
        f"under {shown_measure(place.measure)}",
        f"with the filter {safe(place.filter, 40)}" if place.filter else "",
        f"sorted by {safe_name(place.sort)}" if place.sort else "",
    ]
    return (
        Text(f" {' '.join(part for part in parts if part)}: ", "label")
        .append("R", "accent bold")
        .append(" goes there", "label")
    )
