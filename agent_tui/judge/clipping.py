"""Long texts shortened for a judge: head and tail stay, and the place that was cut is marked."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import Struct

CUT = re.compile(r"\[… [0-9,]{1,15} (?:characters|steps) cut …\]")
"""The mark of a cut. A text that brings one of its own only loses what quotes may span."""


class Sizes(Struct, frozen=True):
    """How much of a run a judge gets to read, in characters."""

    task: int = 8_000
    answer: int = 16_000
    step: int = 2_000
    trace: int = 32_000


_MARK = 40
"""Room for the mark of a cut."""
SIZES = Sizes()
TIGHT = Sizes(task=4_000, answer=6_000, step=600, trace=8_000)
"""For a service that says that a request is too large."""


def clip(text: str, limit: int) -> str:
    """`text` in at most `limit` characters: two thirds from its start, one from its end, the cut marked between."""
    if len(text) <= limit:
        return text
    head, tail = (limit - _MARK) * 2 // 3, (limit - _MARK) // 3
    return f"{text[:head]}\n[… {len(text) - head - tail:,} characters cut …]\n{text[len(text) - tail :]}"


def clip_steps(steps: Sequence[str], sizes: Sizes) -> tuple[str, ...]:
    """Steps, each clipped; where they are too much together, those in the middle are cut and counted."""
    clipped = [clip(step, sizes.step) for step in steps]
    if sum(map(len, clipped)) <= sizes.trace:
        return tuple(clipped)
    first = _fitting(clipped, (sizes.trace - _MARK) * 2 // 3)
    last = _fitting(clipped[first:][::-1], (sizes.trace - _MARK) // 3)
    cut = len(clipped) - first - last
    return (*clipped[:first], f"[… {cut:,} steps cut …]", *clipped[len(clipped) - last :])


def _fitting(steps: Sequence[str], limit: int) -> int:
    """How many of the first steps fit into `limit` characters (a count)."""
    room = limit
    for count, step in enumerate(steps):
        room -= len(step)
        if room < 0:
            return count
    return len(steps)
