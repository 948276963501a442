"""One run explained: which call met which, what differs, and the first difference in words."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Raw, Struct
from msgspec.structs import replace

from agent_tui.matchers.comparison import Comparison
from agent_tui.matchers.differences import NOT_JSON, ArgDifference, argument_differences, name_remark
from agent_tui.matchers.general import alignment_of, best_pairs, is_fixed, is_too_long
from agent_tui.matchers.match import NO_WRITES, counts, match, trajectory_of
from agent_tui.matchers.redundancy import Trajectory
from agent_tui.matchers.reference import BrokenReference, references
from agent_tui.matchers.result import NO_EXPECTATION, Match
from agent_tui.matchers.rules import NO_RULES, Rules
from agent_tui.matchers.sequences import MOST_CELLS
from agent_tui.matchers.slots import Slot, slots_of
from agent_tui.matchers.tool_lists import broken_promises
from agent_tui.runs import ExpectedCall, Run, State, ToolCall
from agent_tui.runs.json_values import DECODED, UNPARSEABLE, read_args
from agent_tui.safety.patterns import TooSlow

EQUAL, UNLIKE, EXTRA, MISSING = "=", "≠", "+", "−"
_NOT_ALIGNED = (
    f"too many calls to align ({MOST_CELLS:,} pairs at most): between equal starts and ends "
    "what was expected is listed, then what was made"
)
_key = re.compile(rb'"([^"]*)"\s*:').findall
"""The keys of a JSON text without a backslash, of whichever object."""
_TWO_KEYS = 4
"""Quotes that two keys need."""


class Row(Struct, frozen=True, gc=False):
    """A line of the aligned view: a call of each side, or of one."""

    mark: str
    """`=` agree, `≠` same tool and other arguments, `+` made and not expected, `−` expected and not made."""
    expected_index: int | None
    """Number of the expected call, groups opened, from 0."""
    actual_index: int | None
    """Number of the call in the run, from 0."""
    expected: str | None
    """The expected call as text."""
    actual: str | None
    differences: tuple[ArgDifference, ...] = ()


class Explanation(Struct, frozen=True):
    """What stands behind the verdicts of one run."""

    pairs: list[tuple[int, int]] = []
    """(expected, actual) from 0: the one-to-one pairing with the most equal pairs and then the most equal arguments."""
    differences: list[tuple[ArgDifference, ...]] = []
    """For each pair, where its arguments differ."""
    rows: list[Row] = []
    """Both sides in order, aligned."""
    first_difference: str | None = None
    notes: list[str] = []
    """What is to be known beside the verdicts, in fixed words."""
    reference: int = 0
    reference_name: str | None = None
    arguments: tuple[int, int] = (0, 0)
    """Over all pairs: how many arguments agree, of how many."""
    repeats: int = 0
    """Calls equal to an earlier one, less retries."""
    retries: int = 0
    """Calls equal to one that failed since the last different call."""


def explain(run: Run, rules: Rules = NO_RULES, writes: frozenset[str] = NO_WRITES) -> Explanation:
    """The pairing, the alignment, the first difference and the notes of one run."""
    trajectory = trajectory_of(run, rules, writes)
    repeats, retries = len(trajectory.redundancy.repeats), len(trajectory.redundancy.retries)
    promises = broken_promises(run, rules)
    try:
        wanted = references(run.expected)
        if wanted is None or not run.is_finished:
            why = [] if run.is_finished else [f"not finished: {run.status}"]
            notes = [*why, *([NO_EXPECTATION] if wanted is None else []), *call_notes(run), *promises]
            explanation = Explanation(notes=notes)
        else:
            explanation = _explained(run, wanted, match(run, rules, writes), trajectory, rules, promises)
    except (BrokenReference, TooSlow) as error:
        explanation = Explanation(notes=list(dict.fromkeys([str(error), *promises])))
    return replace(explanation, repeats=repeats, retries=retries)


def _explained(
    run: Run,
    wanted: Sequence[Sequence[ExpectedCall]],
    found: Match,
    trajectory: Trajectory,
    rules: Rules,
    promises: list[str],
) -> Explanation:
    """The story of a run by the reference that counts. Raises `BrokenReference` and `TooSlow`."""
    slots = slots_of(wanted[found.reference], rules)
    places = [j for j, call in enumerate(run.calls or ()) if counts(call, rules)]
    story = _Story(Comparison(slots, trajectory.calls, trajectory.names), places)
    pairs = story.pairs()
    return Explanation(
        pairs=[(slots[i].index, places[j]) for i, j in pairs],
        differences=[story.differences(i, j) for i, j in pairs],
        rows=story.rows(),
        first_difference=story.first_difference(found) if found.states[0] == State.FAIL else None,
        notes=[*_notes(run, found, len(wanted), len(places), rules), *call_notes(run), *promises, *story.notes()],
        reference=found.reference,
        reference_name=_reference_name(run, found.reference),
        arguments=story.arguments(pairs),
    )


class _Story:
    """The difference between one reference and one trajectory, told from different sides."""

    def __init__(self, comparison: Comparison, places: Sequence[int]) -> None:
        self._both = comparison
        self._places = places
        self._differences: dict[tuple[int, int], tuple[ArgDifference, ...]] = {}
        self._rows: list[tuple[str, int | None, int | None]] = list(_lines(comparison))

    def pairs(self) -> list[tuple[int, int]]:
        return best_pairs(self._both)

    def arguments(self, pairs: Sequence[tuple[int, int]]) -> tuple[int, int]:
        both = self._both
        figures = [both.rules_of(i).agreement(both.expected_args(i), both.actual_args(j)) for i, j in pairs]
        return sum(agreed for agreed, _ in figures), sum(counted for _, counted in figures)

    def differences(self, i: int, j: int) -> tuple[ArgDifference, ...]:
        found = self._differences.get((i, j))
        if found is None:
            found = self._differences[i, j] = tuple(self._differ(i, j))
        return found

    def _differ(self, i: int, j: int) -> Iterator[ArgDifference]:
        both = self._both
        if not both.fits(i, j):
            yield from argument_differences(both.expected_args(i), both.actual_args(j), both.rules_of(i))

    def rows(self) -> list[Row]:
        return [self._row(mark, i, j) for mark, i, j in self._rows]

    def _row(self, mark: str, i: int | None, j: int | None) -> Row:
        slot = None if i is None else self._both.slots[i]
        call = None if j is None else self._both.calls[j]
        return Row(
            mark,
            None if slot is None else slot.index,
            None if j is None else self._places[j],
            None if slot is None else call_text(slot.name, slot.args) + _how_often(slot),
            None if call is None else call_text(call.name, call.args),
            self.differences(i, j) if i is not None and j is not None else (),
        )

    def first_difference(self, found: Match) -> str | None:
        """The first difference in words; where only the order differs, the first place that is not as expected."""
        if found.cause == "order" and is_fixed(self._both.slots):
            k = next(k for k in range(len(self._both.calls)) if not self._both.fits(k, k))
            return (
                f"{self._unlike(k, k)} (other order)"
                if self._both.names_fit(k, k)
                else f"{self._instead(k, k)} (other order)"
            )
        for at, (mark, i, j) in enumerate(self._rows):
            if mark == UNLIKE and i is not None and j is not None:
                return self._unlike(i, j)
            if mark in (EXTRA, MISSING):
                return self._unaligned(at) if is_too_long(self._both) else self._gap(at)
        return None

    def _gap(self, at: int) -> str:
        """A stretch of calls that stand on one side only: the first of each side, or what is missing or too many."""
        missing: list[int] = []
        extra: list[int] = []
        for mark, i, j in self._rows[at:]:
            if i is not None and mark == MISSING:
                missing.append(i)
            elif j is not None and mark == EXTRA:
                extra.append(j)
            else:
                break
        if missing and extra:
            return self._instead(missing[0], extra[0])
        return self._missing(missing[0]) if missing else self._extra(extra[0])

    def _unaligned(self, at: int) -> str:
        """Where no alignment was looked for: the first place of the reference that is not as expected."""
        both, k = self._both, next((i for _, i, _ in self._rows[at:] if i is not None), None)
        if k is None or k >= len(both.calls) or not is_fixed(both.slots):
            return self._gap(at)
        return self._unlike(k, k) if both.names_fit(k, k) else self._instead(k, k)

    def _unlike(self, i: int, j: int) -> str:
        first = next(iter(self.differences(i, j)), None)
        return f"call {self._places[j] + 1} {self._both.names[j]}: {first}"

    def _instead(self, i: int, j: int) -> str:
        wanted, got = self._both.slots[i].name, self._both.names[j]
        return f"call {self._places[j] + 1}: expected {wanted}, got {got}{name_remark(wanted, got)}"

    def _missing(self, i: int) -> str:
        both, slot = self._both, self._both.slots[i]
        wanted = sum(other.least for other in both.slots if (other.name, other.args) == (slot.name, slot.args))
        made = sum(both.fits(i, j) for j in range(len(both.calls)))
        count = f", {made} of {wanted} made" if wanted > 1 else ""
        return f"call {slot.index + 1} {slot.name}: missing{count}"

    def _extra(self, j: int) -> str:
        both = self._both
        wanted = sum(slot.least for i, slot in enumerate(both.slots) if both.fits(i, j))
        made = sum(both.names[j] == name and _same(both, j, k) for k, name in enumerate(both.names))
        count = f", {made} made of {wanted} expected" if wanted else ""
        return f"call {self._places[j] + 1} {both.names[j]}: not expected{count}"

    def notes(self) -> list[str]:
        """That no alignment was looked for, and each kind of difference once."""
        said = [
            one.note for mark, i, j in self._rows if i is not None and j is not None for one in self.differences(i, j)
        ]
        long = [_NOT_ALIGNED] if is_too_long(self._both) else []
        return long + list(dict.fromkeys(note for note in said if note and note != NOT_JSON))


def _same(both: Comparison, one: int, other: int) -> bool:
    return one == other or both.actual_args(one) == both.actual_args(other)


def _lines(both: Comparison) -> Iterator[tuple[str, int | None, int | None]]:
    """Both sides in order: (mark, slot, call). An optional call that was not made is no line."""
    i = j = 0
    used = 0
    for slot, call in [*alignment_of(both, for_view=True), (len(both.slots), len(both.calls))]:
        while i < slot:
            yield from ((MISSING, i, None) for _ in range(both.slots[i].least - used))
            i, used = i + 1, 0
        while j < call:
            yield EXTRA, None, j
            j += 1
        if slot < len(both.slots):
            yield (EQUAL if both.fits(slot, call) else UNLIKE), slot, call
            used, j = used + 1, call + 1


def call_text(name: str, args: Raw) -> str:
    """A call as one line of text."""
    return f"{name} {bytes(args).decode('utf-8', 'replace')}"


def _how_often(slot: Slot) -> str:
    if slot.least == slot.most == 1:
        return ""
    return " (optional)" if (slot.least, slot.most) == (0, 1) else f" ({slot.least}–{slot.most or ''} times)"


def _reference_name(run: Run, reference: int) -> str | None:
    known = run.expected.any if run.expected is not None else None
    return known[reference].name if known else None


def _notes(run: Run, found: Match, known: int, counted: int, rules: Rules) -> Iterator[str]:
    if known > 1:
        name = _reference_name(run, found.reference)
        yield f"reference {found.reference + 1} of {known} counts" + (f": {name}" if name else "")
    if run.calls is None:
        yield "no trajectory recorded"
        return
    if State.VACUOUS in found.states[:7]:
        yield "no call has to be made: in_order and any_order hold for anything"
    if found.alignment is None and found.states[0] in (State.PASS, State.FAIL):
        yield f"alignment cannot be told: it is looked for in {MOST_CELLS:,} pairs of calls at most"
    left_out = len(run.calls) - counted
    if left_out:
        kinds = [word for word, given in (("ignored", rules.ignore_tools), ("failed", rules.drop_failed)) if given]
        yield f"{left_out} {' or '.join(kinds)} call{'s' * (left_out > 1)} left out"


def call_notes(run: Run) -> Iterator[str]:
    """What is to be known of how arguments were recorded."""
    kinds = [read_args(call.args)[1] for call in run.calls or ()]
    decoded = kinds.count(DECODED)
    if decoded:
        yield f"arguments of {decoded} call{'s' * (decoded > 1)} decoded from text"
    for j, call in enumerate(run.calls or ()):
        yield from _argument_notes(j, call, kinds[j])


def _argument_notes(j: int, call: ToolCall, kind: int) -> Iterator[str]:
    if kind == UNPARSEABLE:
        yield f"call {j + 1} {call.name}: {NOT_JSON}"
    elif _has_key_twice(call.args):
        yield f"call {j + 1} {call.name}: a key stands twice in the arguments, the last counts"


def _has_key_twice(args: Raw) -> bool:
    """Whether an object in a JSON text has two equal keys."""
    text = bytes(args)
    if b"\\" not in text:
        keys = _key(text)
        if len(set(keys)) == len(keys):
            return False
    if text.count(b'"') < (_TWO_KEYS + 2 if text.startswith(b'"') else _TWO_KEYS):
        return False
    twice: list[bool] = []

    def note(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        made = dict(pairs)
        twice.append(len(made) < len(pairs))
        return made

    try:
        value = json.loads(text, object_pairs_hook=note)
        if isinstance(value, str):
            json.loads(value, object_pairs_hook=note)
    except (ValueError, RecursionError):
        return False
    return any(twice)
