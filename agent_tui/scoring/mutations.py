"""Runs made wrong by machine: one change of the actual trajectory or of the answer at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from random import Random
from typing import NamedTuple

from msgspec import UNSET, Raw, Struct, UnsetType
from msgspec.structs import replace

from agent_tui.runs import JsonValue, Run, ToolCall, canonical_args
from agent_tui.runs.json_values import args_value, canonical_of
from agent_tui.runs.paths import Path, spell_path
from agent_tui.scoring.changed_answers import denied, numbers_of, with_other_number
from agent_tui.scoring.other_values import other_value

MOST_PLACES = 256
"""At more places of one run a mutation is not made: as many of them are drawn (a count)."""

_FAILURE = Raw(b'"the call failed"')

Draw = Callable[[], Random]
Strange = Callable[[], Sequence[ToolCall]]
"""Gives calls that the run has no use for."""


class Mutant(Struct, frozen=True):
    """A run with one change, and where in the run it was made."""

    mutation: str
    place: str
    run: Run


def mutants(run: Run, mutation: str, *, name: str, seed: int, strangers: Strange) -> Iterator[Mutant]:
    """Every mutant of one mutation, in the order of the run, drawn by seed, run name, mutation and place only."""
    kind = _KINDS[mutation]
    for place in _thinned(kind.places(run), f"{seed}:{name}:{mutation}"):
        spelt = spell_path(place)
        draw = partial(Random, f"{seed}:{name}:{mutation}:{spelt}")
        yield Mutant(mutation, spelt, kind.make(run, place, draw, strangers))


def is_thinned(run: Run, mutation: str) -> bool:
    """Whether a run has more places for a mutation than are used."""
    return len(_KINDS[mutation].places(run)) > MOST_PLACES


def _thinned(places: Sequence[Path], key: str) -> Sequence[Path]:
    if len(places) <= MOST_PLACES:
        return places
    return [places[at] for at in sorted(Random(key).sample(range(len(places)), MOST_PLACES))]


# Places


def _calls(run: Run) -> list[Path]:
    return [("calls", at) for at in range(len(run.calls or ()))]


def _anywhere(run: Run) -> list[Path]:
    return [("calls",)]


def _arguments(run: Run) -> list[Path]:
    """The arguments of each call; what is no object is one argument, and null is none."""
    places: list[Path] = []
    for at, call in enumerate(run.calls or ()):
        args = args_value(call.args)
        if isinstance(args, dict):
            places += [("calls", at, "args", key) for key in args]
        elif args is not None:
            places.append(("calls", at, "args"))
    return places


def _unequal_neighbours(run: Run) -> list[Path]:
    calls = run.calls or []
    return [("calls", at) for at in range(len(calls) - 1) if not _equal(calls[at], calls[at + 1])]


def _equal(one: ToolCall, other: ToolCall) -> bool:
    return one.name == other.name and canonical_args(one.args)[0] == canonical_args(other.args)[0]


def _answer(run: Run) -> list[Path]:
    return [("answer",)]


def _numbers(run: Run) -> list[Path]:
    return [("answer", at) for at, _ in numbers_of(run.answer or "")]


# Changes


def _with_calls(run: Run, at: int, removed: int, *added: ToolCall) -> Run:
    calls = list(run.calls or ())
    calls[at : at + removed] = added
    return replace(run, calls=calls)


def _call(run: Run, place: Path) -> tuple[int, ToolCall]:
    at = place[1]
    assert isinstance(at, int)
    return at, (run.calls or [])[at]


def _wrong_argument(run: Run, place: Path, draw: Draw, strangers: Strange) -> Run:
    at, call = _call(run, place)
    args = args_value(call.args)
    if isinstance(args, dict):
        key = str(place[3])
        wrong: JsonValue = {**args, key: other_value(args[key], draw())}
    else:
        wrong = other_value(args, draw())
    return _with_calls(run, at, 1, replace(call, args=Raw(canonical_of(wrong))))


def _dropped_call(run: Run, place: Path, draw: Draw, strangers: Strange) -> Run:
    return _with_calls(run, _call(run, place)[0], 1)


def _duplicated_call(run: Run, place: Path, draw: Draw, strangers: Strange) -> Run:
    at, call = _call(run, place)
    return _with_calls(run, at, 1, call, call)


def _extra_call(run: Run, place: Path, draw: Draw, strangers: Strange) -> Run:
    drawn = draw()
    return _with_calls(run, drawn.randint(0, len(run.calls or ())), 0, drawn.choice(strangers()))


def _swapped_calls(run: Run, place: Path, draw: Draw, strangers: Strange) -> Run:
    """Each call is made where the other was, also among the calls that were issued together."""
    at, first = _call(run, place)
    second = _call(run, ("calls", at + 1))[1]
    return _with_calls(run, at, 2, replace(second, group=first.group), replace(first, group=second.group))


def _wrong_tool(run: Run, place: Path, draw: Draw, strangers: Strange) -> Run:
    at, call = _call(run, place)
    return _with_calls(run, at, 1, replace(call, name=draw().choice(strangers()).name))


def _retried_call(run: Run, place: Path, draw: Draw, strangers: Strange) -> Run:
    """The call fails first, and is then made as it was made."""
    at, call = _call(run, place)
    return _with_calls(run, at, 1, replace(call, error=_FAILURE, result=UNSET, documents=None), call)


def _changed_number(run: Run, place: Path, draw: Draw, strangers: Strange) -> Run:
    at = place[1]
    assert isinstance(at, int)
    return replace(run, answer=with_other_number(run.answer or "", at, draw()))


def _negated_answer(run: Run, place: Path, draw: Draw, strangers: Strange) -> Run:
    truth = UNSET if run.expected is None else run.expected.answer
    return replace(run, answer=denied(run.answer or "", Raw(b"null") if isinstance(truth, UnsetType) else truth))


class _Kind(NamedTuple):
    """Where a mutation can be made in a run, and how it is made at one of these places."""

    places: Callable[[Run], Sequence[Path]]
    make: Callable[[Run, Path, Draw, Strange], Run]


_OF_TRAJECTORY = {
    "wrong_argument": _Kind(_arguments, _wrong_argument),
    "dropped_call": _Kind(_calls, _dropped_call),
    "duplicated_call": _Kind(_calls, _duplicated_call),
    "extra_call": _Kind(_anywhere, _extra_call),
    "swapped_calls": _Kind(_unequal_neighbours, _swapped_calls),
    "wrong_tool": _Kind(_calls, _wrong_tool),
    "retried_call": _Kind(_calls, _retried_call),
}
_OF_ANSWER = {
    "changed_number": _Kind(_numbers, _changed_number),
    "negated_answer": _Kind(_answer, _negated_answer),
}
_KINDS = _OF_TRAJECTORY | _OF_ANSWER
TRAJECTORY_MUTATIONS, ANSWER_MUTATIONS = tuple(_OF_TRAJECTORY), tuple(_OF_ANSWER)
MUTATIONS = (*TRAJECTORY_MUTATIONS, *ANSWER_MUTATIONS)
"""The mutations by name, in the order in which they are shown."""
