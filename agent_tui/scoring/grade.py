"""One overall grade under named weights, for those who ask for it."""

from __future__ import annotations

import math
from collections.abc import Mapping

from msgspec import Struct

from agent_tui.errors import NotPossible, UnknownName
from agent_tui.scoring.run_score import LEVELS
from agent_tui.scoring.tally import Tally

SHORT_NAMES = {
    "success": "task_success",
    "tools": "tool_call_correctness",
    "trajectory": "trajectory_quality",
}


class Grade(Struct, frozen=True):
    """Σ weight x rate over the three levels (0..1); None where a level is n/a."""

    weights: Mapping[str, float]
    value: float | None


def parse_weights(text: str) -> dict[str, float]:
    """Weights by level from `success=.6,tools=.2,trajectory=.2`; they sum to 1.

    Raises `NotPossible` where they do not, `UnknownName` for a level that does not exist.
    """
    weights: dict[str, float] = {}
    for part in text.split(","):
        name, sign, number = part.partition("=")
        level = SHORT_NAMES.get(name.strip(), name.strip())
        if level not in LEVELS:
            raise UnknownName("level in --weights", name.strip(), [*SHORT_NAMES, *LEVELS])
        if level in weights:
            raise NotPossible(f"--weights: {name.strip()} is given twice")
        weights[level] = _weight(name.strip(), number if sign else "")
    if not math.isclose(math.fsum(weights.values()), 1.0, abs_tol=1e-9):
        raise NotPossible(f"--weights: they sum to {math.fsum(weights.values()):g}, and must sum to 1")
    return weights


def _weight(name: str, text: str) -> float:
    try:
        weight = float(text)
    except ValueError:
        raise NotPossible(
            f"--weights: {name}={text!r} is not a number; write success=.6,tools=.2,trajectory=.2"
        ) from None
    if not (math.isfinite(weight) and 0 <= weight <= 1):
        raise NotPossible(f"--weights: {name}={text} is outside 0..1")
    return weight


def grade(weights: Mapping[str, float], tallies: Mapping[str, Tally]) -> Grade:
    """The grade of a scorecard; a weighted level that is n/a makes it n/a."""
    parts = [(weight, tallies[level].rate) for level, weight in weights.items()]
    if any(rate is None for weight, rate in parts if weight):
        return Grade(weights, None)
    return Grade(weights, math.fsum(weight * (rate or 0.0) for weight, rate in parts))
