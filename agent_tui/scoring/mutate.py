"""The mutation sweep: every run made wrong by machine, one change at a time, and which measure notices.

A measure is asked about a mutant only where it reads what was changed, and has noticed it only where it passed the run
before: where it failed already nothing is left to notice, and where it knew nothing it was not judged.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache, partial
from sys import intern

from msgspec import Struct

from agent_tui.runs import Run, State
from agent_tui.scoring.mutations import (
    ANSWER_MUTATIONS,
    MOST_PLACES,
    MUTATIONS,
    TRAJECTORY_MUTATIONS,
    is_thinned,
    mutants,
)
from agent_tui.scoring.plan import Plan
from agent_tui.scoring.run_score import MEASURES, RunScore, score_run
from agent_tui.scoring.strange_calls import StrangeCalls
from agent_tui.scoring.sweep import FAILING, MISSED, NOT_JUDGED, NOTICED, OF_TRAJECTORY, READ_BY, Sweep


class Subject(Struct, frozen=True):
    """A run to be swept: its row, its name, and the plan that it is scored by."""

    row: int
    name: str
    run: Run
    plan: Plan


def sweeping(subjects: Iterable[Subject], sweep: Sweep) -> Iterator[int]:
    """Sweep some runs more into `sweep`; gives the runs swept so far after each mutant, so that it can be left.

    A run counts when all its mutants are scored.
    """
    strange: dict[int, StrangeCalls] = {}
    plans: list[Plan] = []
    for subject in subjects:
        if id(subject.plan) not in strange:
            plans.append(subject.plan)  # kept, so that no other plan takes its id
            strange[id(subject.plan)] = StrangeCalls(subject.plan)
        found: list[_Found] = []
        for each in _judged(subject, strange[id(subject.plan)], sweep.seed):
            found.append(each)
            yield sweep.runs
        _add(sweep, subject, found)
        yield sweep.runs


_Found = tuple[str, str, bytes]
"""Mutation, place, and the outcomes in the order of the measures."""

_AT = {measure: at for at, measure in enumerate(MEASURES)}
_PASS, _FAIL = int(State.PASS), int(State.FAIL)
_SAYS = frozenset((_PASS, _FAIL))


def _judged(subject: Subject, strange: StrangeCalls, seed: int) -> Iterator[_Found]:
    """The mutants of a run, each scored by the one path and compared with the run as it was."""
    run, plan = subject.run, subject.plan
    before = score_run(run, plan)
    strangers = cache(partial(strange.of, run))
    for mutation in _sense(run, before):
        for mutant in mutants(run, mutation, name=subject.name, seed=seed, strangers=strangers):
            yield mutation, mutant.place, _outcomes(before, score_run(mutant.run, plan), READ_BY[mutation])


def _sense(run: Run, before: RunScore) -> tuple[str, ...]:
    """The mutations that make sense for a run: of what it did and of what it said, where a measure can judge that.

    An errored or unfinished run, one without a trajectory or with nothing expected of it, an answer without a truth:
    nothing there can be noticed.
    """
    if run.status == "error" or not run.is_finished:
        return ()
    chosen: tuple[str, ...] = ()
    if run.calls is not None and any(before.states[_AT[name]] in _SAYS for name in OF_TRAJECTORY if name in _AT):
        chosen += TRAJECTORY_MUTATIONS
    if run.answer and run.answer.strip() and before.states[_AT["output"]] in _SAYS:
        chosen += ANSWER_MUTATIONS
    return chosen


def _outcomes(before: RunScore, after: RunScore, measures: Sequence[str]) -> bytes:
    was, now = before.states, after.states
    return bytes(
        _outcome(was[_AT[measure]], now[_AT[measure]]) if measure in _AT else _rise(before, after)
        for measure in measures
    )


def _outcome(was: int, now: int) -> int:
    if was == _PASS:
        return MISSED if now == _PASS else NOTICED
    return FAILING if was == _FAIL else NOT_JUDGED


def _rise(before: RunScore, after: RunScore) -> int:
    was, now = before.levels.redundancy, after.levels.redundancy
    if was is None or now is None:
        return NOT_JUDGED
    return NOTICED if now > was else MISSED


def _add(sweep: Sweep, subject: Subject, found: Iterable[_Found]) -> None:
    per_mutation = dict.fromkeys(MUTATIONS, 0)
    for mutation, place, outcomes in found:
        sweep.mutants[mutation].append(subject.row, intern(place), outcomes)
        per_mutation[mutation] += 1
    full = [mutation for mutation, count in per_mutation.items() if count == MOST_PLACES]
    sweep.thinned += sum(is_thinned(subject.run, mutation) for mutation in full)
    sweep.runs += 1
