"""JSON for standard output: strict, with everything that could act on a terminal as an escape."""

from __future__ import annotations

import json
import re
from typing import Any

_ACTING = re.compile(
    "[\x7f-\x9f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e007f]"
)


def json_text(document: Any, *, indent: int | None = 2) -> str:
    """`document` as strict JSON text. Raises `ValueError` for NaN and the infinities."""
    return escape_acting(json.dumps(document, ensure_ascii=False, allow_nan=False, indent=indent))


def escape_acting(text: str) -> str:
    """JSON text with DEL, C1, bidi and other hidden characters, and surrogates as escapes (the value is the same)."""
    return text if text.isascii() and "\x7f" not in text else _ACTING.sub(_escape, text)


def _escape(found: re.Match[str]) -> str:
    code = ord(found[0])
    if code < 0x10000:
        return f"\\u{code:04x}"
    code -= 0x10000
    return f"\\u{0xD800 + (code >> 10):04x}\\u{0xDC00 + (code & 0x3FF):04x}"
