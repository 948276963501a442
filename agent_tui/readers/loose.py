"""Foreign JSON read without trusting its types: what is not of the type asked for is absent, never an error."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, TypeAlias

import msgspec
from msgspec import Raw

from agent_tui.runs import surrogates

if TYPE_CHECKING:
    from agent_tui.runs.json_spans import Span

Fields: TypeAlias = dict[str, Raw]

_object = msgspec.json.Decoder(Fields).decode
_array = msgspec.json.Decoder(list[Raw]).decode
_text = msgspec.json.Decoder(str).decode
_number = msgspec.json.Decoder(int | float).decode
_integer = msgspec.json.Decoder(int).decode
_validate = msgspec.json.Decoder(Raw).decode
_CHARACTERS = bytes(range(256)).decode("latin-1")
_REFUSED = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)


def kind(raw: Raw | bytes) -> str:
    """The first character of a JSON value: `{`, `[`, `"`, n, t, f, a digit or a minus; empty for no value."""
    view = memoryview(raw)
    return _CHARACTERS[view[0]] if view else ""


def fields(raw: Raw | bytes | None) -> Fields:
    """The members of an object; none where it is not one."""
    if raw is None or kind(raw) != "{":
        return {}
    try:
        return _object(raw)
    except _REFUSED:
        return {span.key or "": text for span, text in _written(bytes(raw))}


def items(raw: Raw | bytes | None) -> list[Raw]:
    """The items of an array; none where it is not one."""
    if raw is None or kind(raw) != "[":
        return []
    try:
        return _array(raw)
    except _REFUSED:
        return [text for _, text in _written(bytes(raw))]


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
