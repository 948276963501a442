"""Lines of a provenance: some said once, some drawn when they are seen, since there may be a million of them."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate, compress
from typing import Any

from msgspec import Struct
from rich.text import Text

from agent_tui.bundles import Bundle
from agent_tui.tui.present.words import safe_name


class Many(Struct, frozen=True):
    """A line an item, drawn when it is seen; and the row that an item is about."""

    items: Sequence[Any]
    draw: Callable[[Any], Text]
    row_of: Callable[[Any], int | None] = lambda row: row


Part = Text | Many


class Provenance:
    """Lines to read, and the row that each line is about."""

    hang = 11

    def __init__(self, parts: Iterable[Part]) -> None:
        self._parts = list(parts)
        lengths = (len(part.items) if isinstance(part, Many) else 1 for part in self._parts)
        self._starts = [0, *accumulate(lengths)]

    @property
    def count(self) -> int:
        """How many lines there are."""
        return self._starts[-1]

    def line(self, number: int, /) -> Text:
        """One line."""
        part, at = self._at(number)
        return part.draw(part.items[at]) if isinstance(part, Many) else part

    def row(self, number: int) -> int | None:
        """The row that a line is about; None where it is about none."""
        part, at = self._at(number)
        return part.row_of(part.items[at]) if isinstance(part, Many) else None

    def _at(self, number: int) -> tuple[Part, int]:
        place = bisect_right(self._starts, number) - 1
        return self._parts[place], number - self._starts[place]


def pair(label: str, value: str, style: str = "text") -> Text:
    """A fact beside its label."""
    return Text(f"{label:<10} ", "label").append(value, style)


def section(
    bundle: Bundle, title: str, rows: Sequence[int], style: str, reason: Callable[[int], str] = lambda row: ""
) -> Iterator[Part]:
    """A heading with how many runs there are, and a line a run; nothing where there are none."""
    if not rows:
        return

    def draw(row: int) -> Text:
        return Text("  ").append(safe_name(bundle.names.name(row)), style).append(f"  {reason(row)}", "label")

    yield Text(f"{title} ({len(rows):,})", "title")
    yield Many(rows, draw)


def rows_of_codes(column: bytes | bytearray, *codes: int) -> Sequence[int]:
    """Numbers of the rows whose byte in a column is one of `codes`."""
    wanted = bytes(code in codes for code in range(256))
    return array("I", compress(range(len(column)), column.translate(wanted)))
