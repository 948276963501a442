"""A change of one value in a record; everything else keeps its source text."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Raw, Struct

from agent_tui.errors import BadEdit
from agent_tui.runs.paths import Part, Path, spell_path

_decode_object = msgspec.json.Decoder(dict[str, Raw]).decode
_decode_list = msgspec.json.Decoder(list[Raw]).decode
_encode = msgspec.json.Encoder().encode


class Edit(Struct, frozen=True):
    """One value put in the place of another; `before` is None where an object had no such key."""

    path: Path
    before: bytes | None
    after: bytes | None


def replace_value(record: bytes, path: Path, value: bytes) -> tuple[bytes, Edit]:
    """The record with `value` (JSON text) at `path`, and the edit that was made.

    Every part of the path must exist, but the last one may be a new key of an object. Raises `BadEdit`.
    """
    before: list[bytes | None] = []
    changed = _replace(record, path, value, before, ())
    return changed, Edit(path, before[0], value)


def value_at(record: bytes, path: Path) -> bytes | None:
    """The JSON text at a path; None where nothing stands there."""
    text = record
    for part in path:
        try:
            text = bytes(_container(text)[part])
        except (KeyError, IndexError, TypeError, BadEdit):
            return None
    return text


def _replace(text: bytes, path: Path, value: bytes, before: list[bytes | None], done: Path) -> bytes:
    container = _open(text, path[0], done)
    part = path[0]
    inner = _at(container, part)
    here = (*done, part)
    if len(path) == 1:
        if inner is None and not isinstance(container, dict):
            raise BadEdit(f"{spell_path(here)}: there are only {len(container)} items")
        before.append(inner)
        container[part] = Raw(value)
    elif inner is None:
        raise BadEdit(f"{spell_path(here)} is not there; {_choices(container)}")
    else:
        container[part] = Raw(_replace(inner, path[1:], value, before, here))
    return _encode(container)


def _container(text: bytes) -> Any:
    """A JSON object as a dict, a JSON list as a list, of values kept as text."""
    start = text.lstrip()[:1]
    try:
        if start == b"{":
            return _decode_object(text)
        if start == b"[":
            return _decode_list(text)
    except msgspec.DecodeError as error:
        raise BadEdit(f"not JSON: {error}") from error
    raise BadEdit("neither an object nor a list")


def _open(text: bytes, part: Part, done: Path) -> Any:
    try:
        container = _container(text)
    except BadEdit as error:
        raise BadEdit(f"{spell_path(done) or 'the run'} is {error}: {text[:40].decode(errors='replace')}") from error
    if isinstance(part, int) != isinstance(container, list):
        kind, want = ("a list", "a number in [ ]") if isinstance(container, list) else ("an object", "a key")
        raise BadEdit(f"{spell_path(done) or 'the run'} is {kind}: the next part must be {want}, not {part!r}")
    return container


def _at(container: Any, part: Part) -> bytes | None:
    try:
        return bytes(container[part])
    except (KeyError, IndexError):
        return None


def _choices(container: Any) -> str:
    if isinstance(container, dict):
        return "there are " + (", ".join(sorted(container)[:20]) or "no keys")
    return f"there are {len(container)} items"
