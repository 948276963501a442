"""Where the members of an object and the items of a list stand in a JSON text, so that one can be changed alone."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

import msgspec
from msgspec import Raw, Struct
from msgspec.structs import replace

from agent_tui.runs import surrogates

_decode_object = msgspec.json.Decoder(dict[str, Raw]).decode
_decode_list = msgspec.json.Decoder(list[Raw]).decode
_decode_text = msgspec.json.Decoder(str).decode
_KEY = rb'"[^"\\]*(?:\\.[^"\\]*)*"'
_before_member = re.compile(rb"\s*[{,]\s*(" + _KEY + rb")\s*:\s*", re.DOTALL).match
_before_item = re.compile(rb"\s*[\[,]\s*").match
_closing = re.compile(rb"\s*[}\]]\s*").fullmatch
# Patterns as text: `re` compiles and keeps them where they are first needed, which most commands never do.
_TOKEN = _KEY + rb"|[\[{]|[\]}]|[^\s,:\[\]{}\"]+"
_STRING_OR_SPACE = rb"(" + _KEY + rb")|\s+"
_STRING_OR_WORD = rb"(" + _KEY + rb")|-?Infinity|NaN"


class NotAContainer(ValueError):
    """The text is neither an object nor a list, or no JSON at all; the message says which."""


class Span(Struct, frozen=True, gc=False):
    """One member or item: where it starts (its key, where it has one), where its value starts, and where that ends."""

    key: str | None
    start: int
    value: int
    end: int


def is_list(text: bytes) -> bool:
    """Whether `text` is a list and not an object. Raises `NotAContainer` where it is neither."""
    first = text.lstrip()[:1]
    if first not in (b"{", b"["):
        raise NotAContainer("neither an object nor a list")
    return first == b"["


def spans_of(text: bytes) -> list[Span]:
    """The items or members of a list or an object, in order. Raises `NotAContainer`."""
    try:
        spans = _items(text) if is_list(text) else member_spans(text, _decode_object(text))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        return _replaced_spans(text) or list(_scanned(text, error))
    return list(_scanned(text, None)) if spans is None else spans


def _replaced_spans(text: bytes) -> list[Span]:
    """The spans of a text that only lone surrogates keep from being read; none of any other."""
    plain = surrogates.replaced(text)
    if plain == text:
        return []
    try:
        spans = _items(plain) if is_list(plain) else member_spans(plain, _decode_object(plain))
        spans = list(_scanned(plain, None)) if spans is None else spans
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return []
    return [span if span.key is None else replace(span, key=_key_at(text, span.start)) for span in spans]


def _key_at(text: bytes, start: int) -> str:
    found = re.compile(_KEY, re.DOTALL).match(text, start)
    assert found is not None
    return _key_of(found[0])


def span_of(text: bytes, part: str | int) -> tuple[int, int] | None:
    """Where the value of one item or member starts and ends; None where there is none. Raises `NotAContainer`.

    The last of two equal keys counts.
    """
    if isinstance(part, int) != is_list(text):
        return None
    try:
        spans = _items(text, part) if isinstance(part, int) else member_spans(text, _decode_object(text))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        spans = _replaced_spans(text) or list(_scanned(text, error))
    found = find(list(_scanned(text, None)) if spans is None else spans, part)
    return None if found is None else (found.value, found.end)


def find(spans: list[Span], part: str | int) -> Span | None:
    """The span of an item or a member; the last of two equal keys is the one that counts."""
    if isinstance(part, int):
        return spans[part] if part < len(spans) else None
    return next((span for span in reversed(spans) if span.key == part), None)


def _items(text: bytes, last: int | None = None) -> list[Span]:
    """The spans of a list by the lengths of its values, up to the one of that number."""
    spans: list[Span] = []
    end = 0
    for raw in _decode_list(text)[: None if last is None else last + 1]:
        found = _before_item(text, end)
        assert found is not None
        start = found.end()
        end = start + len(memoryview(raw))
        spans.append(Span(None, start, start, end))
    return spans


def member_spans(text: bytes, decoded: Mapping[str, Raw]) -> list[Span] | None:
    """The spans of an object by the lengths of its values; None where a key stands twice, so that a value is missing.

    `decoded` is what a decoder made of the text. Each value is compared with the text where it should stand, which
    proves that none was passed over.
    """
    spans: list[Span] = []
    end = 0
    for key, raw in decoded.items():
        found = _before_member(text, end)
        value = bytes(raw)
        if found is None or not text.startswith(value, found.end()):
            return None
        end = found.end() + len(value)
        spans.append(Span(key, found.start(1), found.end(), end))
    return spans if not spans or _closing(text, end) else None


def _scanned(text: bytes, refused: Exception | None) -> Iterator[Span]:
    """The spans by reading token after token: for what the decoder refuses (NaN) and for keys that stand twice."""
    has_keys = not is_list(text)
    depth, start, key, value = 0, -1, None, -1
    end = 0
    for token in re.finditer(_TOKEN, text, re.DOTALL):
        if end and not depth:
            raise NotAContainer(f"not JSON: {refused}") from refused
        mark = token[0]
        closes = mark in b"]}"
        if closes:
            depth -= 1
        if depth == 1 and not closes:
            if value < 0 and has_keys and key is None:
                start, key = token.start(), _key_of(mark)
            else:
                value = token.start()
                start = start if has_keys else value
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
        return surrogates.decode(_decode_text, mark)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return mark[1:-1].decode("utf-8", "replace")


def in_one_line(text: bytes) -> bytes:
    """A JSON text without the white space between its parts, where it has line ends; else as it stands."""
    if b"\n" not in text and b"\r" not in text:
        return text
    return re.sub(_STRING_OR_SPACE, lambda found: found[1] or b"", text, flags=re.DOTALL)


def strict_text(text: bytes) -> tuple[bytes, list[str]]:
    """A JSON text with null for every bare NaN and infinity, and the words that stood there in order."""
    if b"NaN" not in text and b"Infinity" not in text:
        return text, []
    words: list[str] = []

    def replace(found: re.Match[bytes]) -> bytes:
        if found[1]:
            return found[1]
        words.append(found[0].decode())
        return b"null"

    return re.sub(_STRING_OR_WORD, replace, text, flags=re.DOTALL), words
