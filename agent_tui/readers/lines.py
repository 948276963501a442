"""JSON Lines: which lines are objects, which are not, and whether the last one was cut off."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from agent_tui.errors import Problem
from agent_tui.readers.head import whole_value
from agent_tui.readers.items import Record
from agent_tui.readers.source import Source
from agent_tui.readers.splitting import Line
from agent_tui.runs import surrogates


def json_lines(source: Source, *, checked: bool = False) -> Iterator[Record | Problem]:
    """Every non-empty line that looks like an object, in order; a problem for every other.

    `checked` says to parse each line; else only the last is, if its line feed is missing, and a line that is no JSON is
    found by whoever decodes it.
    """
    begin = source.begin
    for line in source.lines():
        if line.text is None:
            yield Problem(source.name, f"line of over {source.limits.line:,} bytes: skipped", line.number)
            continue
        text = line.text.strip()
        if not text:
            continue
        if text[:1] != b"{" or not line.ended or checked:
            reason = refusal(text)
            if reason is not None:
                yield _problem(source, line, text, reason)
                continue
        offset = None if begin is None else begin + line.offset + line.text.index(text[:1])
        yield Record(text, source.name, line.number, offset=offset)


def refusal(text: bytes) -> tuple[str, str] | None:
    """Why a line is not an object, as kind and reason; None where it is one."""
    try:
        surrogates.validate(whole_value(text))
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        return "malformed", "not JSON: " + str(error).replace("JSON is malformed: ", "")
    if text[:1] != b"{":
        return "not_a_record", "not an object"
    return None


def _problem(source: Source, line: Line, text: bytes, refused: tuple[str, str]) -> Problem:
    kind, reason = refused
    if kind == "malformed" and not line.ended:
        kind, reason = (
            "incomplete",
            f"incomplete line of {len(text):,} bytes without a line feed: cut off, or still being written",
        )
    return Problem(source.name, reason, line.number, kind=kind)
