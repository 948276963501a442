"""What a source looks like, for telling its format: kind, top-level keys, first items. Nothing is decoded deeply."""

from __future__ import annotations

import re
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from msgspec import Raw, Struct, field

from agent_tui.readers import loose
from agent_tui.readers.loose import Fields, Text
from agent_tui.readers.unusual import as_strings, placeholders
from agent_tui.runs import surrogates

if TYPE_CHECKING:
    from agent_tui.readers.source import Source
    from agent_tui.runs.json_spans import Span

FIRST_ITEMS = 50
_SCAN = 1 << 20
_OPEN = (b"{", b"[", b",", b":")
"""How the first line of a document ends and no line of JSON Lines does."""
_OPENINGS = ("{", "[")
_EMPTY_OBJECT = re.compile(rb"\{\s*\}")
_BYTE = re.compile(r"\(byte (\d+)\)")


class Head(Struct, frozen=True):
    """The looks of a source.

    `kind` is object, array, lines (JSON Lines), zip, text or empty. `document` holds the members of an object,
    `items` the first objects of an array or of lines, `members` the names in a zip.
    """

    kind: str
    document: Fields = field(default_factory=dict)
    items: tuple[Fields, ...] = ()
    members: frozenset[str] = frozenset()
    path: Path | None = None
    text: Text = b""
    """The document without NaN and infinities: the source's own text, or one with the same places."""
    spans: list[Span] | None = None
    """Where the members of the document stand, where that is known."""
    reason: str | None = None
    """Why the text is no JSON, where it starts like JSON."""

    def has(self, *keys: str) -> bool:
        """Whether the document is an object with all of `keys`."""
        return all(key in self.document for key in keys)

    @property
    def candidates(self) -> tuple[Fields, ...]:
        """The objects that may be runs: the document itself, or the first items."""
        return (self.document,) if self.kind == "object" else self.items


def look(source: Source) -> Head:
    """The head of a source."""
    if source.packing == "zip":
        from agent_tui.readers.archive import member_names

        return Head("zip", members=member_names(source), path=source.path)
    if source.is_one_line:
        return _look_at_document(source)
    lines = _first_lines(source)
    if not lines:
        return Head("empty", path=source.path)
    parsed = [loose.fields(whole_value(line)) for line in lines if loose.kind(line) == "{"]
    objects = tuple(fields for fields in parsed if fields)
    if len(lines) > 1 and objects and not lines[0].endswith(_OPEN) and not _is_document(source, lines[0]):
        return Head("lines", items=objects[:FIRST_ITEMS], path=source.path)
    return _look_at_document(source)


def _is_document(source: Source, first: bytes) -> bool:
    """Whether lines that hold objects are nevertheless parts of one document: the first is no JSON, the whole is."""
    return not_json(whole_value(first)) is not None and not_json(whole_value(bytes(source.document()))) is None


def whole_value(text: bytes) -> bytes:
    """`text` with NaN and infinities as strings, where it holds any."""
    return placeholders(text) if b"NaN" in text or b"Infinity" in text else text


def _look_at_document(source: Source) -> Head:
    """The head of one JSON document; NaN and infinities in it are looked for only if it does not parse."""
    text = source.document()
    if loose.kind(text) not in _OPENINGS:
        return Head("text", path=source.path)
    head = _head_of(text, source)
    if head is not None:
        return head
    whole = bytes(text)
    head = _head_of(placeholders(whole), source)
    return head or Head("text", path=source.path, reason=not_json(whole, source.lines_before))


def _head_of(text: Text, source: Source) -> Head | None:
    spans = loose.walk(text) if isinstance(text, memoryview) else None
    if spans is not None and isinstance(text, memoryview):
        members = {span.key or "": Raw(text[span.value : span.end]) for span in spans}
        return Head("object", document=members, path=source.path, text=text, spans=spans)
    document = loose.fields(text)
    if document or _EMPTY_OBJECT.fullmatch(text):
        return Head("object", document=document, path=source.path, text=text)
    if loose.is_array(text):
        return Head("array", items=_first_objects(text), path=source.path, text=text)
    return None


def _first_objects(array: Text) -> tuple[Fields, ...]:
    return tuple(fields for _, item in islice(loose.each(array), FIRST_ITEMS) if (fields := loose.fields(item)))


def document_fields(source: Source) -> Fields:
    """The members of a document; NaN and infinities in it are texts."""
    text, head = source.document(), source.head
    return head.document if head.text is text else loose.fields(as_strings(bytes(text)))


def not_json(text: bytes, lines_before: int = 0) -> str | None:
    """Why a text is no JSON, with the line where it goes wrong; None where it is JSON."""
    try:
        surrogates.validate(text)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        reason = str(error).replace("JSON is malformed: ", "")
        place = _BYTE.search(reason)
        where = f" (line {lines_before + text.count(bytes([10]), 0, int(place[1])) + 1})" if place else ""
        return f"not JSON: {reason}{where}"
    return None


def _first_lines(source: Source) -> list[bytes]:
    """The first non-empty lines, up to a size; a document on one line is one line."""
    lines: list[bytes] = []
    size = 0
    for line in source.lines():
        if line.text is None and not lines:  # too long for a line of JSON Lines: a document, if anything
            return [_OPEN[0]]
        text = (line.text or b"").strip()
        if text:
            lines.append(text)
            size += len(text)
        if len(lines) > FIRST_ITEMS or (size > _SCAN and len(lines) > 1):
            break
    return lines
