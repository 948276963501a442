"""Edits of whole calls, in whatever shape a record holds them: twice, away, to another place, a new one."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from agent_tui.errors import BadEdit
from agent_tui.readers import loose
from agent_tui.readers.call_places import ACTUAL_STEPS, MESSAGES, CallPlace
from agent_tui.runs.edits import Duplicate, Edit, Insert, Move, Remove, SetValue, creating, value_at
from agent_tui.runs.paths import Path, spell_path

_encode = msgspec.json.Encoder().encode


def duplicate_call(place: CallPlace) -> Edit:
    """The edit that makes a call twice, the second right after the first."""
    return Duplicate(place.item)


def remove_call(place: CallPlace) -> Edit:
    """The edit that takes a call away."""
    return Remove(place.call)


def move_call(record: bytes, places: Sequence[CallPlace], number: int, by: int) -> tuple[Edit, ...]:
    """The edits that move call `number` over `by` of its neighbours. Raises `BadEdit` where there are not as many.

    Within one list the call is moved; between messages or groups the calls change places, each with all that it says.
    """
    place, target = places[number], number + by
    if not 0 <= target < len(places):
        raise BadEdit(f"{spell_path(place.call)} cannot be moved by {by:+d}: it is call {number + 1} of {len(places)}")
    span = places[min(number, target) : max(number, target) + 1]
    if place.holder != MESSAGES and all(each.holder == place.holder for each in span):
        return (Move(place.item, places[target].index - place.index),)
    if len({_shape(each) for each in span}) > 1:
        raise BadEdit(f"{spell_path(place.call)} cannot be moved by {by:+d}: its neighbour has another shape")
    texts = [value_at(record, each.call) or b"null" for each in span]
    texts = [*texts[1:], texts[0]] if by > 0 else [texts[-1], *texts[:-1]]
    return tuple(SetValue(each.call, text) for each, text in zip(span, texts, strict=True))


def _shape(place: CallPlace) -> object:
    """What calls must share to change places: in messages the key that holds them, elsewhere all are alike."""
    return place.call[len(MESSAGES) + 1] if place.call[:1] == MESSAGES else None


def add_call(record: bytes, after: CallPlace | None, base: Path, name: str, args: bytes = b"{}") -> Edit:
    """The edit that adds a call after another one, or, without one, at the end of the list at `base`.

    The new call has the shape of its neighbours; parents that are missing are made.
    """
    if after is None:
        size = len(loose.items(value_at(record, base)))
        call = _new_call(base, name, args)
        if value_at(record, base) in (None, b"null"):
            return creating(record, base, b"[" + call + b"]")
        return Insert((*base, size), call)
    return Insert((*after.holder, after.index + 1), _new_call(after.holder, name, args))


def _new_call(holder: Path, name: str, args: bytes) -> bytes:
    if "tool_calls" in holder:
        return _tool_call(name, args)
    if holder == MESSAGES:
        return b'{"role": "assistant", "content": null, "tool_calls": [' + _tool_call(name, args) + b"]}"
    kind, key = b'"type": "call", ' if holder[:2] == ACTUAL_STEPS else b"", b"args"
    if holder[-1] == "content":
        kind, key = b'"type": "tool_use", ', b"input"
    return b"{" + kind + b'"name": ' + _encode(name) + b', "' + key + b'": ' + args + b"}"


def _tool_call(name: str, args: bytes) -> bytes:
    text = _encode(args.decode())
    return b'{"type": "function", "function": {"name": ' + _encode(name) + b', "arguments": ' + text + b"}}"
