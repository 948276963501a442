"""What in a run's texts looks as if it were meant for the judge, by fixed rules. A flag never makes a verdict.

Flags are advice: they are shown and counted, and those of `STEERING` buy a second ask without the flagged spans, which
tells whether they moved the judge. Rules see English and the marks of common formats; attacks in other languages or
without any instruction pass them, and are what evidence checks and planted controls are for.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import islice

from msgspec import Struct
from msgspec.structs import replace

from agent_tui.judge import scan_rules
from agent_tui.judge.asked_for import Asked
from agent_tui.judge.characters import CONTROL, INVISIBLE, MIXED_WORD, Folded, fold
from agent_tui.judge.clipping import CUT, SIZES
from agent_tui.judge.digests import digest_of
from agent_tui.judge.hidden_text import PACKED, encoded, hidden
from agent_tui.judge.material import Item, says_something

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
_MOST = 20_000
"""How often an anchor is tried and a kind is raised in one text (a count); no text that is sent reaches it."""
_REACH = 300
"""How far a flag is widened to the sentence it stands in (characters)."""
_RULES = tuple((rule.kind, tuple(rule.anchors.split("|")), re.compile(rule.then)) for rule in scan_rules.RULES)


def _version() -> str:
    """The form of the rules and their digest: whoever changes one voids what was validated with the old ones."""
    rules = [f"{rule.kind} {rule.anchors} {rule.then}" for rule in scan_rules.RULES]
    rules += [f"{kind} {shape.pattern}" for kind, shape in scan_rules.SHAPES]
    plain = (scan_rules.BREAK_OUT, scan_rules.ROLE_TURN, scan_rules.AT_FILE, CONTROL, INVISIBLE, MIXED_WORD, PACKED)
    return "1-" + digest_of([*rules, *(pattern.pattern for pattern in plain)])[:12]


SCANNER_VERSION = _version()


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
        spans = _found(text, asked)
        if len(text) > SIZES.answer or (source in item.cut and CUT.search(text)):
            spans.append((OVERSIZE, *_cut_of(text)))
        flags += [Flag(kind, source, start, end, step) for kind, start, end in spans]
    return sorted(flags, key=lambda flag: (flag.source, flag.step, flag.start, flag.end, flag.kind))


def kinds_of(flags: Iterable[Flag]) -> tuple[str, ...]:
    """The kinds of some flags, each once, by name."""
    return tuple(sorted({flag.kind for flag in flags}))


def buys_second_ask(flags: Iterable[Flag]) -> bool:
    """Whether there is anything whose absence could change a verdict."""
    return any(flag.kind in STEERING for flag in flags)


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


Span = tuple[str, int, int]


def _found(text: str, asked: Asked) -> list[Span]:
    """The spans of one text, those of one kind that touch merged into one."""
    folded = fold(text)
    spans: list[Span] = []
    for find in _FINDERS:
        spans += islice(find(text, folded), _MOST)
    spans = [span for span in spans if not asked.excuses(text, span)]
    return _merged([_widened(text, span) for span in spans])


def _anchored(text: str, folded: Folded) -> Iterator[Span]:
    for kind, anchors, pattern in _RULES:
        for anchor in anchors:
            for start in islice(_places(folded.text, anchor), _MOST):
                match = pattern.match(folded.text, start + len(anchor))
                if match is not None:
                    yield kind, folded.place(start), folded.end(match.end())


def _places(text: str, anchor: str) -> Iterator[int]:
    """Where a word starts with `anchor`."""
    place = text.find(anchor)
    while place >= 0:
        if place == 0 or not (text[place - 1].isalnum() or text[place - 1] == "_"):
            yield place
        place = text.find(anchor, place + len(anchor))


def _shaped(text: str, folded: Folded) -> Iterator[Span]:
    for kind, shape in scan_rules.SHAPES:
        for match in shape.finditer(folded.text):
            yield kind, folded.place(match.start()), folded.end(match.end())


def _break_outs(text: str, folded: Folded) -> Iterator[Span]:
    """Closing tags of the frame that nothing opened before."""
    opened: set[str] = set()
    for match in scan_rules.BREAK_OUT.finditer(folded.text):
        if not match[1]:
            opened.add(match[2])
        elif match[2] not in opened:
            yield "delimiter_forgery", folded.place(match.start()), folded.end(match.end())


def _turns(text: str, folded: Folded) -> Iterator[Span]:
    for match in scan_rules.ROLE_TURN.finditer(text):
        yield "chat_template_token", *match.span(1)


def _plain(kind: str, pattern: re.Pattern[str]) -> Callable[[str, Folded], Iterator[Span]]:
    """A finder of what stands in the text as it is."""
    return lambda text, folded: ((kind, *match.span()) for match in pattern.finditer(text))


_FINDERS: tuple[Callable[[str, Folded], Iterator[Span]], ...] = (
    _anchored,
    _shaped,
    _break_outs,
    _turns,
    _plain("terminal_control", CONTROL),
    _plain("mixed_script", MIXED_WORD),
    _plain("cli_trigger", scan_rules.AT_FILE),
    lambda text, folded: (("invisible_characters", *span) for span in hidden(text)),
    lambda text, folded: (("encoded_blob", *span) for span in encoded(text)),
)
_SENTENCES = frozenset({"authority_claim", "chat_template_token", "imperative_to_judge", "verdict_shaped_text"})
_SENTENCE_END = re.compile(r"[.!?](?=\s)|\n")


def _widened(text: str, span: Span) -> Span:
    """A span of words, widened to the sentence it stands in: half an instruction still instructs."""
    kind, start, end = span
    if kind not in _SENTENCES:
        return span
    before = [match.end() for match in _SENTENCE_END.finditer(text, max(0, start - _REACH), start)]
    after = _SENTENCE_END.search(text, end, min(len(text), end + _REACH))
    return (
        kind,
        before[-1] if before else max(0, start - _REACH),
        after.end() if after else min(len(text), end + _REACH),
    )


def _merged(spans: list[Span]) -> list[Span]:
    merged: list[Span] = []
    for kind, start, end in sorted(spans):
        if merged and merged[-1][0] == kind and start <= merged[-1][2]:
            merged[-1] = (kind, merged[-1][1], max(end, merged[-1][2]))
        else:
            merged.append((kind, start, end))
    return merged
