"""Changes of a record: a value set, an item put in, taken out or moved; everything else keeps its source text.

An edit is a small value. `apply` gives the new record and what was done, `inverse` the edit that takes it back. A path
goes through JSON text inside a string (`…function.arguments.amount`): the text is changed and written back as a string.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TypeAlias

from msgspec import Struct

from agent_tui.errors import BadEdit
from agent_tui.runs.json_spans import NotAContainer, Span, find, is_list, span_of, spans_of, strict_text
from agent_tui.runs.json_values import parse
from agent_tui.runs.paths import Part, Path, spell_path

_DEEPEST = 200
"""Parts of the longest path into a record."""


class SetValue(Struct, frozen=True, gc=False):
    """Put a value (JSON text) at a path; all of the path must exist, but the last key of an object may be new."""

    path: Path
    value: bytes


class Insert(Struct, frozen=True, gc=False):
    """Put an item (JSON text) into a list, so that it then stands at `path`; the path ends in its position."""

    path: Path
    value: bytes


class Remove(Struct, frozen=True, gc=False):
    """Take an item out of a list or a key out of an object."""

    path: Path


class Move(Struct, frozen=True, gc=False):
    """Move an item within its list: by -1 it changes places with the one before."""

    path: Path
    by: int


class Duplicate(Struct, frozen=True, gc=False):
    """Put an item of a list in a second time, right after itself; what is done then is an `Insert`."""

    path: Path


Edit: TypeAlias = SetValue | Insert | Remove | Move | Duplicate


class Done(Struct, frozen=True, gc=False):
    """An edit that was made, with the JSON text that stood at its path before and that stands there now.

    `before` is None where nothing stood there, `after` where nothing does. Of a move both are the item moved.
    """

    edit: Edit
    before: bytes | None
    after: bytes | None


def apply(record: bytes, edit: Edit) -> tuple[bytes, Done]:
    """The record with the edit made, and what was done. Raises `BadEdit` saying what is wrong and what exists."""
    if not edit.path:
        raise BadEdit("an edit needs a path into the run; write it as expected.calls[1].args.amount")
    if len(edit.path) > _DEEPEST:
        raise BadEdit(f"the path has {len(edit.path):,} parts: nothing is changed below {_DEEPEST}")
    if isinstance(edit, SetValue | Insert):
        _require_json(edit)
    done: list[Done] = []
    return _at_end(record, edit.path, (), lambda text, here: _change(text, here, edit, done)), done[0]


def inverse(done: Done) -> Edit:
    """The edit that takes another back."""
    edit, path = done.edit, done.edit.path
    place = path[-1]
    if isinstance(edit, Move) and isinstance(place, int):
        return Move((*path[:-1], place + edit.by), -edit.by)
    if done.before is None:
        return Remove(path)
    if isinstance(edit, Remove) and isinstance(place, int):
        return Insert(path, done.before)
    return SetValue(path, done.before)


def value_at(record: bytes, path: Path) -> bytes | None:
    """The JSON text at a path; None where nothing stands there."""
    text = record
    for part in path:
        text = _inner_text(text)
        try:
            found = span_of(text, part)
        except NotAContainer:
            return None
        if found is None:
            return None
        text = text[found[0] : found[1]]
    return text


def creating(record: bytes, path: Path, value: bytes) -> SetValue:
    """The edit that puts a value at a path of keys, with the objects on the way that are missing or null.

    `expected.answer` of a run without `expected` sets `expected` to `{"answer": …}`.
    """
    for depth in range(1, len(path)):
        if value_at(record, path[:depth]) in (None, b"null"):
            for key in reversed(path[depth:]):
                value = json.dumps({str(key): 0}).encode()[:-2] + value + b"}"
            return SetValue(path[:depth], value)
    return SetValue(path, value)


def _require_json(edit: SetValue | Insert) -> None:
    try:
        parse(strict_text(edit.value)[0])
    except ValueError as error:
        raise BadEdit(f"the value for {spell_path(edit.path)} is not JSON: {error}") from error


def _at_end(text: bytes, path: Path, done: Path, change: Callable[[bytes, Path], bytes]) -> bytes:
    """`text` with the container that the last part of `path` is about changed."""
    inner = _inner_text(text)
    if inner is not text:
        return _as_string(_at_end(inner, path, done, change), text)
    if len(path) == 1:
        return change(text, done)
    here = (*done, path[0])
    found = _reached(text, path[0], done)
    if found is None:
        raise BadEdit(f"{spell_path(here)} is not there; {_choices(_open(text, path[0], done))}")
    start, end = found
    return text[:start] + _at_end(text[start:end], path[1:], here, change) + text[end:]


def _reached(text: bytes, part: Part, done: Path) -> tuple[int, int] | None:
    try:
        return span_of(text, part)
    except NotAContainer as error:
        raise _no_container(text, done, error) from error


def _change(text: bytes, here: Path, edit: Edit, done: list[Done]) -> bytes:
    """The text of a container with one of its parts changed; what was done goes to `done`."""
    path, part = edit.path, edit.path[-1]
    spans = _open(text, part, here)
    if isinstance(edit, Insert):
        if not isinstance(part, int):
            raise BadEdit(f"{spell_path(path[:-1])} is not a list: nothing can be put in between")
        done.append(Done(edit, None, edit.value))
        return _put_in(text, spans, part, edit)
    found = find(spans, part)
    before = None if found is None else text[found.value : found.end]
    if isinstance(edit, SetValue) and (before is not None or isinstance(part, str)):
        done.append(Done(edit, before, edit.value))
        return _set(text, spans, found, edit)
    if before is None:
        raise BadEdit(f"{spell_path(path)} is not there; {_choices(spans)}")
    if isinstance(edit, Remove):
        done.append(Done(edit, before, None))
        return _without(text, spans, part)
    if not isinstance(part, int):
        raise BadEdit(f"{spell_path(path)} is not in a list: it can be neither moved nor put in twice")
    if isinstance(edit, Duplicate):
        copy = Insert((*path[:-1], part + 1), before)
        done.append(Done(copy, None, before))
        return _put_in(text, spans, part + 1, copy)
    assert isinstance(edit, Move)
    done.append(Done(edit, before, before))
    return _moved(text, spans, part, edit)


def _set(text: bytes, spans: list[Span], found: Span | None, edit: SetValue) -> bytes:
    if found is not None:
        return text[: found.value] + edit.value + text[found.end :]
    key = json.dumps(edit.path[-1], ensure_ascii=text.isascii()).encode()
    return _put(text, spans, len(spans), key, edit.value)


def _put_in(text: bytes, spans: list[Span], place: int, edit: Insert) -> bytes:
    if place > len(spans):
        raise BadEdit(f"{spell_path(edit.path)} cannot be put in: {_choices(spans)}")
    return _put(text, spans, place, None, edit.value)


def _put(text: bytes, spans: list[Span], place: int, key: bytes | None, value: bytes) -> bytes:
    """A new part at a place, spaced as its neighbour is."""
    if not spans:
        opening = text.index(b"[" if key is None else b"{") + 1
        return text[:opening] + (value if key is None else key + b": " + value) + text[opening:]
    near = spans[min(place, len(spans) - 1)]
    colon = b"" if key is None else text[near.start : near.value]
    new = value if key is None else key + (b": " if colon.endswith(b" ") else b":") + value
    gap = _gap(text, spans)
    if place < len(spans):
        return text[: near.start] + new + b"," + gap + text[near.start :]
    return text[: near.end] + b"," + gap + new + text[near.end :]


def _gap(text: bytes, spans: list[Span]) -> bytes:
    """The white space that stands between parts; before the only one, where it has a line of its own."""
    end = spans[min(1, len(spans) - 1)].start
    start = end
    while text[start - 1 : start].isspace():
        start -= 1
    gap = text[start:end]
    return gap if len(spans) > 1 or b"\n" in gap else b" " if b": " in text else b""


def _without(text: bytes, spans: list[Span], part: Part) -> bytes:
    """The text without a part and its comma; of a key that stands twice nothing is left."""
    places = [part] if isinstance(part, int) else [i for i, span in enumerate(spans) if span.key == part]
    for place in reversed(places):
        first = spans[place]
        if place:
            text = text[: spans[place - 1].end] + text[first.end :]
            continue
        kept = next((i for i in range(1, len(spans)) if i not in places), None)
        comma = 0 if kept is None else spans[kept].start - spans[kept - 1].end
        text = text[: first.start] + text[first.end + comma :]
    return text


def _moved(text: bytes, spans: list[Span], place: int, edit: Move) -> bytes:
    """The items in their new order in the old places, so that what stands between them stays."""
    target = place + edit.by
    if not 0 <= target < len(spans):
        raise BadEdit(f"{spell_path(edit.path)} cannot be moved by {edit.by:+d}: {_choices(spans)}")
    order = list(spans)
    order.insert(target, order.pop(place))
    pieces, end = [], 0
    for old, new in zip(spans, order, strict=True):
        pieces += [text[end : old.value], text[new.value : new.end]]
        end = old.end
    return b"".join([*pieces, text[end:]])


def _inner_text(text: bytes) -> bytes:
    """The JSON text inside a string; `text` itself where it is no string. Raises `BadEdit` where it holds none."""
    if text.lstrip()[:1] != b'"':
        return text
    try:
        inner = parse(text)
        assert isinstance(inner, str)
        encoded = inner.encode()
    except ValueError:
        return text
    return encoded


def _as_string(inner: bytes, source: bytes) -> bytes:
    """JSON text as a string again, with escapes for what is not ASCII where the source had them."""
    return json.dumps(inner.decode(), ensure_ascii=source.isascii()).encode()


def _open(text: bytes, part: Part, here: Path) -> list[Span]:
    """The parts of a container that `part` fits. Raises `BadEdit` where it does not."""
    try:
        has_items = is_list(text)
        spans = spans_of(text)
    except NotAContainer as error:
        raise _no_container(text, here, error) from error
    if isinstance(part, int) != has_items:
        kind, want = ("a list", "a number in [ ]") if has_items else ("an object", "a key")
        raise BadEdit(f"{_spelt(here)} is {kind}: the next part must be {want}, not {part!r}")
    return spans


def _no_container(text: bytes, here: Path, error: NotAContainer) -> BadEdit:
    return BadEdit(f"{_spelt(here)} is {error}: {text[:40].decode(errors='replace')}")


def _spelt(path: Path) -> str:
    return spell_path(path) or "the run"


def _choices(spans: list[Span]) -> str:
    """What there is, in words: keys, or how many items."""
    keys = sorted({span.key for span in spans if span.key is not None})
    return "there are " + ", ".join(keys[:20]) if keys else f"there are {len(spans)} items"
