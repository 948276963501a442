"""Changes of a record: a value set, an item put in, taken out or moved; everything else keeps its source text.

An edit is a small value. `apply` gives the new record and what was done, `inverse` the edit that takes it back. A path
goes through JSON text inside a string (`…function.arguments.amount`): the text is changed and written back as a string.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import TypeAlias

from msgspec import Struct

from agent_tui.errors import BadEdit
from agent_tui.runs.json_spans import NotAContainer, Span, spans_of
from agent_tui.runs.json_values import parse
from agent_tui.runs.paths import Part, Path, spell_path


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
    if isinstance(edit, Duplicate):
        edit = _copy(record, edit.path)
    if isinstance(edit, SetValue | Insert):
        _require_json(edit)
    seen: list[bytes | None] = []
    changed = _at_end(record, edit.path, (), lambda text, here: _change(text, here, edit, seen))
    after = edit.value if isinstance(edit, SetValue | Insert) else seen[0] if isinstance(edit, Move) else None
    return changed, Done(edit, seen[0], after)


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
        try:
            text = _inner_text(text)
            is_list, spans = spans_of(text)
        except (NotAContainer, BadEdit):
            return None
        found = _find(spans, part, is_list)
        if found is None:
            return None
        text = text[found.value : found.end]
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


def _copy(record: bytes, path: Path) -> Insert:
    place, text = path[-1], value_at(record, path)
    if text is None or not isinstance(place, int):
        what = "is not there" if text is None else "is not in a list: it cannot be there twice"
        raise BadEdit(f"{spell_path(path)} {what}")
    return Insert((*path[:-1], place + 1), text)


def _require_json(edit: SetValue | Insert) -> None:
    try:
        parse(_NOT_FINITE.sub(lambda found: found[1] or b"null", edit.value))
    except ValueError as error:
        raise BadEdit(f"the value for {spell_path(edit.path)} is not JSON: {error}") from error


_NOT_FINITE = re.compile(rb'("[^"\\]*(?:\\.[^"\\]*)*")|-?Infinity|NaN', re.DOTALL)
"""What a record may hold beside JSON, in scores and usage; outside of strings."""


def _at_end(text: bytes, path: Path, done: Path, change: Callable[[bytes, Path], bytes]) -> bytes:
    """`text` with the container that the last part of `path` is about changed."""
    inner = _inner_text(text)
    if inner is not text:
        return _as_string(_at_end(inner, path, done, change), text)
    if len(path) == 1:
        return change(text, done)
    is_list, spans = _open(text, path[0], done)
    here = (*done, path[0])
    found = _find(spans, path[0], is_list)
    if found is None:
        raise BadEdit(f"{spell_path(here)} is not there; {_choices(spans, is_list)}")
    changed = _at_end(text[found.value : found.end], path[1:], here, change)
    return text[: found.value] + changed + text[found.end :]


def _change(text: bytes, done: Path, edit: Edit, seen: list[bytes | None]) -> bytes:
    """The text of a container with one of its parts changed; what stood there goes to `seen`."""
    part = edit.path[-1]
    is_list, spans = _open(text, part, done)
    found = _find(spans, part, is_list)
    if isinstance(edit, Insert):
        seen.append(None)
        return _inserted(text, spans, part, edit, is_list)
    seen.append(None if found is None else text[found.value : found.end])
    if found is None:
        if isinstance(edit, SetValue) and isinstance(part, str):
            return _put(text, spans, len(spans), json.dumps(part, ensure_ascii=text.isascii()).encode(), edit.value)
        raise BadEdit(f"{spell_path(edit.path)} is not there; {_choices(spans, is_list)}")
    if isinstance(edit, SetValue):
        return text[: found.value] + edit.value + text[found.end :]
    if isinstance(edit, Remove):
        return _without(text, spans, part)
    assert isinstance(edit, Move)
    return _moved(text, spans, edit, is_list)


def _inserted(text: bytes, spans: list[Span], part: Part, edit: Insert, is_list: bool) -> bytes:
    if not is_list or not isinstance(part, int):
        raise BadEdit(f"{spell_path(edit.path[:-1])} is not a list: nothing can be put in between")
    if part > len(spans):
        raise BadEdit(f"{spell_path(edit.path)}: {_choices(spans, is_list)}")
    return _put(text, spans, part, None, edit.value)


def _put(text: bytes, spans: list[Span], place: int, key: bytes | None, value: bytes) -> bytes:
    """A new part at a place, spaced as its neighbour is."""
    if not spans:
        opening = text.index(b"[" if key is None else b"{") + 1
        return text[:opening] + (value if key is None else key + b": " + value) + text[opening:]
    near = spans[min(place, len(spans) - 1)]
    colon = b"" if key is None else text[near.start : near.value]
    new = value if key is None else key + (b": " if colon.endswith(b" ") else b":") + value
    gap = text[_gap_start(text, near.start) : near.start]
    if place < len(spans):
        return text[: near.start] + new + b"," + gap + text[near.start :]
    return text[: near.end] + b"," + gap + new + text[near.end :]


def _gap_start(text: bytes, end: int) -> int:
    """Where the white space before `end` begins."""
    while text[end - 1 : end].isspace():
        end -= 1
    return end


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


def _moved(text: bytes, spans: list[Span], edit: Move, is_list: bool) -> bytes:
    """The items in their new order in the old places, so that what stands between them stays."""
    place = edit.path[-1]
    if not is_list or not isinstance(place, int):
        raise BadEdit(f"{spell_path(edit.path)} is not in a list: it cannot be moved")
    target = place + edit.by
    if not 0 <= target < len(spans):
        raise BadEdit(f"{spell_path(edit.path)} cannot be moved by {edit.by:+d}: {_choices(spans, is_list)}")
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


def _open(text: bytes, part: Part, done: Path) -> tuple[bool, list[Span]]:
    """The parts of a container that `part` fits. Raises `BadEdit` where it does not."""
    where = spell_path(done) or "the run"
    try:
        is_list, spans = spans_of(text)
    except NotAContainer as error:
        raise BadEdit(f"{where} is {error}: {text[:40].decode(errors='replace')}") from error
    if isinstance(part, int) != is_list:
        kind, want = ("a list", "a number in [ ]") if is_list else ("an object", "a key")
        raise BadEdit(f"{where} is {kind}: the next part must be {want}, not {part!r}")
    return is_list, spans


def _find(spans: list[Span], part: Part, is_list: bool) -> Span | None:
    """The span of a part; the last of two equal keys is the one that counts."""
    if isinstance(part, int):
        return spans[part] if is_list and part < len(spans) else None
    return next((span for span in reversed(spans) if span.key == part), None)


def _choices(spans: list[Span], is_list: bool) -> str:
    if is_list:
        return f"there are {len(spans)} items"
    return "there are " + (", ".join(sorted({span.key or "" for span in spans})[:20]) or "no keys")
