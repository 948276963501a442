"""A worker of a Dask cluster does a task: it is asked for one thing after another, so that no answer is without bound.

What an answer holds depends on the task and a number alone. A worker that gave the thing before goes on where it was;
any other begins anew and passes over what was given already.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Mapping
from itertools import islice
from threading import Lock

from msgspec import Struct
from msgspec.structs import replace

from agent_tui.bundles.parts import Part
from agent_tui.errors import Problem
from agent_tui.readers.addresses import learn
from agent_tui.workers.scoring import parts_of
from agent_tui.workers.tasks import CanBeCut, Given, How, Lost, ReadFile, Task
from agent_tui.workers.versions import Versions, versions_here

_HELD = 4
"""Files that a worker may be in the middle of (a count)."""
_one_at_a_time = Lock()  # threads of a worker share one interpreter, and what patterns may cost


class Answer(Struct, frozen=True):
    """The thing with a number that a task gives, None where it gives no more; or versions that do not fit."""

    given: Given | None
    is_last: bool
    worker: str
    other: Versions | None = None


class _Held(Struct):
    """A file in the middle: how it is scored, the number of what comes next, and the rest."""

    how: How
    number: int
    rest: Iterator[Given]


_held: OrderedDict[ReadFile, _Held] = OrderedDict()


def answer(task: Task, how: How, number: int, expected: Versions, known: Mapping[str, str]) -> Answer:
    """What a task gives as its `number`th thing, from 0."""
    from distributed import get_worker  # here, since `--engine` alone needs it

    worker = str(get_worker().address)
    found = versions_here()
    if found != expected:
        return Answer(None, True, worker, found)
    learn(known)
    with _one_at_a_time:
        given = _of_file(task, how, number) if isinstance(task, ReadFile) else next(parts_of(task, how))
    is_last = not isinstance(task, ReadFile) or given is None or isinstance(given, CanBeCut)
    return Answer(_named(given, worker), is_last, worker)


def _of_file(task: ReadFile, how: How, number: int) -> Given | None:
    """The thing with a number: from what is held, else from the start."""
    held = _held.pop(task, None)
    if held is None or held.how != how or held.number != number:
        held = _Held(how, number, islice(parts_of(task, how), number, None))
    given = next(held.rest, None)
    if given is not None:
        held.number += 1
        _held[task] = held
        while len(_held) > _HELD:
            _held.popitem(last=False)
    return given


def _named(given: Given | None, worker: str) -> Given | None:
    """What was given; what could not be read, with the name of the worker that could not."""
    if isinstance(given, Lost):
        return Lost(f"{given.reason} (worker {worker})")
    if isinstance(given, Part) and any(problem.kind == "unreadable" for problem in given.problems):
        return replace(given, problems=[_problem_named(problem, worker) for problem in given.problems])
    return given


def _problem_named(problem: Problem, worker: str) -> Problem:
    return replace(problem, reason=f"{problem.reason} (worker {worker})") if problem.kind == "unreadable" else problem
