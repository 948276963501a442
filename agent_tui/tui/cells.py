"""The screen as a grid of cells, and the fewest bytes that turn one grid into another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple

from rich.cells import cell_len, split_graphemes
from rich.color import ColorSystem
from rich.segment import Segment
from rich.style import Style

from agent_tui.tui.widgets.paint import inert

NEAR = 4
"""Unchanged cells that are cheaper to write again than to step over."""


ANY = ""

ERASED = 12
"""Blanks in a row that are cheaper to erase than to write."""


class Pen(NamedTuple):
    """How a cell is drawn: attribute codes in order, foreground and background codes.

    A blank shows no foreground: it has the code `ANY`, and is written with whatever is in hand.
    """

    attributes: tuple[str, ...] = ()
    foreground: str = "39"
    background: str = "49"


class Cell(NamedTuple):
    """One cell; the second half of a wide character has no text."""

    text: str
    pen: Pen


PLAIN = Pen()
_BLANK = Cell(" ", PLAIN._replace(foreground=ANY))
_UNKNOWN = Cell("\0", PLAIN)
_ATTRIBUTES = {
    "bold": "1", "dim": "2", "italic": "3", "underline": "4", "blink": "5", "blink2": "6", "reverse": "7",
    "conceal": "8", "strike": "9", "underline2": "21", "frame": "51", "encircle": "52", "overline": "53",
}  # fmt: skip
_UNSEEN = {"1", "2", "3"}
"""Attributes that a blank does not show."""
_OFF = {"1": "22", "2": "22", "3": "23", "4": "24", "5": "25", "7": "27", "8": "28", "9": "29"}


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
    text = inert(text)
    blank = Cell(" ", _for_blanks(pen))
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


def _for_blanks(pen: Pen) -> Pen:
    if "7" in pen.attributes:
        return pen
    return Pen(tuple(code for code in pen.attributes if code not in _UNSEEN), ANY, pen.background)


class Grid:
    """What should be on the screen beside what is there; `erases` if the terminal erases in the background in hand."""

    def __init__(self, width: int, height: int, *, erases: bool = False) -> None:
        self._erases = erases
        self.width = width
        self.height = height
        self._wanted = [[_BLANK] * width for _ in range(height)]
        self._shown = [[_UNKNOWN] * width for _ in range(height)]

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

    def changes(self) -> str:
        """What to write so that the screen is as wanted; from then on it counts as shown."""
        writing = _Writing(self._erases)
        for y, (wanted, shown) in enumerate(zip(self._wanted, self._shown, strict=True)):
            if wanted == shown:
                continue
            for start, end in _runs(wanted, shown):
                writing.write(start, y, wanted[start:end], at_edge=end == self.width)
            self._shown[y] = wanted.copy()
        return writing.done()


def _mend(row: list[Cell], start: int, end: int) -> None:
    """Blank the halves of wide characters that were cut by writing over `start` to `end`."""
    if 0 < start < len(row) and row[start].text and cell_len(row[start - 1].text) > 1:
        row[start - 1] = Cell(" ", _for_blanks(row[start - 1].pen))
    if end < len(row) and not row[end].text:
        row[end] = Cell(" ", _for_blanks(row[end].pen))


def _runs(wanted: list[Cell], shown: list[Cell]) -> Iterator[tuple[int, int]]:
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


def _whole(row: list[Cell], start: int, end: int) -> tuple[int, int]:
    while start > 0 and not row[start].text:
        start -= 1
    while end < len(row) and not row[end].text:
        end += 1
    return start, end


class _Writing:
    """Output in the making: knows where the cursor is and which pen is in the terminal's hand."""

    def __init__(self, erases: bool) -> None:
        self._erases = erases
        self._parts: list[str] = []
        self._pen = PLAIN
        self._at: tuple[int, int] | None = None

    def write(self, x: int, y: int, cells: list[Cell], *, at_edge: bool) -> None:
        """Write cells from a place on."""
        self._go(x, y)
        for cell, same in groupby(cells):
            count = len(list(same))
            pen = cell.pen
            if pen is not self._pen and pen != self._pen:
                self._take_up(_blanker(self._pen, pen) if pen.foreground == ANY else pen)
            if count >= ERASED and self._erases and pen.foreground == ANY and not pen.attributes:
                # What is erased takes the background in hand, and the cursor stays where it is.
                self._parts.append(f"\x1b[{count}X\x1b[{count}C")
            else:
                self._parts.append(cell.text * count)
            x += count
            if len(cell.text) > 1 or cell.text > "\U0001f000":
                # Terminals differ about the width of what is put together: say where the next cell is.
                self._parts.append(f"\x1b[{x + cell_len(cell.text)}G")
        self._at = None if at_edge else (x, y)

    def _take_up(self, pen: Pen) -> None:
        if pen != self._pen:
            self._parts.append(f"\x1b[{_turn(self._pen, pen)}m")
            self._pen = pen

    def _go(self, x: int, y: int) -> None:
        if self._at == (x, y):
            return
        if self._at and self._at[1] == y and x > self._at[0]:
            self._parts.append(f"\x1b[{x - self._at[0]}C")
        else:
            self._parts.append(f"\x1b[{y + 1};{x + 1}H")

    def done(self) -> str:
        """All that was written, the terminal's pen plain again."""
        if self._pen != PLAIN:
            self._parts.append("\x1b[0m")
        return "".join(self._parts)


@lru_cache(maxsize=4096)
def _blanker(hand: Pen, blank: Pen) -> Pen:
    """The pen nearest to the one in hand that draws a blank as wanted."""
    if "7" in hand.attributes:
        return Pen(blank.attributes, PLAIN.foreground, blank.background)
    kept = [code for code in hand.attributes if code in _UNSEEN]
    return Pen((*kept, *blank.attributes), hand.foreground, blank.background)


@lru_cache(maxsize=4096)
def _turn(old: Pen, new: Pen) -> str:
    """The shortest codes from one pen to another."""
    whole = [*new.attributes]
    whole += [new.foreground] if new.foreground != PLAIN.foreground else []
    whole += [new.background] if new.background != PLAIN.background else []
    afresh = ";".join(["0", *whole]) if whole else "0"
    gone = [code for code in old.attributes if code not in new.attributes]
    if any(code not in _OFF for code in gone):
        return afresh
    off = list(dict.fromkeys(_OFF[code] for code in gone))
    lost = {code for code in old.attributes if code in _OFF and _OFF[code] in off}
    on = [code for code in new.attributes if code not in old.attributes or code in lost]
    steps = off + on
    steps += [new.foreground] if new.foreground != old.foreground else []
    steps += [new.background] if new.background != old.background else []
    changed = ";".join(steps)
    return changed if len(changed) < len(afresh) else afresh
