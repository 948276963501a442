"""What a source looks like, for telling its format: kind, top-level keys, first items. Nothing is decoded deeply."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from agent_tui.readers import loose
from agent_tui.readers.loose import Fields
from agent_tui.readers.unusual import placeholders

if TYPE_CHECKING:
    from agent_tui.readers.source import Source

FIRST_ITEMS = 50
_SCAN = 4 << 20


@dataclass(frozen=True, slots=True)
class Head:
    """The looks of a source.

    `kind` is object, array, lines (JSON Lines), zip, text or empty. `document` holds the members of an object,
    `items` the first objects of an array or of lines, `members` the names in a zip.
    """

    kind: str
    document: Fields = field(default_factory=dict)
    items: tuple[Fields, ...] = ()
    members: frozenset[str] = frozenset()
    path: Path | None = None

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
    lines = _first_lines(source)
    if not lines:
        return Head("empty", path=source.path)
    parsed = [loose.fields(whole_value(line)) for line in lines if loose.kind(line) == "{"]
    objects = tuple(fields for fields in parsed if fields)
    if len(lines) > 1 and objects:
        return Head("lines", items=objects[:FIRST_ITEMS], path=source.path)
    return _look_at_document(source)


def whole_value(text: bytes) -> bytes:
    """`text` with NaN and infinities as strings, where it holds any."""
    return placeholders(text) if b"NaN" in text or b"Infinity" in text else text


def _look_at_document(source: Source) -> Head:
    text = whole_value(source.document().strip())
    if loose.kind(text) == "{":
        document = loose.fields(text)
        return Head("object" if document else "text", document=document, path=source.path)
    items = loose.items(text)
    if not items:
        return Head("array" if text in {b"[]"} else "text", path=source.path)
    return Head("array", items=tuple(loose.objects(text)[:FIRST_ITEMS]), path=source.path)


def _first_lines(source: Source) -> list[bytes]:
    """The first non-empty lines, up to a size; a document on one line is one line."""
    lines: list[bytes] = []
    size = 0
    for line in source.lines():
        text = (line.text or b"").strip()
        if text:
            lines.append(text)
            size += len(text)
        if len(lines) > FIRST_ITEMS or size > _SCAN:
            break
    return lines
