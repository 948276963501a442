"""A stream of bytes as numbered lines."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from msgspec import Struct

_DENSE = 64
"""Bytes a line: where there are fewer on the average, lines are found by their words, and blank ones cost nothing."""
_WORDS = rb"\S[^\n]*"


class Line(Struct, frozen=True, gc=False):
    """One line without its line feed; `ended` says whether it had one. `text` is None where it was too long."""

    number: int
    text: bytes | None
    offset: int
    """Where it begins in the stream (bytes)."""
    ended: bool = True


def split_lines(chunks: Iterable[bytes], limit: int) -> Iterator[Line]:
    """The lines of a stream, from 1; one over `limit` bytes is dropped while it is read and given as None.

    Lines without a word, which say nothing, are passed over where they come in numbers.
    """
    number = 1
    pieces: list[bytes] = []
    held = 0
    place = 0
    for chunk in chunks:
        *whole, rest = chunk.split(b"\n")
        if whole:
            first = b"".join([*pieces, whole[0]]) if held + len(whole[0]) <= limit else None
            yield Line(number, first, place - held)
            if len(whole) * _DENSE < len(chunk):
                start = place + len(whole[0]) + 1
                for at, line in enumerate(whole[1:], number + 1):
                    yield Line(at, line if len(line) <= limit else None, start)
                    start += len(line) + 1
            else:
                yield from _lines_with_words(chunk, place, len(whole[0]) + 1, len(chunk) - len(rest), number + 1, limit)
            number += len(whole)
            pieces, held = [], 0
        held += len(rest)
        place += len(chunk)
        if held > limit:
            pieces = []
        elif rest:
            pieces.append(rest)
    if held:
        yield Line(number, b"".join(pieces) if held <= limit else None, place - held, ended=False)


def _lines_with_words(chunk: bytes, place: int, start: int, end: int, number: int, limit: int) -> Iterator[Line]:
    """The lines with a word between two places of a chunk, where each ends with its line feed.

    `place` is where the chunk begins in the stream.
    """
    for found in re.compile(_WORDS).finditer(chunk, start, end):
        number += chunk.count(b"\n", start, found.start())
        start = chunk.rfind(b"\n", start, found.start()) + 1 or start
        text = chunk[start : found.end()]
        yield Line(number, text if len(text) <= limit else None, place + start)
        start = found.end()
