"""The fields of a run that can be filtered and sorted by, by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from agent_tui.bundles.bundle import Bundle
from agent_tui.errors import UnknownName
from agent_tui.runs import State
from agent_tui.scoring import MEASURES
from agent_tui.scoring.scorecard import GAP_MATCHERS
from agent_tui.scoring.table import FACTS, FIGURES

Value: TypeAlias = str | float | None
"""None is not known: it fits no comparison and is sorted last."""
Field: TypeAlias = Callable[[int], Value]

UNSCORED, NOT_AVAILABLE = "unscored", "n/a"
"""What a recorded score or a figure equals where it is no number."""


def gap_matchers(bundle: Bundle, row: int, measure: str) -> tuple[str, ...]:
    """The weaker matchers that pass a run which `measure` fails."""
    table = bundle.table
    if table.state(row, measure) is not State.FAIL:
        return ()
    return tuple(name for name in GAP_MATCHERS if name != measure and table.state(row, name) is State.PASS)


def field_names(bundle: Bundle) -> list[str]:
    """Every field there is; a recorded score with the name of another field is `score.NAME`."""
    twice = names_of_two(bundle)
    scores = [f"score.{name}" if name in twice else name for name in bundle.table.scores]
    return [*_FIXED, *MEASURES, *FIGURES, *FACTS, *scores]


def names_of_two(bundle: Bundle) -> list[str]:
    """Recorded scores with the name of a field of ours, which the plain name means."""
    ours = {*_FIXED, *MEASURES, *FIGURES, *FACTS}
    return [name for name in bundle.table.scores if name in ours or name.replace("-", "_") in MEASURES]


def field(bundle: Bundle, name: str, measure: str) -> Field:
    """The values of a field by row; `measure` is the active one. Raises `UnknownName`."""
    table = bundle.table
    plain = name.removeprefix("score.")
    if name in _FIXED:
        fixed = _FIXED[name]
        return lambda row: fixed(bundle, row, measure)
    if name.replace("-", "_") in MEASURES:
        known = name.replace("-", "_")
        return lambda row: _verdict(bundle, row, known)
    if name in FIGURES:
        return lambda row: table.figure(row, name)
    if name in FACTS:
        return lambda row: _yes_no(table.fact(row, name))
    if plain in table.scores:
        return lambda row: table.score(row, plain)
    raise UnknownName("field", name, field_names(bundle))


def _verdict(bundle: Bundle, row: int, measure: str) -> Value:
    if measure == "output":
        return bundle.table.output(row)
    state = bundle.table.state(row, measure)
    return bundle.table.statuses[row] if state is State.PENDING else state.word


def _yes_no(fact: bool | None) -> Value:
    return None if fact is None else ("yes" if fact else "no")


def _redundancy(bundle: Bundle, row: int, _: str) -> Value:
    return bundle.table.redundant(row)


_FIXED: dict[str, Callable[[Bundle, int, str], Value]] = {
    "row": lambda bundle, row, _: float(row + 1),
    "id": lambda bundle, row, _: bundle.names.name(row),
    "task": lambda bundle, row, _: bundle.table.tasks[row],
    "epoch": lambda bundle, row, _: float(bundle.table.epochs[row]),
    "model": lambda bundle, row, _: bundle.table.models[row],
    "agent": lambda bundle, row, _: bundle.table.agents[row],
    "status": lambda bundle, row, _: bundle.table.statuses[row],
    "verdict": lambda bundle, row, measure: _verdict(bundle, row, measure),
    "cause": lambda bundle, row, _: bundle.table.cause(row),
    "strictest": lambda bundle, row, _: bundle.table.strictest(row),
    "gap": lambda bundle, row, measure: ", ".join(gap_matchers(bundle, row, measure)) or None,
    "weak": lambda bundle, row, _: ", ".join(bundle.weak_reasons(row)) or None,
    "finding": lambda bundle, row, _: bundle.table.findings.get(row),
    "calls": lambda bundle, row, _: float(bundle.table.calls[row]),
    "errors": lambda bundle, row, _: float(bundle.errors(row)),
    "redundancy": _redundancy,
}
