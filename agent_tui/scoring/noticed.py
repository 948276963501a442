"""What noticed a change: every measure before and after, the runs that moved, and the reason where none did."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct, UnsetType

from agent_tui.matchers import MATCHERS
from agent_tui.runs import Expected, Run, State
from agent_tui.scoring.counts import COUNTED, REDUNDANCY, SHOWN_FIGURES, Seen
from agent_tui.scoring.run_score import LEVELS
from agent_tui.scoring.tally import Tally

TRAJECTORY, ANSWER, TRUTH, SCORES, ASK, STATUS = "trajectory", "answer", "truth", "scores", "ask", "status"
_PASS = int(State.PASS)
_CALLS = frozenset({TRAJECTORY, STATUS})
_READS = {
    **dict.fromkeys((*MATCHERS, *LEVELS[1:], REDUNDANCY), _CALLS),
    "output": frozenset({ANSWER, TRUTH, STATUS}),
    LEVELS[0]: frozenset({ANSWER, TRUTH, STATUS, SCORES}),
    LEVELS[1]: _CALLS | {ASK},
}
COMPARES = {
    "exact": "names, arguments and order",
    "exact_groups": "names, arguments, and order but for that within a group",
    "name_only": "names in order, not arguments",
    "order_ignored": "names and arguments, not order",
    "in_order": "whether the expected calls stand in order, whatever stands between them",
    "any_order": "whether the expected calls were made, whatever else was",
    "subset": "whether nothing was called that is not expected",
    "required_tools": "how often the required tools were called",
    "forbidden_tools": "whether a forbidden tool was called",
    "output": "the answer with the truth",
    LEVELS[0]: "the answer with the truth, or takes the recorded score",
    LEVELS[1]: "whether the right tools were called with arguments that fit",
    LEVELS[2]: "the path with the reference, and whether a call is repeated",
    REDUNDANCY: "each call with those before it",
}
"""What each measure compares, in words that follow "it compares"."""
_MORE_EXACTLY = {State.PENDING: "not finished", State.VACUOUS: "vacuous"}
_STATES = [_MORE_EXACTLY.get(state, state.word) for state in State]
_WORDS_FOR: dict[int, str] = {
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
    """Counts without an interval. Of `redundancy`: passed are the runs that repeat no call without need."""
    moves: tuple[tuple[str, str], ...]
    """The runs whose verdict (whose number of repeated calls) is another one, and how: `R2`, `fail → pass`."""
    why: str
    """The verdicts of those that moved, or `did not notice: …`."""

    @property
    def moved(self) -> tuple[str, ...]:
        """Names of the runs that moved."""
        return tuple(run for run, _ in self.moves)

    @property
    def compares(self) -> str:
        """What the measure compares, in words."""
        return COMPARES[self.measure]


class FigureMoved(Struct, frozen=True):
    """A number of one run before and after; None is not known. `figure` is one of SHOWN_FIGURES."""

    figure: str
    run: str
    before: float | None
    after: float | None


class Effect(Struct, frozen=True):
    """All that noticed a change: an entry for each of COUNTED, and the figures of runs that moved."""

    noticed: tuple[Noticed, ...]
    figures: tuple[FigureMoved, ...]


class Shown(Struct, frozen=True):
    """A run by its name, as it was shown and as it is shown now."""

    name: str
    was: Run
    now: Run
    seen_before: Seen
    seen_after: Seen


def effect_of(before: Mapping[str, Tally], after: Mapping[str, Tally], runs: Sequence[Shown]) -> Effect:
    """What noticed that some runs are shown otherwise."""
    changed = frozenset[str]().union(*(surfaces(run.was, run.now) for run in runs))
    passing = {run.name for run in runs if _passes_now(run)}
    noticed = tuple(
        _noticed(number, before[measure], after[measure], runs, changed, passing)
        for number, measure in enumerate(COUNTED)
    )
    return Effect(noticed, tuple(_figures(runs)))


def surfaces(was: Run, now: Run) -> Iterator[str]:
    """What of a run is another: its trajectory (made or expected), answer, truth, recorded scores, ask, status."""
    if was.calls != now.calls or _without_truth(was.expected) != _without_truth(now.expected):
        yield TRAJECTORY
    for surface, one, other in (
        (ANSWER, was.answer, now.answer),
        (TRUTH, _truth(was), _truth(now)),
        (SCORES, was.scores, now.scores),
        (ASK, was.input, now.input),
        (STATUS, (was.status, was.error), (now.status, now.error)),
    ):
        if one != other:
            yield surface


def _without_truth(expected: Expected | None) -> tuple[object, ...]:
    own = expected or Expected()
    return own.calls, own.any, own.required_tools, own.forbidden_tools, own.documents


def _truth(run: Run) -> bytes | None:
    answer = run.expected.answer if run.expected is not None else None
    return None if answer is None or isinstance(answer, UnsetType) else bytes(answer)


def _passes_now(run: Shown) -> bool:
    """Whether some measure passes a run that it did not pass before."""
    pairs = zip(run.seen_before.states, run.seen_after.states, strict=True)
    return any(now == _PASS != was for was, now in pairs)


def _figures(runs: Sequence[Shown]) -> Iterator[FigureMoved]:
    for run in runs:
        pairs = zip(SHOWN_FIGURES, run.seen_before.figures, run.seen_after.figures, strict=True)
        yield from (FigureMoved(name, run.name, was, now) for name, was, now in pairs if was != now)


def _noticed(
    number: int, before: Tally, after: Tally, runs: Sequence[Shown], changed: frozenset[str], passing: set[str]
) -> Noticed:
    measure = before.measure
    moves: dict[str, str] = {}
    if after is not before or measure == REDUNDANCY:  # counts that nobody moved are the same value
        moves = {run.name: move for run in runs if (move := _move(measure, number, run))}
    if moves:
        return Noticed(
            measure, before, after, tuple(moves.items()), "; ".join(f"{run}: {move}" for run, move in moves.items())
        )
    if before.total != after.total:
        return Noticed(measure, before, after, (), f"runs came or went: {before.total:,} → {after.total:,}")
    if not changed & _READS[measure]:
        reasons = [_unread(measure, changed)]
    elif measure == REDUNDANCY:
        reasons = [_repeats(run) for run in runs]
    else:
        reasons = _stayed_all(measure, number, runs, passing)
    return Noticed(measure, before, after, (), "did not notice: " + "; ".join(dict.fromkeys(reasons)))


def _move(measure: str, number: int, run: Shown) -> str | None:
    """How one run moved under a measure: its verdict, or the number of its repeats."""
    if measure == REDUNDANCY:
        was, now = run.seen_before.figures[1], run.seen_after.figures[1]
        return None if was == now else f"{_number(was)} → {_number(now)}"
    one, other = run.seen_before.states[number], run.seen_after.states[number]
    return None if one == other else f"{_STATES[one]} → {_STATES[other]}"


def _number(value: float | None) -> str:
    return "n/a" if value is None else f"{value:g}"


def _unread(measure: str, changed: frozenset[str]) -> str:
    if measure in ("output", LEVELS[0]):
        return "the trajectory changed, not the truth" if TRAJECTORY in changed else "the truth is unchanged"
    for surface in (ANSWER, TRUTH):
        if surface in changed:
            return f"the {surface} changed, not the trajectory"
    return "the trajectory is unchanged"


def _stayed_all(measure: str, number: int, runs: Sequence[Shown], passing: set[str]) -> list[str]:
    """Why no verdict moved, each reason with all runs that it holds for."""
    names: dict[str, list[str]] = {}
    for run in runs:
        reason = _stayed(run.seen_after.states[number], run.name in passing)
        names.setdefault(reason, []).append(run.name)
    return [reason.format(run=", ".join(of), compares=COMPARES[measure]) for reason, of in names.items()]


def _stayed(state: int, is_passing_elsewhere: bool) -> str:
    """Why a verdict stayed, with places for the runs and for what the measure compares."""
    if state == _PASS:
        return "it already passed {run}" if is_passing_elsewhere else "it still passes {run}: it compares {compares}"
    return _WORDS_FOR.get(state, "it still fails {run}")


def _repeats(run: Shown) -> str:
    repeats = run.seen_after.figures[1]
    if not repeats:
        return f"{run.name} repeats no call" if repeats == 0 else _WORDS_FOR[State.NOT_KNOWN].format(run=run.name)
    return f"{run.name} repeats as many calls as before"
