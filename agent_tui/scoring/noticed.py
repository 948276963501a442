"""What noticed a change: every measure before and after, the runs that moved, and the reason where none did."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from agent_tui.matchers import MATCHERS
from agent_tui.runs import State
from agent_tui.runs.paths import Path
from agent_tui.scoring.run_score import MEASURES
from agent_tui.scoring.tally import Tally

TRAJECTORY, ANSWER, SCORES = "trajectory", "answer", "scores"
_READS = {
    **dict.fromkeys(MATCHERS, frozenset({TRAJECTORY})),
    "output": frozenset({ANSWER}),
    "task_success": frozenset({ANSWER, SCORES}),
    "tool_call_correctness": frozenset({TRAJECTORY}),
    "trajectory_quality": frozenset({TRAJECTORY}),
}
_MORE_EXACTLY = {State.PENDING: "not finished", State.VACUOUS: "vacuous"}
_NEVER_TOLD = {State.NOT_KNOWN, State.VACUOUS, State.BROKEN, State.ERROR, State.PENDING}
_WORDS_FOR = {
    State.NOT_KNOWN: "nothing is known to judge {run} by",
    State.VACUOUS: "the question is empty for {run}",
    State.BROKEN: "the check of {run} is broken",
    State.ERROR: "{run} ended in an error or has no trajectory",
    State.PENDING: "{run} is not finished",
}


class Noticed(Struct, frozen=True):
    """One measure's view of a change."""

    measure: str
    before: Tally
    after: Tally
    moved: tuple[str, ...]
    why: str


def surfaces_of(path: Path) -> frozenset[str]:
    """What a path into a record may change: the trajectory, the answer, the recorded scores, or none of them."""
    if path[0] in ("status", "error"):
        return frozenset({TRAJECTORY, ANSWER, SCORES})
    if path in (("expected",), ("actual",)):
        return frozenset({TRAJECTORY, ANSWER})
    if path[0] == "scores":
        return frozenset({SCORES})
    parts = set(path[:2])
    if "answer" in parts:
        return frozenset({ANSWER})
    trajectory = parts & {"calls", "steps", "messages", "any", "required_tools", "forbidden_tools", "documents"}
    return frozenset({TRAJECTORY}) if trajectory else frozenset()


def what_noticed(
    before: Mapping[str, Tally],
    after: Mapping[str, Tally],
    states: Mapping[str, tuple[bytes, bytes]],
    changed: frozenset[str],
) -> list[Noticed]:
    """One entry a measure. `states` gives, by run name, the run's states before and after (one byte a measure)."""
    return [
        _noticed(index, measure, before[measure], after[measure], states, changed)
        for index, measure in enumerate(MEASURES)
    ]


def _noticed(
    index: int,
    measure: str,
    before: Tally,
    after: Tally,
    states: Mapping[str, tuple[bytes, bytes]],
    changed: frozenset[str],
) -> Noticed:
    pairs = {run: (State(was[index]), State(now[index])) for run, (was, now) in states.items()}
    moved = tuple(run for run, (was, now) in pairs.items() if was is not now)
    if moved:
        why = "; ".join(f"{run}: {_moved(*pairs[run])}" for run in moved)
    else:
        why = f"did not notice: {_unmoved(measure, pairs, changed)}"
    return Noticed(measure, before, after, moved, why)


def _moved(was: State, now: State) -> str:
    return f"{_MORE_EXACTLY.get(was, was.word)} → {_MORE_EXACTLY.get(now, now.word)}"


def _unmoved(measure: str, pairs: Mapping[str, tuple[State, State]], changed: frozenset[str]) -> str:
    if not changed & _READS[measure]:
        return _unread(measure, changed)
    return _and([_stayed(run, was) for run, (was, _) in pairs.items()])


def _unread(measure: str, changed: frozenset[str]) -> str:
    if measure in ("output", "task_success"):
        return "the trajectory changed, not the truth" if TRAJECTORY in changed else "the truth is unchanged"
    return "the answer changed, not the trajectory" if ANSWER in changed else "the trajectory is unchanged"


def _stayed(run: str, state: State) -> str:
    if state is State.PASS:
        return f"it already passed {run}"
    if state in _NEVER_TOLD:
        return _WORDS_FOR[state].format(run=run)
    return f"it still fails {run}"


def _and(sentences: Sequence[str]) -> str:
    return "; ".join(dict.fromkeys(sentences)) or "nothing changed"
