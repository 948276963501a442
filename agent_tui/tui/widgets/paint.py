"""Styled text to segments: names become colours here, and the last control character stops here."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable
from itertools import pairwise
from typing import Literal

from rich.cells import cell_len, split_graphemes
from rich.segment import Segment
from rich.style import Style
from rich.text import Text
from textual.strip import Strip

from agent_tui.tui.theme import Palette

Line = Text | str
"""One line to draw: plain text in the style `text`, or a Text whose styles are names of the palette."""

Align = Literal["left", "right"]

_ACTING = {code: chr(0x2400 + code) for code in range(0x20)} | {0x7F: "␡"}
_ACTING |= dict.fromkeys((*range(0x80, 0xA0), 0x200E, 0x200F, *range(0x2028, 0x202F), *range(0x2066, 0x206A)), "�")
_ACTING |= dict.fromkeys(range(0xD800, 0xE000), "�")
_ACTING[0x0A] = _ACTING[0x09] = " "


def inert(text: str) -> str:
    """`text` without any character that could act on a terminal: the last gate, for text that should be clean."""
    return text if text.isprintable() else text.translate(_ACTING)


_UNSTEADY = re.compile("[\u200d\ufe0f\U0001f3fb-\U0001f3ff]")
"""What joins signs, makes a wide sign of a narrow one, or gives it a tone."""


_SIGNS = "\u2000"
"""Where the letters of most scripts end."""


def steady(text: str) -> str:
    """`text` in as many cells, without signs about whose width terminals, and what stands between, do not agree.

    Of joined signs the first is left, of one that was made wide its narrow form and a blank.
    """
    if text.isascii() or _UNSTEADY.search(text) is None:
        return text
    return "".join(_steady(text[start:end], width) for start, end, width in split_graphemes(text)[0])


def _steady(sign: str, width: int) -> str:
    is_letter = "\u0100" < sign[0] < _SIGNS  # a joiner between letters says how they are written
    if len(sign) == 1 or is_letter or _UNSTEADY.search(sign) is None:
        return sign
    return sign[0] + " " * (width - cell_len(sign[0]))


_PLAIN = {
    ord(one): other
    for ones, other in (
        ("…·", "."),
        ("–—−", "-"),
        ("→", ">"),
        ("×", "x"),
        ("↑", "^"),
        ("↓", "v"),
        ("≠", "!"),
        ("≥", ">"),
        ("≤", "<"),
        ("“”„", '"'),
        ("‘’‚", "'"),
        ("\u00a0", " "),
    )
    for one in ones
}


def ascii_only(text: str) -> str:
    """`text` for a terminal that knows ASCII only: near characters where there are some, else a mark, cell by cell."""
    if text.isascii():
        return text
    text = text.translate(_PLAIN)
    signs = ((text[start], width) for start, _, width in split_graphemes(text)[0])
    return "".join(sign + "?" * (width - 1) if sign.isascii() else "?" * width for sign, width in signs)


def plain(line: Line) -> str:
    """The text of a line without its styles."""
    return line if isinstance(line, str) else line.plain


def as_styled(line: Line, style: str) -> Text:
    """`line` as a Text; a plain one in `style`."""
    return Text(line, style) if isinstance(line, str) else line


def segments(line: Line, palette: Palette, base: Style) -> list[Segment]:
    """`line` as segments over `base`, the style of the row it stands in."""
    if isinstance(line, str):
        return [Segment(steady(inert(line)), over(base, palette.style("text")))] if line else []
    whole = palette.style("text") + _style(line.style, palette)
    text = line.plain
    whole_signs = _whole_signs(text)
    spans = [(whole_signs(max(0, span.start)), whole_signs(min(len(text), span.end)), span) for span in line.spans]
    edges = sorted({0, len(text), *(edge for start, end, _ in spans for edge in (start, end))})
    painted = []
    for start, end in pairwise(edges):
        style = whole
        for low, high, span in spans:
            if low <= start and end <= high:
                style += _style(span.style, palette)
        painted.append(Segment(steady(inert(text[start:end])), over(base, style)))
    return painted


def _whole_signs(text: str) -> Callable[[int], int]:
    """What gives of a place in a text that of the sign that it is in."""
    if text.isascii() or _UNSTEADY.search(text) is None:
        return lambda place: place
    starts = [start for start, _, _ in split_graphemes(text)[0]] + [len(text)]
    return lambda place: starts[bisect_right(starts, place) - 1]


def over(base: Style, style: Style) -> Style:
    """`style` drawn over `base`; on a reversed row without its colours, which would become patches of background."""
    return base + (style.without_color if base.reverse else style)


def _style(style: str | Style, palette: Palette) -> Style:
    return style if isinstance(style, Style) else palette.style(style)


def capped(line: Line, limit: int) -> Line:
    """`line` cut at `limit` characters; what was cut is said (`… +12 chars`)."""
    beyond = len(plain(line)) - limit
    if beyond <= 0:
        return line
    kept = Text(line[:limit], "text") if isinstance(line, str) else line[:limit]
    return kept.append(f"… +{beyond:,} chars", "label")


def highlighted(line: Line, needle: str) -> Line:
    """`line` with each occurrence of `needle` lit, whatever its case."""
    text = plain(line)
    folded, sought = text.lower(), needle.lower()
    if not sought or len(folded) != len(text) or sought not in folded:
        return line
    lit = Text(line, "text") if isinstance(line, str) else line.copy()
    at = folded.find(sought)
    while at != -1:
        lit.stylize("match", at, at + len(sought))
        at = folded.find(sought, at + len(sought))
    return lit


def fitted(strip: Strip, width: int, base: Style, *, ellipsis: str = "…", align: Align = "left") -> Strip:
    """`strip` at exactly `width` cells: padded, or cut with an ellipsis that takes the style it cuts into."""
    spare = width - strip.cell_length
    if spare >= 0:
        pad = Segment(" " * spare, base)
        parts = [pad, *strip] if align == "right" else [*strip, pad]
        return Strip([part for part in parts if part.text], width)
    mark = cell_len(ellipsis)
    if width <= mark:
        return strip.crop(0, width)
    kept = strip.crop(0, width - mark)
    last = list(kept)[-1].style if len(kept) else base
    return Strip([*kept, Segment(ellipsis, last)], width)
