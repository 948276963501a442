"""What a line of the trajectory is about, as a place in the run's record; and what is typed there, as a value.

lines = EditedLines(bundle, row)
lines.target(("pair", 1, "args", ("amount",)), EXPECTED).path      expected.calls[1].args.amount
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, TypeAlias

import msgspec
from msgspec import Struct

from agent_tui.bundles import Bundle
from agent_tui.errors import BadEdit
from agent_tui.readers.call_edits import add_call
from agent_tui.readers.call_places import (
    TRUTH,
    CallPlace,
    actual_base,
    actual_places,
    answer_place,
    expected_base,
    expected_places,
)
from agent_tui.runs import Step, parse
from agent_tui.runs.edits import Edit, creating, value_at
from agent_tui.runs.json_values import JsonValue
from agent_tui.runs.paths import Path, parse_path
from agent_tui.tui.present.nodes import Key

EXPECTED, MADE = "expected", "made"
SIDES = (EXPECTED, MADE)
Holds: TypeAlias = Literal["value", "text", "tool"]
"""Any JSON; a text or null, which is none (an answer, an ask); the name of a tool."""
_NOTHING_HERE = "nothing to change on this line: choose an argument, a tool, the truth or the answer"
_encode = msgspec.json.Encoder().encode


class Target(Struct, frozen=True):
    """A place in a record that can be given another value."""

    path: Path
    literal: str
    """The JSON text to begin with: what stands there, or on the other side where nothing does."""
    holds: Holds = "value"
    """What may stand there. What is typed for a text or a tool without quotes is one, even a number."""
    is_new: bool = False
    """Whether nothing stands there yet."""


class EditedLines:
    """The lines of one run's trajectory by the keys of their nodes, as places in the record as it is shown now."""

    def __init__(self, bundle: Bundle, row: int) -> None:
        self.record = bundle.record(row)
        self._steps = bundle.steps(row)
        explanation = bundle.explain(row)
        self._rows = explanation.rows
        self._base = {EXPECTED: expected_base(self.record, explanation.reference), MADE: actual_base(self.record)}
        self.places: dict[str, Sequence[CallPlace]] = {
            EXPECTED: expected_places(self.record, explanation.reference),
            MADE: actual_places(self.record),
        }

    def calls(self, key: Key) -> dict[str, int]:
        """The calls that a line is about, by side: their numbers. Empty where it is about none."""
        found: dict[str, int | None] = {}
        if key[0] == "pair" and isinstance(key[1], int):
            row = self._rows[key[1]]
            found = {EXPECTED: row.expected_index, MADE: row.actual_index}
        elif key[0] == "step" and isinstance(key[1], tuple):
            found = {MADE: self._call_of_step(key[1])}
        return {side: number for side, number in found.items() if number is not None}

    def key_of(self, side: str, number: int) -> Key | None:
        """The line of the alignment that a call stands on."""
        for at, row in enumerate(self._rows):
            if (row.expected_index if side == EXPECTED else row.actual_index) == number:
                return ("pair", at)
        return self.step_of(number) if side == MADE else None

    def step_of(self, number: int) -> Key:
        """The step that a call which was made stands in."""
        paths = self._step_paths()
        return ("step", paths[number]) if number < len(paths) else ("step",)

    def call(self, key: Key, side: str) -> int:
        """The number of the call of a line on one side. Raises `BadEdit` where there is none."""
        calls = self.calls(key)
        if not calls:
            raise BadEdit("this line is about no call: put the cursor on one")
        if side not in calls:
            missing = "no call is expected" if side == EXPECTED else "no call was made"
            raise BadEdit(f"{missing} on this line: a adds one, H takes the other side")
        return calls[side]

    def target(self, key: Key, side: str) -> Target:
        """What can be changed on a line. Raises `BadEdit` where nothing can."""
        whole = {"answer": answer_place(self.record), "truth": TRUTH, "why": TRUTH, "input": ("input",)}
        name = key[0]
        if isinstance(name, str) and name in whole:
            path = whole[name]
            return self._target(path, '""', "value" if path == TRUTH else "text")
        number, inside = self.call(key, side), key[2:]
        place = self.places[side][number]
        if not inside:
            return self._target(place.name, '""', "tool")
        if inside[0] != "args":
            raise BadEdit("what a tool gave back is not compared: " + _NOTHING_HERE)
        parts = _inner_path(inside[1:])
        return self._target((*place.args, *parts), self._other_literal(key, side, parts) or "null")

    def _target(self, path: Path, otherwise: str, holds: Holds = "value") -> Target:
        stands = self._literal(path)
        return Target(path, stands or otherwise, holds, is_new=not stands)

    def setting(self, target: Target, value: bytes) -> Edit:
        """The edit that puts a value at a target."""
        return creating(self.record, target.path, value)

    def adding(self, key: Key, side: str, name: str, args: bytes) -> Edit:
        """The edit that adds a call on a side: after the line's, or at the end where the line is about none there."""
        places, number = self.places[side], self.calls(key).get(side)
        after = places[number] if number is not None else places[-1] if places else None
        return add_call(self.record, after, self._base[side], name, args)

    def _literal(self, path: Path) -> str:
        text = value_at(self.record, path)
        return "" if text is None else _in_one_line(text)

    def _other_literal(self, key: Key, side: str, parts: Path) -> str:
        other = MADE if side == EXPECTED else EXPECTED
        number = self.calls(key).get(other)
        return "" if number is None else self._literal((*self.places[other][number].args, *parts))

    def _call_of_step(self, path: tuple[int, ...]) -> int | None:
        paths = self._step_paths()
        return next((paths.index(path[:size]) for size in (1, 2) if path[:size] in paths), None)

    def _step_paths(self) -> list[tuple[int, ...]]:
        """Where in the steps the calls stand that are compared; none where these are recorded apart from the steps."""
        paths = list(_calls_in(self._steps))
        return paths if len(paths) == len(self.places[MADE]) else []


def _calls_in(steps: Sequence[Step]) -> Iterator[tuple[int, ...]]:
    """The calls of the agent itself, those in parallel groups included."""
    for index, step in enumerate(steps):
        if step.type == "call":
            yield (index,)
        elif step.type == "parallel":
            yield from ((index, inner) for inner, each in enumerate(step.steps or ()) if each.type == "call")


def _inner_path(inside: Key) -> Path:
    """The path within the arguments that the rest of a key spells: a path, a name, or a piece of the whole."""
    first = inside[0] if inside else None
    if isinstance(first, tuple):
        return tuple(part for part in first if isinstance(part, str | int))
    return (first,) if isinstance(first, str) and first != "rest" else ()


def argument_path(path: str, left: JsonValue, right: JsonValue) -> Path:
    """The parts of a path as differences spell it; a name of an argument may hold dots itself."""
    names = [name for side in (left, right) if isinstance(side, dict) for name in side]
    for name in sorted(names, key=len, reverse=True):
        rest = path[len(name) :]
        if path.startswith(name) and rest[:1] in ("", ".", "["):
            try:
                return (name, *parse_path(rest)) if rest else (name,)
            except ValueError:
                return (name,)
    return ()


# What is typed


class Typed(Struct, frozen=True):
    """What a typed text means: its JSON text and what it is in words; or what is wrong with it."""

    value: bytes | None
    said: str = ""
    wrong: str = ""


def typed(text: str, holds: Holds = "value") -> Typed:
    """The value that is typed: JSON, or a text where it cannot be meant as JSON."""
    text = text.strip().encode("utf-8", "replace").decode()
    if holds == "tool" and text in ("", "null", '""'):
        return Typed(None, wrong="a call needs the name of a tool: x takes the call out")
    if not text:
        return Typed(None, wrong='nothing is typed: "" is the empty text, null is no value')
    try:
        value = parse(text)
    except ValueError as error:
        if text[0] in '{["':
            return Typed(None, wrong=f"not JSON: {_reason(error)}")
        return _as_text(text)
    if holds != "value" and not isinstance(value, str | None):
        return _as_text(text)
    return Typed(text.encode(), kind_of(value))


def typed_call(text: str) -> tuple[str, bytes]:
    """Tool and arguments of `tool {json args}`. Raises `BadEdit`."""
    name, _, rest = text.strip().partition(" ")
    if not name or name.startswith(("{", "[", '"')):
        raise BadEdit('write the tool, then its arguments: refund {"id": "BK-9001"}')
    rest = rest.strip() or "{}"
    try:
        value = parse(rest)
    except ValueError as error:
        raise BadEdit(f"the arguments are not JSON: {_reason(error)}") from error
    if not isinstance(value, dict):
        raise BadEdit(f'the arguments are {kind_of(value)}, but an object is needed: {{"id": "BK-9001"}}')
    return name, rest.encode("utf-8", "replace")


def kind_of(value: JsonValue) -> str:
    """What a value is, in words."""
    if value is None or isinstance(value, bool):
        return "null: no value" if value is None else f"{str(value).lower()}: yes or no"
    if isinstance(value, str):
        return f"a text of {len(value):,} characters"
    if isinstance(value, list | dict):
        return f"a list of {len(value):,}" if isinstance(value, list) else f"an object with {len(value):,} keys"
    return "a number"


def _as_text(text: str) -> Typed:
    value = _encode(text)
    return Typed(value, f"taken as a text: {value.decode()}")


def _reason(error: ValueError) -> str:
    reason = str(error).removeprefix("JSON is malformed: ")
    return "it breaks off" if reason == "Input data was truncated" else reason


def _in_one_line(text: bytes) -> str:
    try:
        return msgspec.json.format(text, indent=0).decode()
    except (msgspec.DecodeError, UnicodeDecodeError):
        return text.decode("utf-8", "replace")
