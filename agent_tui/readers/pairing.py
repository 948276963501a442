"""Which result belongs to which call.

A result goes to a call with its id: in the latest message that made calls, else in an earlier one; without an id, to
the first open call without one. What finds no partner stays where it is, and is said.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Container, Iterable

from msgspec import UnsetType, structs

from agent_tui.runs import Step

NO_RESULT = "no result"
NO_CALL = "result without a call"
TWICE = "id used twice"

_Place = tuple[int, int | None]


class _Open:
    """Calls that wait for a result, in batches: the latest batch is served first, in its order."""

    def __init__(self) -> None:
        self._batches: list[tuple[int, deque[_Place]]] = []

    def add(self, batch: int, place: _Place) -> None:
        if not self._batches or self._batches[-1][0] != batch:
            self._batches.append((batch, deque()))
        self._batches[-1][1].append(place)

    def take(self, taken: Container[_Place]) -> _Place | None:
        """The next call that is not in `taken`."""
        while self._batches:
            waiting = self._batches[-1][1]
            while waiting:
                place = waiting.popleft()
                if place not in taken:
                    return place
            self._batches.pop()
        return None


class _Calls:
    """The calls seen so far. A batch is calls with nothing but calls between them."""

    def __init__(self) -> None:
        self.calls: dict[_Place, Step] = {}
        self.results: dict[_Place, Step] = {}
        self._first: dict[str, tuple[int, _Place]] = {}
        """The first call of each id, with its batch: most ids have no other."""
        self._by_id: dict[str, _Open] = defaultdict(_Open)
        """The calls of an id that has several."""
        self._by_name: dict[str | None, _Open] = defaultdict(_Open)
        self._without_id = _Open()

    def add(self, batch: int, index: int, step: Step) -> None:
        """Adds the calls of one step."""
        inner = step.steps or () if step.type == "parallel" else (step,)
        for position, call in enumerate(inner):
            if call.type == "call":
                place = (index, position if step.type == "parallel" else None)
                self.calls[place] = call
                if isinstance(call.result, UnsetType):
                    self._wait(batch, place, call)

    def _wait(self, batch: int, place: _Place, call: Step) -> None:
        if call.id is not None:
            self._wait_by_id(str(call.id), batch, place)
            return
        self._by_name[call.name].add(batch, place)
        self._without_id.add(batch, place)

    def _wait_by_id(self, name: str, batch: int, place: _Place) -> None:
        first = self._first.setdefault(name, (batch, place))
        if first[1] is not place:
            if name not in self._by_id:
                self._by_id[name].add(*first)
            self._by_id[name].add(batch, place)

    def _take_by_id(self, name: str) -> _Place | None:
        if name in self._by_id:
            return self._by_id[name].take(self.results)
        _, place = self._first.get(name, (0, None))
        return None if place in self.results else place

    def claim(self, result: Step) -> _Place | None:
        """The call a result belongs to."""
        place: _Place | None = None
        if result.call_id is not None:
            place = self._take_by_id(str(result.call_id))
        if place is None and result.name is not None and result.name in self._by_name:
            place = self._by_name[result.name].take(self.results)
        return place if place is not None else self._without_id.take(self.results)


def pair(steps: Iterable[Step], *, say_missing: bool = False) -> list[Step]:
    """The steps with each result moved into its call.

    A call without a result is noted if `say_missing`, or if the record has results as steps at all.
    """
    steps = list(steps)
    nested = [_nested(step) for step in steps]
    calls = _Calls()
    unclaimed: set[int] = set()
    claimed: set[int] = set()
    batch = 0
    for index, step in enumerate(nested):
        if step.type in {"call", "parallel"}:
            calls.add(batch, index, step)
            continue
        batch = index + 1
        if step.type == "result":
            place = calls.claim(step)
            (unclaimed if place is None else claimed).add(index)
            if place is not None:
                calls.results[place] = step
    say_missing = say_missing or bool(claimed or unclaimed)
    twice = _used_twice(calls)
    return [
        _finished(index, step, calls, twice, say_missing) if index not in unclaimed else _alone(step)
        for index, step in enumerate(nested)
        if index not in claimed
    ]


def _nested(step: Step) -> Step:
    if step.type == "parallel" or not step.steps:
        return step
    return structs.replace(step, steps=pair(step.steps))


def _used_twice(calls: _Calls) -> frozenset[str]:
    seen: set[str] = set()
    twice: set[str] = set()
    for call in calls.calls.values():
        if call.id is not None:
            (twice if str(call.id) in seen else seen).add(str(call.id))
    return frozenset(twice)


def _alone(step: Step) -> Step:
    return structs.replace(step, note=_joined(step.note, NO_CALL))


def _finished(index: int, step: Step, calls: _Calls, twice: frozenset[str], say_missing: bool) -> Step:
    if step.type == "call":
        return _answered(step, calls.results.get((index, None)), twice, say_missing)
    if step.type != "parallel":
        return step
    inner = [
        _answered(call, calls.results.get((index, position)), twice, say_missing) if call.type == "call" else call
        for position, call in enumerate(step.steps or ())
    ]
    return structs.replace(step, steps=inner)


def _answered(call: Step, result: Step | None, twice: frozenset[str], say_missing: bool) -> Step:
    note = _joined(call.note, TWICE) if call.id is not None and str(call.id) in twice else call.note
    if result is not None:
        return structs.replace(
            call,
            result=result.result,
            error=result.error if not isinstance(result.error, UnsetType) else call.error,
            documents=result.documents if result.documents is not None else call.documents,
            note=note,
        )
    if say_missing and isinstance(call.result, UnsetType) and isinstance(call.error, UnsetType):
        note = _joined(note, NO_RESULT)
    return structs.replace(call, note=note) if note != call.note else call


def _joined(note: str | None, more: str) -> str:
    return more if not note else f"{note}; {more}" if more not in note else note
