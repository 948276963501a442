"""Keys that stand more than once in an object of a file, told with what becomes of their values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from agent_tui.errors import Problem
from agent_tui.readers.head import Head
from agent_tui.readers.loose import Fields
from agent_tui.readers.source import Source
from agent_tui.runs.json_spans import Span, member_spans, spans_of


def all_members(text: bytes, decoded: Fields) -> list[Span]:
    """Every member of an object, also one whose key comes again; `decoded` is what a decoder made of the text."""
    spans = member_spans(text, decoded)
    return spans_of(text) if spans is None else spans


def document_members(head: Head) -> list[Span]:
    """Every member of a document that is an object."""
    return all_members(bytes(head.text), head.document) if head.spans is None else head.spans


def repeated_keys(source: Source, members: Iterable[Span], line: int | None = None) -> Iterator[Problem]:
    """A problem for each key that stands more than once: of its values the last one counts."""
    for key, count in counts_of_repeated(members).items():
        reason = f"{key} stands {count} times in the document: the last one counts"
        yield Problem(source.name, reason, line, f"$.{key}")


def counts_of_repeated(members: Iterable[Span]) -> dict[str, int]:
    """The keys that stand more than once, and how often."""
    counts = Counter(member.key or "" for member in members)
    return {key: count for key, count in counts.items() if count > 1}
