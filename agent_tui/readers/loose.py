"""Foreign JSON read without trusting its types: what is not of the type asked for is absent, never an error."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, TypeAlias

import msgspec
from msgspec import Raw

from agent_tui.runs import surrogates

if TYPE_CHECKING:
    from agent_tui.runs.json_spans import Span

Fields: TypeAlias = dict[str, Raw]
Text: TypeAlias = bytes | memoryview
"""A text in memory, or a view of one that is mapped from its file."""

_object = msgspec.json.Decoder(Fields).decode
_array = msgspec.json.Decoder(list[Raw]).decode
_text = msgspec.json.Decoder(str).decode
_number = msgspec.json.Decoder(int | float).decode
_integer = msgspec.json.Decoder(int).decode
_validate = msgspec.json.Decoder(Raw).decode
_CHARACTERS = bytes(range(256)).decode("latin-1")
_BEHIND = "JSON is malformed: trailing characters (byte "
"""How the words begin in which a decoder says where something stands behind a value."""
# Patterns as text: `re` compiles and keeps them where they are first needed, which most commands never do.
_BEFORE_ITEM, _AFTER_ITEMS = rb"\s*[\[,]\s*", rb"\s*\]"
_KEY = rb"\s*(\"[^\"\\]*(?:\\.[^\"\\]*)*\")\s*:\s*"
_BEFORE_FIRST, _BEFORE_NEXT, _AFTER_MEMBERS = rb"\{" + _KEY, rb"\s*," + _KEY, rb"\s*\}"
_OPENINGS = (b"{", b"[", b'"')
_WORD = rb"[-+.\w]+"
"""A number, or true, false, null."""
_REFUSED = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)


def kind(raw: Raw | Text) -> str:
    """The first character of a JSON value: `{`, `[`, `"`, n, t, f, a digit or a minus; empty for no value."""
    view = memoryview(raw)
    return _CHARACTERS[view[0]] if view else ""


def fields(raw: Raw | Text | None) -> Fields:
    """The members of an object; none where it is not one."""
    if raw is None or kind(raw) != "{":
        return {}
    try:
        return _object(raw)
    except _REFUSED:
        return {span.key or "": text for span, text in _written(bytes(raw))}


def items(raw: Raw | Text | None) -> list[Raw]:
    """The items of an array; none where it is not one."""
    if raw is None or kind(raw) != "[":
        return []
    try:
        return _array(raw)
    except _REFUSED:
        return [text for _, text in _written(bytes(raw))]


def is_array(text: Text) -> bool:
    """Whether a text is an array."""
    if kind(text) != "[":
        return False
    try:
        _validate(text)
    except _REFUSED:
        return bool(items(text))
    return True


def each(raw: Raw | Text | None) -> Iterator[tuple[int, Raw]]:
    """The items of an array that is JSON, one after the other, each with where it ends in the array (bytes).

    They are not held all at once, and the first one does not wait for the last.
    """
    if raw is None or kind(raw) != "[":
        return
    view, count, place = memoryview(raw), 0, 0
    before = re.compile(_BEFORE_ITEM).match
    while (found := before(view, place)) is not None:
        start = found.end()
        end = _end_of_value(view, start)
        if end is None:
            break
        yield end, Raw(view[start:end])
        count, place = count + 1, end
    if place and re.compile(_AFTER_ITEMS).match(view, place):
        return
    for item in islice(items(raw), count, None):  # some are only read with care
        place += len(memoryview(item))
        yield place, item


def walk(text: memoryview) -> list[Span] | None:
    """Every member of an object, read once and without holding it; None where that is no such thing, or needs care."""
    from agent_tui.runs.json_spans import Span  # here, as in `_written`

    spans: list[Span] = []
    place = 0
    while (found := re.compile(_BEFORE_NEXT if spans else _BEFORE_FIRST, re.DOTALL).match(text, place)) is not None:
        end = _end_of_value(text, found.end())
        try:
            key = _text(found[1])
        except _REFUSED:
            return None
        if end is None:
            return None
        spans.append(Span(key, found.start(1), found.end(), end))
        place = end
    return spans if spans and re.compile(_AFTER_MEMBERS).fullmatch(text, place) else None


def _end_of_value(view: memoryview, start: int) -> int | None:
    """Where a value ends that has something behind it; None where it is not to be read so."""
    if bytes(view[start : start + 1]) not in _OPENINGS:
        word = re.compile(_WORD).match(view, start)
        return None if word is None or _behind(word[0] + b",") is None else word.end()
    place = _behind(view[start:])
    if place is None:
        return None
    end = start + place - _looked_at()
    while view[end - 1] in b" \t\r\n":
        end -= 1
    return end


def _behind(text: Text) -> int | None:
    """Where a decoder says that something stands behind a value; None where it says something else, or nothing."""
    try:
        _validate(text)
    except msgspec.DecodeError as error:
        words = str(error)
        return int(words[len(_BEHIND) : -1]) if words.startswith(_BEHIND) else None
    except _REFUSED:
        pass
    return None


@cache
def _looked_at() -> int:
    """How many bytes behind a value the decoder has looked at before it says so: it may count the first one."""
    return (_behind(b'"",') or 0) - len(b'""')


def _written(text: bytes) -> Iterator[tuple[Span, Raw]]:
    """The members or items of a text that only lone surrogates keep from being read, as they stand in it."""
    from agent_tui.runs.json_spans import spans_of  # here, since few texts need it and every command loads this

    try:
        plain = surrogates.replaced(text)
        if plain != text:
            _validate(plain)
            yield from ((span, Raw(text[span.value : span.end])) for span in spans_of(text))
    except _REFUSED:
        return


def objects(raw: Raw | bytes | None) -> list[Fields]:
    """The objects of an array, others left out."""
    return [fields(item) for item in items(raw) if kind(item) == "{"]


def text(raw: Raw | bytes | None) -> str | None:
    """A string; None where it is not one."""
    if raw is None or kind(raw) != '"':
        return None
    try:
        return surrogates.decode(_text, raw)
    except _REFUSED:
        return bytes(raw)[1:-1].decode("utf-8", "replace")


def name(raw: Raw | bytes | None) -> str | None:
    """A string, or a number as text: what people use as an id."""
    if raw is not None and kind(raw) in "-0123456789":
        return bytes(raw).decode("ascii", "replace")
    return text(raw)


def number(raw: Raw | bytes | None) -> int | float | None:
    """A finite number; None where it is not one."""
    if raw is None or kind(raw) not in "-0123456789":
        return None
    try:
        return _number(raw)
    except _REFUSED:
        return None


def integer(raw: Raw | bytes | None) -> int | None:
    """A whole number; None where it is not one."""
    if raw is None or kind(raw) not in "-0123456789":
        return None
    try:
        return _integer(raw)
    except _REFUSED:
        return None


def truthy(raw: Raw | bytes | None) -> bool:
    """Whether there is a value that is not null, false, zero or empty."""
    return raw is not None and bytes(raw) not in {b"null", b"false", b"0", b'""', b"[]", b"{}"}


def present(raw: Raw | bytes | None) -> bool:
    """Whether there is a value that is not null."""
    return raw is not None and kind(raw) != "n"
