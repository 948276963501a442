"""Suspicious spans of one text: the rules of `scan_rules` tried on it, and what is hidden in it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import islice

from agent_tui.judge import scan_rules
from agent_tui.judge.asked_for import Asked
from agent_tui.judge.characters import CONTROL, FOREIGN_LETTER, INVISIBLE, Folded, fold
from agent_tui.judge.digests import digest_of
from agent_tui.judge.hidden_text import PACKED, encoded, hidden

_MOST = 20_000
"""How often an anchor is tried and a kind is raised in one text (a count); no text that is sent reaches it."""
_REACH = 300
"""How far a flag is widened to the sentence it stands in (characters)."""
_RULES = tuple((rule.kind, tuple(rule.anchors.split("|")), re.compile(rule.then)) for rule in scan_rules.RULES)

Span = tuple[str, int, int]
"""Kind, start and end."""


def spans_of(text: str, asked: Asked) -> list[Span]:
    """The spans of a text that nothing excuses, those of one kind that touch as one."""
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
    _plain("mixed_script", FOREIGN_LETTER),
    _plain("cli_trigger", scan_rules.AT_FILE),
    lambda text, folded: (("invisible_characters", *span) for span in hidden(text)),
    lambda text, folded: (("encoded_blob", *span) for span in encoded(text)),
)
_SENTENCES = frozenset({"authority_claim", "chat_template_token", "imperative_to_judge", "verdict_shaped_text"})
_SENTENCE_END = re.compile(r"([.!?](?=\s)|\n)\s*")


def _widened(text: str, span: Span) -> Span:
    """A span of words, widened to the sentence it stands in: half an instruction still instructs."""
    kind, start, end = span
    if kind not in _SENTENCES:
        return span
    before = [match.end() for match in _SENTENCE_END.finditer(text, max(0, start - _REACH), start)]
    after = _SENTENCE_END.search(text, end, min(len(text), end + _REACH))
    first = before[-1] if before else max(0, start - _REACH)
    return kind, first, after.end(1) if after else min(len(text), end + _REACH)


def _merged(spans: list[Span]) -> list[Span]:
    merged: list[Span] = []
    for kind, start, end in sorted(spans):
        if merged and merged[-1][0] == kind and start <= merged[-1][2]:
            merged[-1] = (kind, merged[-1][1], max(end, merged[-1][2]))
        else:
            merged.append((kind, start, end))
    return merged


def rules_digest() -> str:
    """Twelve hex digits that name all rules."""
    rules = [f"{rule.kind} {rule.anchors} {rule.then}" for rule in scan_rules.RULES]
    rules += [f"{kind} {shape.pattern}" for kind, shape in scan_rules.SHAPES]
    plain = (scan_rules.BREAK_OUT, scan_rules.ROLE_TURN, scan_rules.AT_FILE, CONTROL, INVISIBLE, FOREIGN_LETTER, PACKED)
    return digest_of([*rules, *(pattern.pattern for pattern in plain)])[:12]
