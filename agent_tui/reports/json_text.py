"""JSON for standard output: strict, with everything that could act on a terminal as an escape."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping
from decimal import Decimal
from functools import partial
from typing import Any

import msgspec

from agent_tui.errors import NotPossible

TOO_DEEP = "nested too deeply to be printed as JSON; show prints it as text"
_ACTING = re.compile(
    "[\x7f-\x9f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e007f]"
)


def json_text(document: Any, *, indent: int | None = 2) -> str:
    """`document` as strict JSON text. Raises `ValueError` for NaN and infinities, `NotPossible` for endless depth."""
    dumps = partial(json.dumps, document, ensure_ascii=False, allow_nan=False, default=_number)
    try:
        text = dumps()
        if indent is not None:
            try:
                text = msgspec.json.format(text, indent=indent)  # the encoder of Python is slow where it indents
            except UnicodeEncodeError:  # half a character, which msgspec does not take
                text = dumps(indent=indent)
    except RecursionError as error:
        raise NotPossible(TOO_DEEP) from error
    return escape_acting(text)


class Items(Iterator[str]):
    """The items of a list that stands in an object, each as `item_text` gives it."""

    def __init__(self, texts: Iterator[str]) -> None:
        self._texts = texts

    def __next__(self) -> str:
        return next(self._texts)


def item_text(item: Any) -> str:
    """`json_text` of an item of a list that stands in an object. Raises as `json_text`."""
    return _moved(json_text(item), 4)


def json_pieces(document: Mapping[str, Any]) -> Iterator[str]:
    """`json_text` of an object, piece by piece; a member that is an iterator is a list whose items are made one by one.

    Raises as `json_text`, but what came before stands.
    """
    before = "{"
    for key, value in document.items():
        yield f"{before}\n  {json_text(key)}: "
        before = ","
        if isinstance(value, Iterator):
            yield from _list_pieces(value if isinstance(value, Items) else map(item_text, value))
        else:
            yield _moved(json_text(value), 2)
    yield "{}" if before == "{" else "\n}"


def _list_pieces(items: Iterator[str]) -> Iterator[str]:
    before = "["
    for item in items:
        yield f"{before}\n    {item}"
        before = ","
    yield "[]" if before == "[" else "\n  ]"


def _moved(text: str, by: int) -> str:
    """JSON text further to the right: no text in it holds a line feed."""
    return text.replace("\n", "\n" + " " * by)


def _number(value: object) -> float | str:
    """A decimal as a JSON number, or as text where no float holds it."""
    if not isinstance(value, Decimal):
        raise TypeError(f"{type(value).__name__} is no JSON")
    return float(value) if math.isfinite(float(value)) else str(value)


def escape_acting(text: str) -> str:
    """JSON text with DEL, C1, bidi and other hidden characters, and surrogates as escapes (the value is the same)."""
    return text if text.isascii() and "\x7f" not in text else _ACTING.sub(_escape, text)


def _escape(found: re.Match[str]) -> str:
    code = ord(found[0])
    if code < 0x10000:
        return f"\\u{code:04x}"
    code -= 0x10000
    return f"\\u{0xD800 + (code >> 10):04x}\\u{0xDC00 + (code & 0x3FF):04x}"
