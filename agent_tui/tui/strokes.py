"""The fewest bytes that put changed cells onto a terminal.

A colour costs as much as twenty letters. So a row is tried in two ways, and the shorter is sent: from left to right, or
colour by colour, its blanks erased at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple

from msgspec import Struct, field
from msgspec.structs import replace
from rich.cells import cell_len

ANY = ""

ERASED = 12
"""Blanks in a row that are cheaper to erase than to write."""
STEPPED = 3
"""Blanks between two pieces that are cheaper to write than to step over."""
_UNSEEN = frozenset({"1", "2", "3"})
"""Attributes that a blank does not show."""
_OFF = {"1": "22", "2": "22", "3": "23", "4": "24", "5": "25", "7": "27", "8": "28", "9": "29"}

Span = tuple[int, int]
"""Where changed cells start in a row, and where they end."""


class Pen(NamedTuple):
    """How a cell is drawn: attribute codes in order, foreground and background codes.

    A blank shows no foreground: it has the code `ANY`, and is written with whatever is in hand.
    """

    attributes: tuple[str, ...] = ()
    foreground: str = "39"
    background: str = "49"

    @property
    def is_bare(self) -> bool:
        """Whether it draws nothing but a background."""
        return self.foreground == ANY and not self.attributes

    def for_blanks(self) -> Pen:
        """The pen of a blank in this one."""
        if "7" in self.attributes:
            return self
        return Pen(tuple(code for code in self.attributes if code not in _UNSEEN), ANY, self.background)


class Cell(NamedTuple):
    """One cell; the second half of a wide character has no text."""

    text: str
    pen: Pen


PLAIN = Pen()


class Piece(NamedTuple):
    """Neighbouring cells in one pen."""

    start: int
    end: int
    pen: Pen
    text: str


class Hand(Struct):
    """Output in the making: where the cursor is, and which pen the terminal has in its hand."""

    pen: Pen = PLAIN
    at: tuple[int, int] | None = None
    parts: list[str] = field(default_factory=list)

    def free(self) -> Hand:
        """The same place and pen, with nothing written."""
        return replace(self, parts=[])

    def go(self, x: int, y: int) -> None:
        """Have the cursor at a place."""
        if self.at == (x, y):
            return
        if self.at is None or self.at[1] != y:
            self.parts.append(f"\x1b[{y + 1};{x + 1}H")
        elif x > self.at[0]:
            self.parts.append("\x1b[C" if x == self.at[0] + 1 else f"\x1b[{x - self.at[0]}C")
        else:
            self.parts.append(f"\x1b[{x + 1}G")
        self.at = x, y

    def take(self, pen: Pen) -> None:
        """Take a pen; for a blank, the nearest that draws it as wanted."""
        if pen.foreground == ANY:
            pen = _blanker(self.pen, pen)
        if pen != self.pen:
            self.parts.append(f"\x1b[{turn(self.pen, pen)}m")
            self.pen = pen

    def draw(self, piece: Piece, width: int) -> None:
        """Write a piece where the cursor is."""
        self.take(piece.pen)
        self.parts.append(piece.text)
        self.at = None if self.at is None or piece.end == width else (piece.end, self.at[1])


class Writing:
    """What is written of row after row, from the pen in hand on.

    `erases` if the terminal erases in the background in hand.
    """

    def __init__(self, pen: Pen = PLAIN, *, erases: bool) -> None:
        self._erases = erases
        self._hand = Hand(pen)
        self._parts: list[str] = []

    @property
    def pen(self) -> Pen:
        """The pen that is in hand after all that."""
        return self._hand.pen

    @property
    def text(self) -> str:
        """All that was written."""
        return "".join(self._parts)

    def write(self, y: int, row: Sequence[Cell], spans: Iterable[Span]) -> None:
        """Write some stretches of a row."""
        pieces = [piece for start, end in spans for piece in _pieces(row, start, end)]
        best = _straight(self._hand.free(), y, pieces, len(row), erases=self._erases)
        if self._erases and len(pieces) > 2:
            other = _by_pen(self._hand.free(), y, pieces, len(row))
            best = min(best, other, key=_length)
        self._hand = best
        self._parts += best.parts


def _length(hand: Hand) -> int:
    return sum(map(len, hand.parts))


def _pieces(row: Sequence[Cell], start: int, end: int) -> Iterator[Piece]:
    for pen, same in groupby(row[start:end], key=lambda cell: cell.pen):
        cells = list(same)
        yield Piece(start, start + len(cells), pen, _text(start, cells))
        start += len(cells)


def _text(x: int, cells: Sequence[Cell]) -> str:
    """The text of cells; terminals differ about the width of what is put together: say where the next cell is.

    One that takes a cell where two are meant would leave what stood in the second: both are blanked before.
    """
    text = "".join(cell.text for cell in cells)
    if text.isascii():
        return text
    parts: list[str] = []
    for at, (letters, _) in enumerate(cells, x):
        if len(letters) <= 1 and letters <= "\U0001f000":
            parts.append(letters)
            continue
        width = cell_len(letters)
        if len(letters) > 1 and width > 1:
            parts.append(f"{' ' * width}\x1b[{at + 1}G")
        parts += letters, f"\x1b[{at + 1 + width}G"
    return "".join(parts)


# From left to right


def _straight(hand: Hand, y: int, pieces: Sequence[Piece], width: int, *, erases: bool) -> Hand:
    for piece in pieces:
        hand.go(piece.start, y)
        count = piece.end - piece.start
        if erases and count >= ERASED and piece.pen.is_bare:
            # What is erased takes the background in hand, and the cursor stays where it is.
            hand.take(piece.pen)
            hand.parts.append(f"\x1b[{count}X")
        else:
            hand.draw(piece, width)
    return hand


# Colour by colour


def _by_pen(hand: Hand, y: int, pieces: Sequence[Piece], width: int) -> Hand:
    """Erase each stretch of one background, then write what stands on it, pen by pen, the nearest pen next."""
    for stretch in _stretches(pieces):
        _erase(hand, y, stretch, with_ink=stretch[-1] is pieces[-1])
    gaps = {piece.start: piece for piece in pieces if piece.pen.is_bare and piece.end - piece.start <= STEPPED}
    left: dict[Pen, list[Piece]] = {}
    for piece in pieces:
        if not piece.pen.is_bare:
            left.setdefault(piece.pen, []).append(piece)
    while left:
        for piece in left.pop(hand.pen if hand.pen in left else _nearest(hand, left)):
            _step(hand, piece.start, y, gaps)
            hand.draw(piece, width)
    return hand


def _nearest(hand: Hand, left: Mapping[Pen, Sequence[Piece]]) -> Pen:
    """The pen that takes the fewest bytes to have in hand at its first piece; going back takes two more than on."""
    x = hand.at[0] if hand.at is not None else 0
    return min(left, key=lambda pen: len(turn(hand.pen, pen)) + (2 if left[pen][0].start < x else 0))


def _stretches(pieces: Sequence[Piece]) -> Iterator[list[Piece]]:
    """Pieces that touch and have one background."""
    stretch: list[Piece] = []
    for piece in pieces:
        if stretch and (piece.start != stretch[-1].end or piece.pen.background != stretch[-1].pen.background):
            yield stretch
            stretch = []
        stretch.append(piece)
    yield stretch


def _erase(hand: Hand, y: int, stretch: Sequence[Piece], *, with_ink: bool) -> None:
    """Erase a stretch up to its last blank; `with_ink` with a pen that is needed on it next."""
    blank = [piece for piece in stretch if piece.pen.is_bare]
    if blank:
        hand.go(stretch[0].start, y)
        inks = [piece.pen for piece in stretch if with_ink and not piece.pen.is_bare and _shows_nothing(piece.pen)]
        hand.take(min(inks, key=lambda pen: len(turn(hand.pen, pen)), default=blank[0].pen))
        hand.parts.append(f"\x1b[{blank[-1].end - stretch[0].start}X")


def _step(hand: Hand, x: int, y: int, gaps: Mapping[int, Piece]) -> None:
    """Go to a cell, over few blanks of the background in hand by writing them."""
    gap = gaps.get(hand.at[0]) if hand.at is not None else None
    if gap is not None and gap.end == x and gap.pen.background == hand.pen.background and _shows_nothing(hand.pen):
        hand.parts.append(gap.text)
        hand.at = x, y
    hand.go(x, y)


# From pen to pen


def _shows_nothing(pen: Pen) -> bool:
    """Whether a blank in a pen shows nothing but its background."""
    return _UNSEEN.issuperset(pen.attributes)


@lru_cache(maxsize=4096)
def _blanker(hand: Pen, blank: Pen) -> Pen:
    """The pen nearest to the one in hand that draws a blank as wanted."""
    if "7" in hand.attributes:
        return Pen(blank.attributes, PLAIN.foreground, blank.background)
    kept = [code for code in hand.attributes if code in _UNSEEN]
    return Pen((*kept, *blank.attributes), hand.foreground, blank.background)


@lru_cache(maxsize=4096)
def turn(old: Pen, new: Pen) -> str:
    """The shortest codes from one pen to another."""
    whole = [*new.attributes]
    whole += [new.foreground] if new.foreground != PLAIN.foreground else []
    whole += [new.background] if new.background != PLAIN.background else []
    afresh = ";".join(["0", *whole]) if whole else ""
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
