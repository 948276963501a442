"""Text made comparable: Unicode form, letter case, typographic spellings, Markdown marks."""

from __future__ import annotations

import re
from unicodedata import decimal, normalize

_SPELLINGS = str.maketrans(
    {"\u2212": "-", "\uff0d": "-", "．": ".", "，": ",", "％": "%", "’": "'", "＇": "'", "\u00a0": " ", "\u202f": " ",
     "\u2009": " ", "\u2007": " ", "\u066a": "%", "\u066b": ".", "\u066c": ","}
)  # fmt: skip
_SPELT_OTHERWISE = re.compile("[\u00a0\u066a-\u066c\u2007\u2009\u2019\u202f\u2212\uff05\uff07\uff0c-\uff0e]")
_MAY_BE_DIGIT = re.compile("[\u0660-\u1cff\ua620-\uabff\uff10-\uff19\U00010000-\U0001efff\U0001fbf0-\U0001fbf9]")
"""Where the digits of other scripts lie, among much else: a quick look that finds nothing in most texts."""
# Patterns as text: `re` compiles and keeps them where they are first needed.
_FOREIGN_DIGIT = r"(?![0-9])\d"
_MARK_IN_WORD = r"(?<=[^\W\d_])(?:\*+|`+)(?=[^\W\d_])"
_MARK_AT_EDGE = r"(?<!\w)_+|_+(?!\w)"
_EMPHASIS = r"(?<![\w*])(\*{1,3})(?=[^\s*])([^\n]{0,400}?[^\s*])\1(?![\w*])"
_FENCE = r"(?m)^\s*(```+|~~~+)[\w+-]*[ \t]*$"
_OUTER = " \t\r\n.,;:!?¡¿\"'()[]{}«»‹›“”„‟‘’‚…–—。、，．！？；：「」『』（）【】"


_MOST_LAYERS = 64
"""How deep marks within marks are taken off (a count)."""


def plain_spelling(text: str) -> str:
    """`text` with digits of any script, U+2212, U+2019 and no-break spaces in their ASCII spelling; same length."""
    if text.isascii():
        return text
    if _SPELT_OTHERWISE.search(text):
        text = text.translate(_SPELLINGS)
    if _MAY_BE_DIGIT.search(text):
        text = re.sub(_FOREIGN_DIGIT, lambda found: str(decimal(found[0])), text)
    return text


def has_foreign_digit(text: str) -> bool:
    """Whether a text has a decimal digit of another script than ASCII."""
    return _MAY_BE_DIGIT.search(text) is not None and re.search(_FOREIGN_DIGIT, text) is not None


def fold(text: str) -> str:
    """`text` in NFC, case-folded, in plain spelling, without emphasis and code marks in or around words."""
    folded = text.lower() if text.isascii() else _fold_unicode(text)
    return drop_marks(folded)


def drop_marks(text: str) -> str:
    """`text` without the emphasis and code marks that would part or lengthen a word (`re**fund**ed`, `_140.00_`)."""
    if "_" in text:
        text = re.sub(_MARK_AT_EDGE, "", text)
    if "*" in text or "`" in text:
        text = re.sub(_MARK_IN_WORD, "", text)
    return text


def _fold_unicode(text: str) -> str:
    return normalize("NFC", normalize("NFC", plain_spelling(text)).casefold())


def normalized(text: str) -> str:
    """`text` for the check `normalized`: folded, white space collapsed, Markdown marks and outer punctuation gone.

    The sign of a number, its decimal point and `%` are no outer punctuation. Doing it twice changes nothing.
    """
    current = fold(text)
    for _ in range(_MOST_LAYERS):
        stripped = _strip_outer(" ".join(drop_marks(_strip_markdown(current)).split()))
        if stripped == current:
            break
        current = stripped
    return current


def _strip_markdown(text: str) -> str:
    text = re.sub(_FENCE, " ", text).replace("`", "")
    return re.sub(_EMPHASIS, r"\2", text)


def _strip_outer(text: str) -> str:
    stripped = text.strip(_OUTER)
    if stripped[:1].isdigit() and text[: text.find(stripped)].endswith("."):
        stripped = "." + stripped
    if stripped.startswith("- "):
        return stripped[2:]
    return stripped
