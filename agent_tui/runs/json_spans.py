"""Where the members of an object and the items of a list stand in a JSON text, so that one can be changed alone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import Raw, Struct

_decode_object = msgspec.json.Decoder(dict[str, Raw]).decode
_decode_list = msgspec.json.Decoder(list[Raw]).decode
_decode_text = msgspec.json.Decoder(str).decode
_KEY = rb'"[^"\\]*(?:\\.[^"\\]*)*"'
_before_member = re.compile(rb"\s*[{,]\s*(" + _KEY + rb")\s*:\s*", re.DOTALL).match
_before_item = re.compile(rb"\s*[\[,]\s*").match
_closing = re.compile(rb"\s*[}\]]\s*").fullmatch
_token = re.compile(_KEY + rb"|[\[{]|[\]}]|[^\s,:\[\]{}\"]+", re.DOTALL)


class NotAContainer(ValueError):
    """The text is neither an object nor a list, or no JSON at all; the message says which."""


class Span(Struct, frozen=True, gc=False):
    """One member or item: where it starts (its key, where it has one), where its value starts, and where that ends."""

    key: str | None
    start: int
    value: int
    end: int


def spans_of(text: bytes) -> tuple[bool, list[Span]]:
    """Whether `text` is a list, and its items or members in order. Raises `NotAContainer`."""
    first = text.lstrip()[:1]
    if first not in (b"{", b"["):
        raise NotAContainer("neither an object nor a list")
    is_list = first == b"["
    try:
        values = _decode_list(text) if is_list else _decode_object(text)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        return is_list, list(_scanned(text, is_list, error))
    spans = _walked(text, values)
    return is_list, list(_scanned(text, is_list, None)) if spans is None else spans


def _walked(text: bytes, values: Any) -> list[Span] | None:
    """The spans by the lengths of the decoded values; None where a key stands twice, so that a value is missing."""
    spans: list[Span] = []
    place = 0
    is_list = isinstance(values, list)
    pairs = ((None, raw) for raw in values) if is_list else values.items()
    for key, raw in pairs:
        found = _before_item(text, place) if is_list else _before_member(text, place)
        value = bytes(raw)
        if found is None or not text.startswith(value, found.end()):
            return None
        start = found.end() if is_list else found.start(1)
        place = found.end() + len(value)
        spans.append(Span(key, start, found.end(), place))
    return spans if not spans or _closing(text, place) else None


def _scanned(text: bytes, is_list: bool, refused: Exception | None) -> Iterator[Span]:
    """The spans by reading token after token: for what the decoder refuses (NaN) and for keys that stand twice."""
    depth, start, key, value = 0, -1, None, -1
    end = 0
    for token in _token.finditer(text):
        mark = token[0]
        closes = mark in b"]}"
        if closes:
            depth -= 1
        if depth == 1 and not closes:
            if value < 0 and not is_list and key is None:
                start, key = token.start(), _key_of(mark)
            else:
                value = token.start()
                start = value if is_list else start
        if mark in b"[{":
            depth += 1
        end = token.end()
        if depth == 1 and value >= 0:
            yield Span(key, start, value, end)
            key, value = None, -1
    if depth or text[end:].strip():
        raise NotAContainer(f"not JSON: {refused}") from refused


def _key_of(mark: bytes) -> str:
    try:
        return _decode_text(mark)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return mark[1:-1].decode("utf-8", "replace")
