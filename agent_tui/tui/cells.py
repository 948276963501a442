"""The screen as a grid of cells, and the fewest bytes that turn one grid into another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from rich.cells import cell_len, split_graphemes
from rich.color import ColorSystem
from rich.segment import Segment
from rich.style import Style

from agent_tui.tui.strokes import ANY, PLAIN, Cell, Pen, Span, Writing
from agent_tui.tui.widgets.paint import inert, steady

NEAR = 4
"""Unchanged cells that are cheaper to write again than to step over."""
FEW = 4
"""Changed rows that are tried from below too: the pen in hand may fit there better."""
PUT_DOWN = "\x1b[m"
"""Puts down the pen in the terminal's hand."""


_BLANK = Cell(" ", PLAIN._replace(foreground=ANY))
_UNKNOWN = Cell("\0", PLAIN)
_ATTRIBUTES = {
    "bold": "1", "dim": "2", "italic": "3", "underline": "4", "blink": "5", "blink2": "6", "reverse": "7",
    "conceal": "8", "strike": "9", "underline2": "21", "frame": "51", "encircle": "52", "overline": "53",
}  # fmt: skip


@lru_cache(maxsize=8192)
def pen_for(style: Style | None, system: ColorSystem) -> Pen:
    """The pen of a style on a terminal with so many colours. Links are left out: none may come from data."""
    if style is None:
        return PLAIN
    attributes = tuple(code for name, code in _ATTRIBUTES.items() if getattr(style, name))
    front, back = style.color, style.bgcolor
    return Pen(
        attributes,
        ";".join(front.downgrade(system).get_ansi_codes(True)) if front else PLAIN.foreground,
        ";".join(back.downgrade(system).get_ansi_codes(False)) if back else PLAIN.background,
    )


@lru_cache(maxsize=4096)
def cells_of(text: str, pen: Pen) -> tuple[Cell, ...]:
    """The cells of a piece of text, without anything that could act on the terminal."""
    text = steady(inert(text))
    blank = Cell(" ", pen.for_blanks())
    if text.isascii():
        return tuple(blank if character == " " else Cell(character, pen) for character in text)
    cells: list[Cell] = []
    for start, end, width in split_graphemes(text)[0]:
        if width:
            cells.append(blank if text[start:end] == " " else Cell(text[start:end], pen))
            cells.extend(Cell("", pen) for _ in range(width - 1))
        elif cells and cells[-1].text:
            cells[-1] = Cell(cells[-1].text + text[start:end], pen)
    return tuple(cells)


class Grid:
    """What should be on the screen beside what is there; `erases` if the terminal erases in the background in hand."""

    def __init__(self, width: int, height: int, *, erases: bool = False) -> None:
        self._erases = erases
        self.width = width
        self.height = height
        self._wanted = [[_BLANK] * width for _ in range(height)]
        self._shown = [[_UNKNOWN] * width for _ in range(height)]
        self._pen: Pen | None = None
        """The pen in the terminal's hand; None where that is not known."""

    def put(self, x: int, y: int, segments: Iterable[Segment], system: ColorSystem) -> None:
        """Want these segments at a place."""
        if not 0 <= y < self.height:
            return
        row = self._wanted[y]
        start = x
        for text, style, control in segments:
            if control or not text:
                continue
            cells = cells_of(text, pen_for(style, system))[: max(0, self.width - x)]
            row[x : x + len(cells)] = cells
            x += len(cells)
        _mend(row, start, x)

    def forget(self) -> None:
        """What is on the screen is not known any more."""
        self._shown = [[_UNKNOWN] * self.width for _ in range(self.height)]
        self._pen = None

    def changes(self) -> str:
        """What to write so that the screen is as wanted; from then on it counts as shown.

        The terminal keeps the pen that was last in its hand: to put it down and take it up again costs as much as a
        word. So whoever writes something else has to put it down, with `PUT_DOWN`.
        """
        pairs = enumerate(zip(self._wanted, self._shown, strict=True))
        changed = [(y, [*_spans(wanted, shown)]) for y, (wanted, shown) in pairs if wanted != shown]
        if not changed:
            return ""
        best = self._written(changed)
        if 1 < len(changed) <= FEW:
            best = min(best, self._written(changed[::-1]), key=lambda writing: len(writing.text))
        for y, _ in changed:
            self._shown[y] = self._wanted[y].copy()
        start = PUT_DOWN if self._pen is None else ""
        self._pen = best.pen
        return start + best.text

    def _written(self, changed: Iterable[tuple[int, Sequence[Span]]]) -> Writing:
        writing = Writing(self._pen or PLAIN, erases=self._erases)
        for y, spans in changed:
            writing.write(y, self._wanted[y], spans)
        return writing


def _mend(row: list[Cell], start: int, end: int) -> None:
    """Blank the halves of wide characters that were cut by writing over `start` to `end`."""
    if 0 < start < len(row) and row[start].text and cell_len(row[start - 1].text) > 1:
        row[start - 1] = Cell(" ", row[start - 1].pen.for_blanks())
    if end < len(row) and not row[end].text:
        row[end] = Cell(" ", row[end].pen.for_blanks())


def _spans(wanted: list[Cell], shown: list[Cell]) -> Iterator[Span]:
    """The stretches of a row to write: changed cells, near ones joined, wide characters whole."""
    changed = [x for x, (new, old) in enumerate(zip(wanted, shown, strict=True)) if new != old]
    start = end = -1
    for x in changed:
        if start < 0:
            start = x
        elif x - end > NEAR:
            yield _whole(wanted, start, end)
            start = x
        end = x + 1
    yield _whole(wanted, start, end)


def _whole(row: list[Cell], start: int, end: int) -> Span:
    while start > 0 and not row[start].text:
        start -= 1
    while end < len(row) and not row[end].text:
        end += 1
    return start, end
