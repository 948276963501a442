"""Foreign text made safe for a terminal: what would act is shown instead, never dropped.

Control characters become visible marks (ESC is ␛), characters that reorder or hide text become `<U+202E>`. The marks
are evidence: an attempt can be seen, searched for and counted. The value itself is never changed; this is display only.
"""

from __future__ import annotations

import re

_MARKS: dict[int, str] = {code: chr(0x2400 + code) for code in range(0x20)}
_MARKS[0x7F] = "␡"
_MARKS.update({code: f"<U+{code:04X}>" for code in range(0x80, 0xA0)})
_HIDDEN = [
    0x061C, 0x200B, 0x200C, 0x200E, 0x200F, 0x2028, 0x2029, 0x2060, 0xFEFF, 0x00AD, 0x180E,
    *range(0x202A, 0x202F), *range(0x2066, 0x206A), *range(0xFFF9, 0xFFFC), *range(0xE0000, 0xE0080),
]  # fmt: skip
_MARKS.update({code: f"<U+{code:04X}>" for code in _HIDDEN})

_KEPT = {0x09, 0x0A}
_TEXT = {code: mark for code, mark in _MARKS.items() if code not in _KEPT}
_LINE = dict(_MARKS)
_LINE[0x0A] = "⏎"
_LINE[0x09] = " "

# Patterns as text: `re` compiles and keeps them where they are first needed, which most commands never do.
_SURROGATE = "[\ud800-\udfff]"
_JOINER = "(?<![\u2190-\u2bff\U0001f000-\U0001faff\ufe0f])\u200d|\u200d(?![\u2190-\u2bff\U0001f000-\U0001faff])"
_MARKS_ON_LETTERS = "\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f\u0483-\u0489"
_PILE = f"([{_MARKS_ON_LETTERS}]{{8}})[{_MARKS_ON_LETTERS}]+"
_SEQUENCE = (
    "\x1b\\[[0-?]*[ -/]*[@-~]|\x1b[\\]PX^_][^\x07\x1b\x9c]*(?:\x07|\x1b\\\\|\x9c)?|\x1b[ -/]*[0-~]|[\x80-\x9f]|"
    "[\x00-\x08\x0b-\x1f\x7f]|[\u202a-\u202e\u2066-\u2069]"
)


def sanitise(text: str) -> str:
    """`text` with every character that could act on a terminal shown as a mark; line feeds and tabs stay."""
    if text.isascii() and text.isprintable():
        return text
    return _finish(text.translate(_TEXT))


def sanitise_line(text: str) -> str:
    """`sanitise` for one line: a line feed is shown as ⏎, a tab as a space."""
    if text.isascii() and text.isprintable():
        return text
    return _finish(text.replace("\r\n", "\n").translate(_LINE))


def _finish(text: str) -> str:
    if text.isascii():
        return text
    text = re.sub(_SURROGATE, lambda match: f"<U+{ord(match[0]):04X}>", text)
    text = re.sub(_JOINER, "<U+200D>", text)
    return re.sub(_PILE, r"\1…", text)


def count_controls(text: str) -> int:
    """How many control sequences (an escape sequence counts once) and reordering characters `text` holds."""
    if text.isascii() and text.isprintable():
        return 0
    return sum(1 for _ in re.finditer(_SEQUENCE, text))


def clip(text: str, limit: int) -> str:
    """`text` as one safe line of at most about `limit` characters; what was cut is said (`… +12 chars`)."""
    if len(text) <= limit:
        return sanitise_line(text)
    return f"{sanitise_line(text[:limit])}… +{len(text) - limit:,} chars"
