"""Another value of the same kind, for an argument that is to be wrong."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Overflow
from random import Random

from agent_tui.answers.numbers import WIDE
from agent_tui.runs import JsonValue, canonical
from agent_tui.runs.json_values import canonical_of

_SUFFIXES = ("x", "-x", " x")
_SURELY_OTHER: tuple[JsonValue, ...] = ("x", "y")


def other_value(value: JsonValue, draw: Random) -> JsonValue:
    """A number + 1 or x 10, text with a suffix, the other bool, "x" for null, a list or an object changed in one place.

    The result never equals `value` as JSON.
    """
    before = canonical(canonical_of(value))
    return next(other for other in _others(value, draw) if _text(other) not in (None, before))


def _others(value: JsonValue, draw: Random) -> Iterator[JsonValue]:
    if value is None:
        yield "x"
    elif isinstance(value, bool):
        yield not value
    elif isinstance(value, str):
        yield value + draw.choice(_SUFFIXES)
    elif isinstance(value, list):
        yield from _other_lists(value, draw)
    elif isinstance(value, dict):
        yield _other_object(value, draw)
    else:
        yield from _other_numbers(value, draw)
    yield from _SURELY_OTHER


def _other_numbers(value: JsonValue, draw: Random) -> Iterator[JsonValue]:
    """A number that rounds back to itself after + 1 is not the same after x 10, and zero the other way round."""
    for change in draw.sample(("more", "tenfold"), 2):
        try:
            if isinstance(value, int | float):
                yield value + 1 if change == "more" else value * 10
            else:
                yield WIDE.add(value, 1) if change == "more" else WIDE.multiply(value, 10)  # type: ignore[arg-type]
        except Overflow:
            continue
    yield from (1, 2)


def _other_lists(value: list[JsonValue], draw: Random) -> Iterator[JsonValue]:
    yield draw.choice((value[:-1], [*value, value[-1]])) if value else ["x"]


def _other_object(value: dict[str, JsonValue], draw: Random) -> JsonValue:
    """The object with one value changed, or taken out where it holds others: nothing is walked to the bottom."""
    if not value:
        return {"x": "x"}
    key = draw.choice(sorted(value))
    inner = value[key]
    if isinstance(inner, list | dict):
        return {name: each for name, each in value.items() if name != key}
    return {**value, key: other_value(inner, draw)}


def _text(value: JsonValue) -> bytes | None:
    """The canonical text of a value; None where it is no JSON that anybody would read again."""
    try:
        return canonical(canonical_of(value))
    except ValueError:
        return None
