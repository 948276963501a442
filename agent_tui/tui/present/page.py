"""A page of lines some of which are about something: the cursor stops at those, and Enter is about it."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct
from rich.text import Text

PageLine = tuple[Text, object | None]


class Page(Struct, frozen=True):
    """Lines, and what each is about (None: nothing, the cursor does not stop)."""

    lines: Sequence[Text]
    about: Sequence[object | None]

    @classmethod
    def of(cls, pairs: Iterable[PageLine]) -> Page:
        """A page of lines with what they are about."""
        listed = list(pairs)
        return cls([line for line, _ in listed], [about for _, about in listed])

    def under(self, lines: Iterable[Text]) -> Page:
        """The same below some lines that are about nothing."""
        above = list(lines)
        return Page([*above, *self.lines], [*[None] * len(above), *self.about])

    @property
    def stops(self) -> list[int]:
        """The lines where the cursor may rest."""
        return [line for line, about in enumerate(self.about) if about is not None]

    def at(self, line: int) -> object | None:
        """What a line is about."""
        return self.about[line] if 0 <= line < len(self.about) else None

    def line_of(self, about: object | None) -> int:
        """The line about something; the first stop where there is none."""
        if about is not None and about in self.about:
            return self.about.index(about)
        return next(iter(self.stops), 0)


BLANK: PageLine = (Text(), None)


def told(
    sentence: str, width: int, style: str = "label", *, indent: int = 0, hang: int | None = None
) -> Iterator[Text]:
    """A sentence over as many lines as it needs; all but the first begin at `hang`."""
    start, rest = " " * indent, " " * (indent if hang is None else hang)
    lines = textwrap.wrap(
        sentence, max(20, width - 1), initial_indent=start, subsequent_indent=rest, break_on_hyphens=False
    )
    yield from (Text(line, style) for line in lines)


def lit(head: str, sentence: str, width: int, style: str, head_style: str) -> Iterator[Text]:
    """A sentence as a lit block of `width` cells, its first word standing out."""
    for number, line in enumerate(textwrap.wrap(f"{head}  {sentence}", max(20, width - 2))):
        text = Text(f" {line:<{width - 1}}", style)
        if number == 0:
            text.stylize(head_style, 1, 1 + len(head))
        yield text
