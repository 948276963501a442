"""Find text in runs: what was asked, said, called, returned and answered, whatever its length."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

from msgspec import Raw, Struct, UnsetType

from agent_tui.bundles.bundle import Bundle
from agent_tui.runs import JsonValue, Step, parse


class Hit(Struct, frozen=True):
    """A place that holds the needle: a row, and in it a step by its path (positions from the top, nested) or a part.

    `part` is id, task, input, answer, error, or the field of the step: text, name, args, result, error.
    """

    row: int
    part: str
    step: tuple[int, ...] = ()


def may_hold(needle: str) -> Callable[[bytes], bool]:
    """A fast test on a record's text: False only where the needle cannot be in it, in any spelling."""
    folded = needle.lower()
    spellings = {
        json.dumps(folded)[1:-1].encode(),
        json.dumps(folded, ensure_ascii=False)[1:-1].encode("utf-8", "replace"),
    }
    if not needle.isascii() or any(character in needle for character in '"\\/\b\f\n\r\t'):
        return lambda record: True
    return lambda record: b"\\u00" in record or any(spelling in record.lower() for spelling in spellings)


def search_run(bundle: Bundle, row: int, needle: str) -> list[Hit]:
    """Every place of a run that holds `needle` literally, whatever its case, in reading order."""
    if not needle or not may_hold(needle)(bundle.record(row)):
        return []
    sought = needle.casefold()
    return [Hit(row, part, step) for part, step, text in _texts(bundle, row) if sought in text.casefold()]


def search(bundle: Bundle, needle: str) -> Iterator[Hit]:
    """Every place of every run that holds `needle`."""
    for row in range(len(bundle)):
        yield from search_run(bundle, row, needle)


def _texts(bundle: Bundle, row: int) -> Iterator[tuple[str, tuple[int, ...], str]]:
    run, steps = bundle.run(row), bundle.steps(row)
    said = {step.text for step in steps if step.type == "message" and step.text}
    yield "id", (), bundle.names.name(row)
    if run.task != run.id:
        yield "task", (), run.task
    if run.input and run.input not in said:
        yield "input", (), run.input
    yield from _step_texts(steps, ())
    if run.answer and run.answer not in said:
        yield "answer", (), run.answer
    if run.error is not None:
        yield "error", (), f"{run.error.type or ''} {run.error.message}"


def _step_texts(steps: list[Step], path: tuple[int, ...]) -> Iterator[tuple[str, tuple[int, ...], str]]:
    for number, step in enumerate(steps):
        here = (*path, number)
        for part, text in (("text", step.text), ("name", step.name or step.agent)):
            if text:
                yield part, here, text
        for part, raw in (("args", step.args), ("result", step.result), ("error", step.error)):
            if not isinstance(raw, UnsetType):
                yield part, here, _text_of_raw(raw)
        yield from _step_texts(step.steps or [], here)


def text_of(value: JsonValue) -> str:
    """A value as the text that is read and searched: a string as it is, anything else as JSON."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


def _text_of_raw(raw: Raw) -> str:
    try:
        return text_of(parse(raw))
    except ValueError:
        return bytes(raw).decode("utf-8", "replace")
