"""Find text in runs: what was asked, said, called, returned and answered, whatever its length."""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

from msgspec import Raw, Struct, UnsetType

from agent_tui.bundles.bundle import Bundle
from agent_tui.readers import decode_run, decode_steps
from agent_tui.runs import JsonValue, Run, Step, parse

_GAP = 1 << 16
"""Bytes between two records that are read along with them."""
_PIECE = 1 << 18
"""Characters that are folded at once."""


class Hit(Struct, frozen=True):
    """A place that holds the needle: a row, and in it a step by its path (positions from the top, nested) or a part.

    `part` is id, task, input, answer, error, or the field of the step: text, name, args, result, error.
    """

    row: int
    part: str
    step: tuple[int, ...] = ()


Likely: TypeAlias = Callable[[bytes], bool]
"""Whether a JSON text may hold a needle."""


def may_hold(needle: str) -> Likely:
    """A fast test on a record's text: False only where the needle cannot be in it, in any spelling."""
    piece = _plain_piece(needle)
    return lambda record: not piece or piece in record.lower() or _escaped(record) is not None


_escaped = re.compile(rb"\\u00[2-7]").search
"""The spelling of a plain character by its number."""
_plain_pieces = re.compile(r"[ !#-+\-.0-9;-Z^-z|~]+").findall
"""Characters that JSON writes as they are, or by their numbers, and that are no part of its structure."""


def _plain_piece(needle: str) -> bytes:
    """The longest part of a needle to look for in a record's text, in small letters; empty: there is none."""
    pieces = [piece.strip(" ") for piece in _plain_pieces(needle.lower())]  # what is said of a value is spaced anew
    return max(pieces, key=len, default="").encode()


def rows_that_may_hold(bundle: Bundle, rows: Sequence[int], needle: str) -> set[int]:
    """Those of some rows that `needle` may be in. Rows that lie behind each other are read and looked at together."""
    piece = _plain_piece(needle)
    if not piece:
        return set(rows)
    found: set[int] = {row for row in rows if bundle.is_edited(row)}
    records = bundle.records
    for block in _blocks(bundle, [row for row in rows if row not in found]):
        offsets = [records.offsets[row] for row in block]
        text = records.block(block)
        found.update(block[at] for at in _parts_with(text, piece, offsets))
    return found


def _blocks(bundle: Bundle, rows: Sequence[int]) -> Iterator[list[int]]:
    """Rows cut where the next does not lie shortly behind the one before."""
    records, block = bundle.records, list[int]()
    for row in sorted(rows):
        if block:
            end = records.offsets[block[-1]] + records.lengths[block[-1]]
            if records.part_of[row] != records.part_of[block[0]] or not 0 <= records.offsets[row] - end <= _GAP:
                yield block
                block = []
        block.append(row)
    if block:
        yield block


def _parts_with(text: bytes, piece: bytes, offsets: Sequence[int]) -> Iterator[int]:
    """Which parts of a block hold a piece, or a plain character spelt by its number; each begins at an offset."""
    ends = [offset - offsets[0] for offset in offsets[1:]] + [len(text)]
    small = text.lower()
    at = small.find(piece)
    while at >= 0:
        part = bisect_right(ends, at)
        yield part
        at = small.find(piece, ends[part])
    escaped = _escaped(text)
    while escaped:
        part = bisect_right(ends, escaped.start())
        yield part
        escaped = _escaped(text, ends[part])


def search_run(bundle: Bundle, row: int, needle: str) -> list[Hit]:
    """Every place of a run that holds `needle` literally, whatever its case, in reading order."""
    record, sought, likely = bundle.record(row), needle.casefold(), may_hold(needle)
    if not needle or not likely(record):
        return []
    run = bundle.kept_run(row) or decode_run(record)
    texts = _texts(bundle.names.name(row), run, decode_steps(record), likely)
    return [Hit(row, part, step) for part, step, text in texts if _holds(text, sought)]


def holds(bundle: Bundle, row: int, needle: str) -> bool:
    """Whether a run holds `needle` anywhere; most that do hold it early."""
    record, sought, likely = bundle.record(row), needle.casefold(), may_hold(needle)
    if not needle or not likely(record):
        return False
    run = bundle.kept_run(row) or decode_run(record)
    texts = (bundle.names.name(row), run.task, run.input, run.answer, _error(run))
    if any(text and _holds(text, sought) for text in texts):
        return True
    return any(_holds(text, sought) for _, _, text in _step_texts(decode_steps(record), (), likely))


def _error(run: Run) -> str:
    return "" if run.error is None else f"{run.error.type or ''} {run.error.message}"


def _holds(text: str, sought: str) -> bool:
    """Whether a text holds a needle, whatever its case. A long one is folded piece by piece: keys are answered."""
    if len(text) <= _PIECE:
        return sought in text.casefold()
    pieces = (text[at : at + _PIECE + len(sought)] for at in range(0, len(text), _PIECE))
    return any(sought in piece.casefold() for piece in pieces)


def search(bundle: Bundle, needle: str) -> Iterator[Hit]:
    """Every place of every run that holds `needle`."""
    for row in range(len(bundle)):
        yield from search_run(bundle, row, needle)


def _texts(name: str, run: Run, steps: list[Step], likely: Likely) -> Iterator[tuple[str, tuple[int, ...], str]]:
    said = {step.text for step in steps if step.type == "message" and step.text}
    yield "id", (), name
    if run.task != run.id:
        yield "task", (), run.task
    if run.input and run.input not in said:
        yield "input", (), run.input
    yield from _step_texts(steps, (), likely)
    if run.answer and run.answer not in said:
        yield "answer", (), run.answer
    if run.error is not None:
        yield "error", (), _error(run)


def _step_texts(steps: list[Step], path: tuple[int, ...], likely: Likely) -> Iterator[tuple[str, tuple[int, ...], str]]:
    """The texts of steps; a value that cannot hold what is searched for is not read."""
    for number, step in enumerate(steps):
        here = (*path, number)
        for part, text in (("text", step.text), ("name", step.name or step.agent)):
            if text:
                yield part, here, text
        for part, raw in (("args", step.args), ("result", step.result), ("error", step.error)):
            if not isinstance(raw, UnsetType) and likely(bytes(raw)):
                yield part, here, _text_of_raw(raw)
        yield from _step_texts(step.steps or [], here, likely)


def text_of(value: JsonValue) -> str:
    """A value as the text that is read and searched: a string as it is, anything else as JSON."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


def _text_of_raw(raw: Raw) -> str:
    try:
        return text_of(parse(raw))
    except ValueError:
        return bytes(raw).decode("utf-8", "replace")
