"""Numbers as people read them: rounded once, for display only."""

from __future__ import annotations

from agent_tui.scoring.rounding import PLACES, in_places

NOT_AVAILABLE = "n/a"


def rate(value: float | None) -> str:
    """A rate with three places and no leading zero: `.667`, `n/a`; `1.000` and `.000` only where it is that exactly."""
    if value is None:
        return NOT_AVAILABLE
    return f"{in_places(value):.3f}".removeprefix("0")


def gap(value: float | None) -> str:
    """A difference of rates with its sign: `+.167`, `+<.001` where three places would not show it; empty for none."""
    if value is None:
        return ""
    text = f"{in_places(value):+.3f}"
    if text.lstrip("+-") == "0.000":
        return ""
    return f"{text[0]}<.001" if round(abs(value), PLACES) == 0 else text.replace("0.", ".", 1)


def span(low: float | None, high: float | None) -> str:
    """An interval with two places: `.19–.81`."""
    if low is None or high is None:
        return ""
    return f"{low:.2f}".removeprefix("0") + "–" + f"{high:.2f}".removeprefix("0")


def count(number: int, one: str, several: str | None = None) -> str:
    """`1 run`, `6 runs`, `12,000 runs`."""
    return f"{number:,} {one if number == 1 else several or one + 's'}"


def what_if(edited: int) -> str | None:
    """That runs are shown otherwise than they were recorded; None where none is (a count of runs)."""
    return f"what-if: {count(edited, 'run')} changed" if edited else None


def short(value: float | None) -> str:
    """A bound with two places and no leading zero: `.20`, `n/a`."""
    return NOT_AVAILABLE if value is None else f"{value:.2f}".removeprefix("0")


def signed(value: float | None) -> str:
    """A coefficient with two places, its sign only where it is below zero: `.71`, `-.16`, `n/a`."""
    if value is None:
        return NOT_AVAILABLE
    text = f"{value:.2f}".replace("0.", ".", 1)
    return ".00" if text in ("-.00", ".00") else text


def p_value(value: float | None) -> str:
    """A p value: three places, `<.001` below."""
    if value is None:
        return NOT_AVAILABLE
    return "<.001" if value < 0.001 else f"{value:.3f}".removeprefix("0")
