"""Texts that a person does not see: invisible characters that nothing explains, and text packed as base64 or hex."""

from __future__ import annotations

import base64
import binascii
import re
import unicodedata
from collections.abc import Iterator

from agent_tui.judge.characters import INVISIBLE

_JOINERS = frozenset("\u200d\ufe0e\ufe0f")
_DIRECTIONS = frozenset("\u200e\u200f\u061c\u2066\u2067\u2068\u2069")
_REORDERING = re.compile("[\u202a\u202b\u202d\u202e\u2066\u2067\u2068]")
_REORDERED_END = re.compile("[\u202c\u2069\n]")
_BREAKS = frozenset("\u00ad\u2028\u2029")
_FLAG = "\U0001f3f4"
_NEARBY = 16
_REORDERED = 400
"""How far a reordering without an end is taken to reach (characters)."""


def hidden(text: str) -> Iterator[tuple[int, int]]:
    """Runs of invisible characters, and what a reordering shows backwards; not those that the script calls for."""
    if text.isascii():
        return
    for match in INVISIBLE.finditer(text):
        if not _is_called_for(text, match):
            start, end = match.span()
            yield start, _end_of_reordering(text, end) if _REORDERING.search(match[0]) else end


def _end_of_reordering(text: str, start: int) -> int:
    limit = min(len(text), start + _REORDERED)
    match = _REORDERED_END.search(text, start, limit)
    return limit if match is None else match.end() if match[0] != "\n" else match.start()


def _is_called_for(text: str, match: re.Match[str]) -> bool:
    """Whether a run belongs to how its neighbours are written: emoji, joined scripts, right-to-left text, breaks."""
    run, start, end = match[0], *match.span()
    before, after = text[start - 1 : start], text[end : end + 1]
    used = set(run)
    if used <= _BREAKS or (start == 0 and run == "\ufeff"):
        return True
    if used <= _JOINERS and before and (unicodedata.category(before) in {"So", "Sk", "Sm"} or before in "0123456789#*"):
        return True
    if run in {"\u200c", "\u200d"}:
        return _is_joined_script(before) and _is_joined_script(after)
    if used <= _DIRECTIONS:
        return any(map(_is_right_to_left, text[max(0, start - _NEARBY) : end + _NEARBY]))
    if before == _FLAG:
        return run[-1] == "\U000e007f" and len(run) <= 8
    return len(run) == 1 and "\U000e0100" <= run <= "\U000e01ef" and unicodedata.category(before or " ") == "Lo"


def _is_joined_script(char: str) -> bool:
    return bool(char) and char > "\u0590" and unicodedata.category(char)[0] in "LM"


def _is_right_to_left(char: str) -> bool:
    return unicodedata.bidirectional(char) in {"R", "AL"}


PACKED = re.compile(r"[A-Za-z0-9+/_-]{32,}={0,2}")
_LOOKED_AT = 4096
_WORDS = re.compile(r"[^\W\d_]{2,}\s[^\W\d_]{2,}")


def encoded(text: str) -> Iterator[tuple[int, int]]:
    """Runs of base64 or hex in which there is readable text: keys, hashes and pictures are none."""
    for match in PACKED.finditer(text):
        packed = match[0][:_LOOKED_AT].rstrip("=")
        if any(map(_reads, _unpacked(packed))):
            yield match.span()


def _unpacked(packed: str) -> Iterator[bytes]:
    whole = packed[: len(packed) // 4 * 4] if len(packed) % 4 == 1 else packed + "=" * (-len(packed) % 4)
    try:
        yield base64.b64decode(whole.replace("-", "+").replace("_", "/"), validate=True)
        yield bytes.fromhex(packed)
    except (binascii.Error, ValueError):
        return


def _reads(unpacked: bytes) -> bool:
    """Whether bytes are a text of words; the last character may be cut."""
    text = unpacked.decode("utf-8", "replace").rstrip("\ufffd")
    return text.replace("\n", " ").isprintable() and "\ufffd" not in text and bool(_WORDS.search(text))
