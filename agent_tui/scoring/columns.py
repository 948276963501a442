"""Columns of many rows without an object a row: numbers, texts, words that repeat. In memory, or in a file."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from itertools import compress
from typing import Any, ClassVar, TypeAlias, cast

Numbers: TypeAlias = "array[int]"
"""Whole numbers, a row each. Where they lie in a file, it is something that reads like an array."""
SEPARATOR = b"\xff"
"""Stands before each text; no text holds it, since it is in no UTF-8."""
_PENDING = 1024
_BLOCK = 1 << 13


def mapped(view: memoryview, code: str) -> Any:
    """Bytes as a column of numbers: it reads like an `array`, or a `bytearray`, and is never added to."""
    return view.cast("B").cast(cast("Any", code))


def every(column: Any, first: int, step: int) -> bytes:
    """Each `step`-th of a column of bytes: a copy of a block is strided over in a quarter of the time of a view."""
    blocks = range(0, len(column), step * _BLOCK)
    return b"".join(bytes(column[low : low + step * _BLOCK])[first::step] for low in blocks)


def text_bytes(text: str) -> bytes:
    """A text as it is kept; lone surrogates as if they were characters."""
    return text.encode("utf-8", "surrogatepass")


def bytes_text(kept: bytes) -> str:
    """The text that was kept."""
    return kept.decode("utf-8", "surrogatepass")


class Texts:
    """A text a row: one blob, and where in it each text ends."""

    def __init__(self) -> None:
        self._blob: Any = bytearray()
        self._ends: Numbers = array("Q")
        self._pending: list[str] = []

    @classmethod
    def in_file(cls, blob: Any, ends: Numbers) -> Texts:
        """Texts that lie in a file; `blob` reads like a `bytearray`."""
        texts = cls()
        texts._blob, texts._ends = blob, ends
        return texts

    def __len__(self) -> int:
        return len(self._ends) + len(self._pending)

    def append(self, text: str) -> None:
        """Add a row."""
        self._pending.append(text)
        if len(self._pending) >= _PENDING:
            self._settle()

    def extend(self, texts: Iterable[str]) -> None:
        """Add rows."""
        self._pending += texts
        if len(self._pending) >= _PENDING:
            self._settle()

    def _settle(self) -> None:
        """Put what was appended into the blob, many at a time."""
        blob, ends = self._blob, self._ends
        assert isinstance(blob, bytearray)  # what lies in a file is never added to
        for text in self._pending:
            blob += SEPARATOR
            blob += text_bytes(text)
            ends.append(len(blob))
        self._pending.clear()

    def __getitem__(self, row: int) -> str:
        """The text of a row."""
        settled = len(self._ends)
        if row < 0:
            row += len(self)
        if row >= settled:
            return self._pending[row - settled]
        start = self._ends[row - 1] if row else 0
        return bytes_text(bytes(self._blob[start + 1 : self._ends[row]]))

    def __iter__(self) -> Iterator[str]:
        return (self[row] for row in range(len(self)))

    def rows_with(self, kept: bytes) -> Iterator[int]:
        """The rows whose text, with the separator before it, holds `kept`: in order, each once."""
        if self._pending:
            self._settle()
        place, end = 0, self._ends[-1] if len(self._ends) else 0
        while (found := self._blob.find(kept, place, end)) >= 0:
            row = bisect_right(self._ends, found)
            yield row
            place = self._ends[row]

    def lowered(self, low: int, high: int) -> bytes | None:
        """Some rows in lower case, each behind a separator; None where one has other letters than ASCII's."""
        if self._pending:
            self._settle()
        start = self._ends[low - 1] if low else 0
        block = bytes(self._blob[start : self._ends[high - 1]]).lower()
        return block if block.translate(None, SEPARATOR).isascii() else None

    def parts(self) -> tuple[bytes, bytes]:
        """The blob and the ends, to be written to a file."""
        if self._pending:
            self._settle()
        return bytes(self._blob), self._ends.tobytes()


class Codes(dict[str | None, int]):
    """A small number for each word, given out where it is first asked for."""

    def __init__(self, words: list[str | None]) -> None:
        super().__init__((word, code) for code, word in enumerate(words))
        self.words = words

    def __missing__(self, word: str | None) -> int:
        code = self[word] = len(self.words)
        self.words.append(word)
        return code


class Words:
    """A column of words that repeat, one small number a row."""

    def __init__(self) -> None:
        self.words: list[str | None] = []
        self.code_of = Codes(self.words)
        self.rows: Numbers = array("I")
        """The column as numbers into `words`."""

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, row: int) -> str | None:
        return self.words[self.rows[row]]

    def extend(self, words: Iterable[str | None]) -> None:
        """Add rows."""
        self.rows.extend(map(self.code_of.__getitem__, words))

    def replace(self, row: int, word: str | None) -> None:
        """Another word in a row that stands."""
        self.rows[row] = self.code_of[word]

    def codes(self) -> Numbers:
        """The column as numbers into `words`."""
        return self.rows


class Reasons:
    """Why rows have no usable number, a byte a row: 0 says that they have one."""

    WORDS = ("", "absent", "null", "not a number", "NaN", "inf", "-inf")
    CODES: ClassVar = {word: code for code, word in enumerate(WORDS)}

    def __init__(self, codes: bytearray) -> None:
        self.codes = codes

    def __len__(self) -> int:
        return len(self.codes)

    def get(self, row: int) -> str | None:
        """The reason of a row; None where it has a number."""
        return self.WORDS[self.codes[row]] or None

    def rows(self) -> Iterator[int]:
        """The rows without a number."""
        return compress(range(len(self.codes)), self.codes)


class Findings:
    """What is odd about some rows, in words: texts that repeat, 0 where a row has none."""

    def __init__(self) -> None:
        self.words: list[str | None] = [None]
        self.code_of = Codes(self.words)
        self.rows: Numbers = array("I")

    def __iter__(self) -> Iterator[int]:
        """The rows that have one, in order."""
        return compress(range(len(self.rows)), self.rows)

    def __getitem__(self, row: int) -> str:
        return self.words[self.rows[row]] or ""

    def get(self, row: int) -> str | None:
        """The text of a row; None where it has none."""
        return self.words[self.rows[row]]

    def extend(self, texts: Iterable[str | None]) -> None:
        """Add rows."""
        self.rows.extend(map(self.code_of.__getitem__, texts))

    def replace(self, row: int, text: str | None) -> None:
        """Another text in a row that stands."""
        self.rows[row] = self.code_of[text]
