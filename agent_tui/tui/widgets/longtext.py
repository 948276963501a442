"""A very long text as lines by number, without cutting it up first.

Opening costs one pass that counts line feeds a block at a time; a line is found inside its block when it is asked for.
A text without line feeds is cut where a whole block has none, so that no line is longer than two blocks.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable
from functools import lru_cache
from itertools import accumulate

from agent_tui.tui.needles import find, find_back
from agent_tui.tui.widgets.foreign import shown_line
from agent_tui.tui.widgets.paint import Line

BLOCK = 2048
"""Characters that are searched for line feeds at once."""


class LongText:
    """The lines of `text`; `clean` makes one safe to show, when it is shown."""

    def __init__(self, text: str | bytes, clean: Callable[[str], str] = shown_line) -> None:
        self._text = text if isinstance(text, str) else text.decode("utf-8", "replace")
        self._clean = clean
        blocks = range(0, max(1, len(self._text)), BLOCK)
        self._before = [0, *accumulate(self._starts_in(at) for at in blocks)]
        self._find_starts = lru_cache(maxsize=64)(self._starts)

    @property
    def count(self) -> int:
        """How many lines there are; a line feed at the very end begins none."""
        return self._before[-1] - self._text.endswith("\n")

    def line(self, number: int) -> Line:
        """One line, safe to show."""
        return self._clean(self.raw(number).expandtabs(4))

    def raw(self, number: int) -> str:
        """One line as it was written, without its line end."""
        start = self.offset(number)
        end = self.offset(number + 1) if number + 1 < self._before[-1] else len(self._text)
        return self._text[start:end].removesuffix("\n").removesuffix("\r")

    def offset(self, number: int) -> int:
        """Where a line starts in the text."""
        block = bisect_right(self._before, number) - 1
        return self._find_starts(block)[number - self._before[block]]

    def line_at(self, offset: int) -> int:
        """The line that holds the character at `offset`."""
        block = min(offset // BLOCK, len(self._before) - 2)
        return self._before[block] + bisect_right(self._find_starts(block), offset) - 1

    def find(self, needle: str, line: int = 0, *, backwards: bool = False) -> int | None:
        """The next line at or after `line` (or the last before it) that holds `needle`, whatever its case."""
        if not needle:
            return None
        at = self.offset(line) if line < self.count else len(self._text)
        found = find_back(self._text, needle, at) if backwards else find(self._text, needle, at)
        return None if found is None else self.line_at(found)

    def _starts_in(self, at: int) -> int:
        """How many lines start because of the block at `at`: those after its line feeds, or its own start."""
        feeds = self._text.count("\n", at, at + BLOCK)
        return feeds + self._cuts(at, feeds)

    def _cuts(self, at: int, feeds: int) -> bool:
        """Whether a line starts at the start of a block: in the first one, and where a block has no line feed."""
        return not at or (not feeds and self._text[at - 1] != "\n")

    def _starts(self, block: int) -> list[int]:
        at = block * BLOCK
        feeds = [match.end() for match in re.finditer("\n", self._text[at : at + BLOCK])]
        own = [at] if self._cuts(at, len(feeds)) else []
        return own + [at + feed for feed in feeds]
