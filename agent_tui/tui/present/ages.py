"""How long ago something was, in words that need no clock: the screen says it when it is drawn."""

from __future__ import annotations

from datetime import UTC, datetime

from agent_tui.reports.figures import count

_MINUTE, _HOUR, _DAY = 60, 3600, 86400


def age(at: str | None, now: datetime) -> str:
    """`just now`, `12 min old`, `3 h old`, `2 days old`; empty where no time is known."""
    then = _moment(at)
    if then is None:
        return ""
    seconds = max(0.0, (now - then).total_seconds())
    if seconds < _MINUTE:
        return "just now"
    if seconds < _HOUR:
        return f"{seconds // _MINUTE:.0f} min old"
    if seconds < 2 * _DAY:
        return f"{seconds // _HOUR:.0f} h old"
    return f"{count(int(seconds // _DAY), 'day')} old"


def _moment(at: str | None) -> datetime | None:
    """A UTC time as ledgers write it."""
    if not at:
        return None
    try:
        moment = datetime.fromisoformat(at)
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
