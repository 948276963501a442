"""Lone surrogates: JSON can spell one (`\\ud800`), no UTF-8 text can hold it, and a strict decoder refuses both.

For such a decoder each one has a stand-in, and `restored` puts the surrogate back into what was decoded, so that two
of them are as different as they were written. A stand-in is a mark and a character that tells which surrogate it is;
the mark itself, where a text holds it, is doubled.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, TypeVar, cast

import msgspec
from msgspec import Raw, Struct

T = TypeVar("T")

_MARK = "\U0010fffd"
_MARK_BYTES = _MARK.encode()
_MARK_ESCAPE = rb"\udbff\udffd"
_SHIFT = 0x100000
# Patterns as text: `re` compiles and keeps them where they are first needed, which most commands never do.
_ESCAPE = (
    rb"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u([dD][89a-fA-F][0-9a-fA-F]{2})|.)|" + _MARK_BYTES
)
_STAND_IN = f"{_MARK}({_MARK}|[\U0010d800-\U0010dfff])"
_STAND_IN_BYTES = _MARK_BYTES + rb"(" + _MARK_BYTES + rb"|\xf4\x8d[\xa0-\xbf][\x80-\xbf])"
_TO_HIDE = f"[\ud800-\udfff{_MARK}]"
_encode = msgspec.json.Encoder(decimal_format="number").encode
_validate = msgspec.json.Decoder(Raw).decode


def replaced(text: bytes) -> bytes:
    """A JSON text with U+FFFD for every lone surrogate, everything at its place: to tell whether it is JSON."""
    if b"\\u" not in text:
        return text
    return re.sub(_ESCAPE, lambda found: rb"\ufffd" if found[1] else found[0], text, flags=re.DOTALL)


def stand_ins(text: bytes) -> bytes:
    """A JSON text with a stand-in for every lone surrogate; the text itself where it has none."""
    return text if replaced(text) == text else _hidden_json(text)


def _stand_in(found: re.Match[bytes]) -> bytes:
    if found[1]:
        return _MARK_BYTES + chr(_SHIFT + int(found[1], 16)).encode()
    return _MARK_BYTES * 2 if found[0] == _MARK_BYTES or found[0].lower() == _MARK_ESCAPE else found[0]


def restored(value: T) -> T:
    """What was decoded from a text with stand-ins, with the surrogates in their place; `Raw` values spell them."""
    return cast("T", _mapped(value, _shown_text, _shown_json))


def _shown_text(text: str) -> str:
    return re.sub(_STAND_IN, _surrogate, text) if _MARK in text else text


def _surrogate(found: re.Match[str]) -> str:
    return _MARK if found[1] == _MARK else chr(ord(found[1]) - _SHIFT)


def _shown_json(text: bytes) -> bytes:
    return re.sub(_STAND_IN_BYTES, _spelt, text) if _MARK_BYTES in text else text


def _spelt(found: re.Match[bytes]) -> bytes:
    return found[1] if found[1] == _MARK_BYTES else b"\\u%04x" % (ord(found[1].decode()) - _SHIFT)


def decode(decoder: Callable[[bytes | Raw], T], text: bytes | Raw) -> T:
    """What a strict decoder makes of a JSON text, lone surrogates included. Raises what the decoder raises."""
    try:
        return decoder(text)
    except (msgspec.DecodeError, UnicodeDecodeError):
        whole = bytes(text)
        marked = stand_ins(whole)
        if marked == whole:
            raise
        return restored(decoder(marked))


def validate(text: bytes) -> None:
    """Raise what a strict decoder raises, with the place, where a text is no JSON; lone surrogates are."""
    try:
        _validate(text)
    except msgspec.DecodeError:
        plain = replaced(text)
        if plain == text:
            raise
        _validate(plain)


def encode(value: Any) -> bytes:
    """A value as JSON text; `Raw` values as they stand, lone surrogates as escapes."""
    try:
        return _encode(value)
    except UnicodeEncodeError:
        return _shown_json(_encode(_mapped(value, _hidden_text, _hidden_json)))


def _hidden_text(text: str) -> str:
    return re.sub(_TO_HIDE, lambda found: _MARK + (_MARK if found[0] == _MARK else chr(_SHIFT + ord(found[0]))), text)


def _hidden_json(text: bytes) -> bytes:
    return re.sub(_ESCAPE, _stand_in, text, flags=re.DOTALL)


def _mapped(value: Any, text: Callable[[str], str], json: Callable[[bytes], bytes]) -> Any:
    """A value with each text in it changed, and each JSON text."""
    if isinstance(value, str):
        return text(value)
    if isinstance(value, Raw):
        return Raw(json(bytes(value)))
    if isinstance(value, dict):
        return {_mapped(key, text, json): _mapped(inner, text, json) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(_mapped(inner, text, json) for inner in value)
    if isinstance(value, Struct):
        fields = {name: _mapped(getattr(value, name), text, json) for name in value.__struct_fields__}
        return type(value)(**fields)
    return value
