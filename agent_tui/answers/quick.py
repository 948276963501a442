"""Quick looks: what is looked for plainly stands in the text, and the word before it cannot deny it.

They decide most answers; whatever is not plain is left to the full look of a check. Tests hold the two together.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from agent_tui.answers.text import has_foreign_digit
from agent_tui.answers.tokens import GUARD_WORDS
from agent_tui.native import core

LEFT_CONTEXT = 80
"""How many characters before an occurrence are looked at for a denial (a count)."""


_FOREIGN = bytes((0xD9, 0xDB, 0xDF, 0xE0, 0xE1, 0xEA, 0xEF, 0xF0))
"""First bytes in UTF-8 of the digits of other scripts, and of much else."""
_OF_SIGNS = b"\xef\xf0"
"""First bytes of emoji and of what follows them; digits are full-width ones (0xEF 0xBC) and some past U+FFFF."""
_NO_SIGN_OF_A_DIGIT = bytes(byte for byte in range(256) if not 0x30 <= byte <= 0x39 and byte not in _FOREIGN)
_plain_number = re.compile(rb"[0-9]+(?:\.[0-9]+)?").match
_HARMLESS_AFTER = frozenset(".,;:!?)")
_HARMLESS_BYTES = frozenset(mark.encode() for mark in _HARMLESS_AFTER)
_GUARD_BYTES = frozenset(word.encode() for word in GUARD_WORDS)


def _by_nobody(text: str) -> str | None:
    return None


plain_number: Callable[[str], str | None] = _by_nobody
"""What the compiled core says is the only number of a text; None: ask `only_plain_number`."""
if core is not None:
    core.learn_words(_GUARD_BYTES)
    plain_number = core.plain_number


def only_plain_number(text: str, guess: str) -> str | None:
    """The only number of a text, where it stands among words and is not denied; None: it takes more to tell.

    `guess` is what it probably is, which saves a look.
    """
    try:
        encoded = text.encode()
    except UnicodeEncodeError:  # a lone surrogate
        return None
    digits = encoded.translate(None, _NO_SIGN_OF_A_DIGIT)
    if not digits.isdigit():
        bare = digits.translate(None, _OF_SIGNS)
        if not bare.isdigit() or not _are_signs_only(encoded, digits.count(b"\xf0")):
            bare = digits.translate(None, _FOREIGN)
            if not bare or b"\xef\xbc" in encoded or has_foreign_digit(text):
                return None
        digits = bare
    start = encoded.find(digits[:1])
    end = start + len(guess)
    if encoded[start:end] == guess.encode():
        token = guess
    else:
        found = _plain_number(encoded, start)
        if found is None:
            return None
        token, end = found[0].decode(), found.end()
    if len(token) - token.count(".") != len(digits):
        return None
    after = encoded[end : end + 1]
    if after == b" ":
        if encoded.startswith(b"%", end + 1):
            return None
    elif after and after not in _HARMLESS_BYTES:
        return None
    if start and (encoded[start - 1 : start] != b" " or not _bytes_undenied(encoded, start)):
        return None
    return token


def _are_signs_only(encoded: bytes, count: int) -> bool:
    """Whether what begins with a byte of `_OF_SIGNS` is no digit, which most often is so; `count` of 0xF0."""
    if b"\xbc" in encoded and b"\xef\xbc" in encoded:  # one byte is looked for sooner than two
        return False
    if not count:
        return True
    return encoded.count(b"\xf0\x9f") == count and (b"\xaf" not in encoded or b"\xf0\x9f\xaf" not in encoded)


def plain_place(literal: str, text: str) -> int:
    """Where words stand alone in a text: after a letter and a space, before a space or the end; -1: nowhere plainly.

    What it does not find may be there all the same (`**140**`, `240.00`).
    """
    start = text.find(literal)
    while start >= 0 and not (_begins_apart(text, start) and _ends_apart(text, start + len(literal))):
        start = text.find(literal, start + 1)
    return start


def _begins_apart(text: str, start: int) -> bool:
    return start == 0 or (start > 1 and text[start - 1] == " " and "a" <= text[start - 2] <= "z")


def _ends_apart(text: str, end: int) -> bool:
    """Whether words end here; a number goes on where a digit or a percent sign follows its space."""
    is_number, size = text[end - 1].isdigit(), len(text)
    while end < size and text[end] in _HARMLESS_AFTER:
        end += 1
    if end == size:
        return True
    if not text[end].isspace():
        return False
    after = text[end + 1 : end + 2]
    return not is_number or not (after in {"", "%"} or after.isdecimal() or after.isspace())


def plainly_undenied(text: str, start: int) -> bool:
    """Whether the word before `start`, a space between, is a plain one that does not deny and is not skipped."""
    if start == 0:
        return True
    begin = max(0, start - LEFT_CONTEXT)
    word = text[max(begin, text.rfind(" ", begin, start - 1) + 1) : start - 1]
    return word.isascii() and word.isalpha() and word.lower() not in GUARD_WORDS


def _bytes_undenied(encoded: bytes, start: int) -> bool:
    """`plainly_undenied` in UTF-8, which takes the same time whatever else the text holds."""
    begin = max(0, start - LEFT_CONTEXT)
    word = encoded[max(begin, encoded.rfind(b" ", begin, start - 1) + 1) : start - 1]
    return word.isalpha() and word.lower() not in _GUARD_BYTES
