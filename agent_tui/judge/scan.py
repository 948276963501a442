"""What in a run's texts looks as if it were meant for the judge, by fixed rules. A flag never makes a verdict.

Flags are advice: they are shown and counted, and those of `STEERING` buy a second ask without the flagged spans, which
tells whether they moved the judge. Rules see English and the marks of common formats; attacks in other languages or
without any instruction pass them, and are what evidence checks and planted controls are for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from agent_tui.judge.asked_for import Asked
from agent_tui.judge.clipping import CUT, SIZES
from agent_tui.judge.material import Item, says_something
from agent_tui.judge.spans import rules_digest, spans_of

NO_CONTENT, OVERSIZE, QUOTE_NOT_IN_TRACE = "no_content", "oversize", "quote_not_in_trace"
KINDS = (
    "authority_claim",
    "chat_template_token",
    "cli_trigger",
    "delimiter_forgery",
    "encoded_blob",
    "imperative_to_judge",
    "invisible_characters",
    "markup",
    "mixed_script",
    NO_CONTENT,
    OVERSIZE,
    QUOTE_NOT_IN_TRACE,
    "terminal_control",
    "verdict_shaped_text",
)
STEERING = frozenset(
    {
        "authority_claim",
        "chat_template_token",
        "delimiter_forgery",
        "encoded_blob",
        "imperative_to_judge",
        "invisible_characters",
        "verdict_shaped_text",
    }
)
"""Kinds that may move a judge; the others are neutralised by escaping, or only tell."""
SCANNER_VERSION = f"1-{rules_digest()}"
"""Whoever changes a rule voids what was validated with the old ones."""


class Flag(Struct, frozen=True, order=True):
    """One suspicious span: `start` to `end` of the answer, or of step `step` of the trace (from 0)."""

    kind: str
    source: str
    """answer or trace."""
    start: int
    end: int
    step: int = 0


def scan(item: Item) -> list[Flag]:
    """Every flag of an item's answer and trace, in the order of places. The ask is what is judged by: not scanned."""
    asked = Asked(item.task)
    flags = [] if says_something(item.answer) else [Flag(NO_CONTENT, "answer", 0, len(item.answer))]
    for source, step, text in _texts(item):
        spans = spans_of(text, asked)
        if len(text) > SIZES.answer or (source in item.cut and CUT.search(text)):
            spans.append((OVERSIZE, *_cut_of(text)))
        flags += [Flag(kind, source, start, end, step) for kind, start, end in spans]
    return sorted(flags, key=lambda flag: (flag.source, flag.step, flag.start, flag.end, flag.kind))


def kinds_of(flags: Iterable[Flag]) -> tuple[str, ...]:
    """The kinds of some flags, each once, by name."""
    return tuple(sorted({flag.kind for flag in flags}))


def without(item: Item, flags: Iterable[Flag]) -> Item:
    """The item as if the flagged spans had never been written; only kinds of `STEERING` are taken out."""
    spans: dict[tuple[str, int], list[tuple[int, int]]] = {}
    for flag in flags:
        if flag.kind in STEERING:
            spans.setdefault((flag.source, flag.step), []).append((flag.start, flag.end))
    if not spans:
        return item
    trace = [_cut_out(text, spans.get(("trace", step), [])) for step, text in enumerate(item.trace)]
    return replace(item, answer=_cut_out(item.answer, spans.get(("answer", 0), [])), trace=tuple(trace))


def _cut_out(text: str, spans: list[tuple[int, int]]) -> str:
    kept, place = [], 0
    for start, end in sorted(spans):
        kept.append(text[place : max(start, place)])
        place = max(place, end)
    return ("".join(kept) + text[place:]).strip() if spans else text


def _texts(item: Item) -> Iterator[tuple[str, int, str]]:
    yield "answer", 0, item.answer
    for step, text in enumerate(item.trace):
        yield "trace", step, text


def _cut_of(text: str) -> tuple[int, int]:
    mark = CUT.search(text)
    return mark.span() if mark else (0, len(text))
