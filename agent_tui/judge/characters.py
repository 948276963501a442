"""What characters are: which may travel as they are, which cannot be seen, and which only look like Latin letters."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from itertools import accumulate

from msgspec import Struct

_NO_INK = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u2800\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
"""Ranges that draw nothing, or change how others are drawn: Unicode's default ignorables and blank letters."""
INVISIBLE = re.compile(f"[{_NO_INK}]+")
CONTROL = re.compile(
    r"(?:\x1b\[[0-?]{0,64}[ -/]{0,8}[@-~]|\x1b\][^\x07\x1b\n]{0,256}(?:\x07|\x1b\\)?"
    r"|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\x80-\x9f])+"
)
"""Terminal sequences and control characters; line feeds, tabs and returns are none."""
_UNSEEN = re.compile(f"{INVISIBLE.pattern}|{CONTROL.pattern}")
_KEPT_ESCAPES = {"\n": "\\n", "\t": "\\t", "\r": "\\r", '"': '\\"', "\\": "\\\\"}
_PLAIN = re.compile(r"""[^ !#-%'-;=?A-\[\]-_a-z{-~]""")
_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")


def escape(text: str) -> str:
    """`text` as a JSON string in which only letters, ASCII digits and harmless ASCII marks stand as they are.

    Markup, backticks, `@`, controls, invisible characters and every sign outside ASCII become `\\uXXXX`, so that no
    delimiter, chat token or file name of a foreign text can act. `json.loads` gives the text back.
    """
    return '"' + _PLAIN.sub(_escaped, text) + '"'


def _escaped(match: re.Match[str]) -> str:
    char = match[0]
    if char in _KEPT_ESCAPES:
        return _KEPT_ESCAPES[char]
    if char > "\x7f" and char.isalpha() and not INVISIBLE.match(char):
        return char
    code = ord(char)
    if code < 0x10000:
        return f"\\u{code:04x}"
    high, low = divmod(code - 0x10000, 0x400)
    return f"\\u{0xD800 + high:04x}\\u{0xDC00 + low:04x}"


def whole_pairs(text: str) -> str:
    """`text` with surrogates that stand beside each other as the one character they mean, as JSON reads them."""
    return _PAIR.sub(lambda match: match[0].encode("utf-16", "surrogatepass").decode("utf-16"), text)


def has_content(text: str) -> bool:
    """Whether a text holds a letter, a digit or a sign; space, punctuation and what cannot be seen say nothing."""
    return any(
        unicodedata.category(char)[0] in "LNS" and unicodedata.category(char) != "Sk"
        for char in INVISIBLE.sub("", text)
    )


# Letters of other scripts that are drawn like Latin ones.
_ALIKE = dict(
    zip("авекмнорстухіѕјһԁѵԛԝӏɡАВЕКМНОРСТУХІЅЈԌԚԜ", "abekmhopctyxisjhdvqwlgABEKMHOPCTYXISJGQW", strict=True)
) | dict(zip("ονАΑΒΕΖΗΙΚΜΝΟΡΤΥΧօսհո", "ovAABEZHIKMNOPTYXouhn", strict=True))
_STYLED = (
    *range(0xFF01, 0xFF5F),
    *range(0x2100, 0x2150),
    *range(0x24B6, 0x24EA),
    *range(0x1D400, 0x1D800),
)  # fmt: skip


def _lower_table() -> dict[int, str]:
    """One character for one: capitals as small letters, styled and look-alike letters as the Latin ones."""
    table = {code: chr(code).lower() for code in range(0x41, 0x5B)}
    for code in _STYLED:
        plain = unicodedata.normalize("NFKC", chr(code))
        if len(plain) == 1 and plain.isascii():
            table[code] = plain.lower()
    table |= {ord(alike): latin.lower() for alike, latin in _ALIKE.items()}
    table |= {0x2019: "'", 0x2018: "'", 0x201C: '"', 0x201D: '"', 0xA0: " ", 0x202F: " "}
    return table


_LOWER = _lower_table()
LOOKALIKES = "".join(_ALIKE)
FOREIGN_LETTER = re.compile(f"(?<=[A-Za-z])[{LOOKALIKES}]|[{LOOKALIKES}](?=[A-Za-z])")
"""A look-alike beside a Latin letter: two scripts in one word."""


class Folded(Struct, frozen=True):
    """A text as a reader takes it: small Latin letters, nothing that is not seen. Places lead back to the original."""

    text: str
    _starts: tuple[int, ...]
    """Places in the folded text before which something was taken out."""
    _taken: tuple[int, ...]
    """How many characters were taken out up to there (a count)."""

    def place(self, index: int) -> int:
        """The place in the original of a place in the folded text; where something was taken out, the one after it."""
        at = bisect_right(self._starts, index)
        return index + (self._taken[at - 1] if at else 0)

    def end(self, index: int) -> int:
        """The place in the original just after what ends at `index` in the folded text."""
        return self.place(index - 1) + 1 if index else 0


def fold(text: str) -> Folded:
    """`text` folded; nothing but what is not seen changes its length."""
    lower = text.translate(_LOWER)
    gaps = [match.span() for match in _UNSEEN.finditer(lower)]
    if not gaps:
        return Folded(lower, (), ())
    taken = tuple(accumulate(end - start for start, end in gaps))
    before = (0, *taken[:-1])
    starts = tuple(start - gone for (start, _), gone in zip(gaps, before, strict=True))
    return Folded(_UNSEEN.sub("", lower), starts, taken)
