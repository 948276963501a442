"""Records that strict JSON refuses and we read: NaN in scores and usage, lone surrogates; and grouped actual calls."""

from __future__ import annotations

import re
from typing import Any

import msgspec
from msgspec import Raw

from agent_tui.runs import surrogates

_WORDS = {"NaN": "NaN", "Infinity": "inf", "-Infinity": "-inf"}
_STRING_OR_WORD = re.compile(rb'"(?:[^"\\]|\\.)*"|-?Infinity|NaN', re.DOTALL)
_encode = msgspec.json.Encoder().encode
LONE_SURROGATES = "lone surrogates are kept and compared as written"
"""The note on a run whose strict form has stand-ins."""


class StillNotJson(ValueError):
    """The careful parser refuses the text too."""

    def __init__(self, reason: str, path: str | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.path = path


class _NotFinite(str):
    """A NaN or an infinity where a number should stand."""

    __slots__ = ()


def placeholders(text: bytes) -> bytes:
    """`text` with a string of the same length for every bare NaN and infinity, so that places stay the same."""

    def replace(match: re.Match[bytes]) -> bytes:
        token = match[0]
        return token if token[:1] == b'"' else b'"' + b"?" * (len(token) - 2) + b'"'

    return _STRING_OR_WORD.sub(replace, text)


def strict(text: bytes) -> tuple[bytes, tuple[str, ...]]:
    """A record as strict JSON, and notes on what was changed. Raises `StillNotJson`.

    Not-finite scores become the texts NaN, inf, -inf; not-finite usage is left out; lone surrogates have stand-ins.
    """
    import json  # here, since few records need it and every command starts with this module

    marked = surrogates.stand_ins(text)
    notes = [] if marked == text else [LONE_SURROGATES]
    try:
        value = json.loads(marked.decode(), parse_constant=_NotFinite, parse_float=_number, parse_int=_number)
    except RecursionError as error:
        raise StillNotJson("nested too deeply") from error
    except UnicodeDecodeError as error:
        raise StillNotJson(f"not UTF-8 at byte {error.start}") from error
    except ValueError as error:
        raise StillNotJson(f"not JSON: {error}") from error
    if isinstance(value, dict):
        notes += _settle(value)
    _refuse_not_finite(value, "$")
    return _encode(value), tuple(notes)


def usable(text: bytes) -> bytes:
    """`strict`, with lone surrogates as escapes again. Raises `StillNotJson`."""
    made, notes = strict(text)
    return bytes(surrogates.restored(Raw(made))) if LONE_SURROGATES in notes else made


def _number(literal: str) -> Any:
    """The literal itself; one that no float can hold is not finite."""
    value = float(literal) if len(literal) < 400 or "e" in literal.lower() else 0.0
    if value in {float("inf"), float("-inf")}:
        return _NotFinite("Infinity" if value > 0 else "-Infinity")
    return Raw(literal.encode())


def _settle(record: dict[str, Any]) -> list[str]:
    """Gives not-finite scores their text and takes not-finite usage out; says which."""
    notes: list[str] = []
    scores, usage = record.get("scores"), record.get("usage")
    if isinstance(scores, dict):
        record["scores"] = {name: _WORDS[v] if isinstance(v, _NotFinite) else v for name, v in scores.items()}
    if isinstance(usage, dict):
        bad = {name: value for name, value in usage.items() if isinstance(value, _NotFinite)}
        notes = [f"usage.{name} is {_WORDS[value]}: not usable" for name, value in bad.items()]
        record["usage"] = usage | dict.fromkeys(bad)
    return notes


def _refuse_not_finite(value: Any, path: str) -> None:
    if isinstance(value, _NotFinite):
        raise StillNotJson(f"{value} is not JSON here (only in scores and usage)", path)
    if isinstance(value, dict):
        for key, inner in value.items():
            _refuse_not_finite(inner, f"{path}.{key}")
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            _refuse_not_finite(inner, f"{path}[{index}]")


def flatten_parallel(text: bytes) -> bytes | None:
    """A record whose `actual.calls` hold `{"parallel": [..]}`, with each group as neighbours of one `group`.

    None where there is nothing to flatten.
    """
    try:
        record = msgspec.json.decode(text, type=dict[str, Raw])
        actual = msgspec.json.decode(record["actual"], type=dict[str, Raw])
        calls = msgspec.json.decode(actual["calls"], type=list[dict[str, Raw]])
        flat = _flattened(calls)
    except (msgspec.MsgspecError, KeyError, RecursionError):
        return None
    if flat == calls:
        return None
    actual["calls"] = Raw(_encode(flat))
    record["actual"] = Raw(_encode(actual))
    return _encode(record)


def _is_group(call: dict[str, Raw]) -> bool:
    return "parallel" in call and "name" not in call


def _flattened(calls: list[dict[str, Raw]]) -> list[dict[str, Raw]]:
    flat: list[dict[str, Raw]] = []
    for index, call in enumerate(calls):
        if not _is_group(call):
            flat.append(call)
            continue
        group = Raw(_encode(f"parallel-{index}"))
        inside = msgspec.json.decode(call["parallel"], type=list[dict[str, Raw]])
        flat += [inner if _has_bad_group(inner) else {**inner, "group": group} for inner in inside]
    return flat


def _has_bad_group(call: dict[str, Raw]) -> bool:
    """Whether a call names a group that none can have: it is left for the decoder to refuse."""
    try:
        msgspec.json.decode(call.get("group", b"null"), type=int | str | None)
    except msgspec.ValidationError:
        return True
    return False


def as_strings(text: bytes) -> bytes:
    """`text` with every bare NaN and infinity as the text NaN, inf or -inf; logs written by Python hold them."""
    if b"NaN" not in text and b"Infinity" not in text:
        return text

    def replace(match: re.Match[bytes]) -> bytes:
        token = match[0]
        return token if token[:1] == b'"' else b'"%s"' % _WORDS[token.decode()].encode()

    return _STRING_OR_WORD.sub(replace, text)
