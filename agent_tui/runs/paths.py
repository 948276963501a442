"""Paths into a record: `expected.calls[1].args.amount`, `metadata["key.with.dot"]`."""

from __future__ import annotations

import json
import re
from typing import TypeAlias

Part: TypeAlias = str | int
Path: TypeAlias = tuple[Part, ...]

_PART = re.compile(r"""\.?(?P<key>[^.\[\]"]+)|\[(?P<index>\d+)\]|\[(?P<quoted>"(?:[^"\\]|\\.)*")\]""")


def parse_path(text: str) -> Path:
    """The parts of a path: text for an object's key, a number for a list's position.

    Raises `ValueError` saying where it does not parse.
    """
    parts: list[Part] = []
    position = 0
    source = text.removeprefix("$")
    while position < len(source):
        found = _PART.match(source, position)
        if found is None or (found["key"] and position > 0 and source[position] != "."):
            raise ValueError(f"path {text!r} does not parse at {source[position:]!r}")
        parts.append(_part(found, text))
        position = found.end()
    if not parts:
        raise ValueError("an empty path")
    return tuple(parts)


def _part(found: re.Match[str], text: str) -> Part:
    if found["index"] is not None:
        return int(found["index"])
    if found["quoted"] is None:
        return found["key"]
    try:
        return str(json.loads(found["quoted"]))
    except ValueError as error:
        raise ValueError(f"path {text!r}: {found['quoted']} is not a JSON string") from error


def spell_path(path: Path) -> str:
    """The path as text; `parse_path` gives it back."""
    spelt = ""
    for part in path:
        if isinstance(part, int):
            spelt += f"[{part}]"
        elif part and not re.search(r'[.\[\]"\s\x00-\x1f]', part) and not part.startswith("$"):
            spelt += f".{part}" if spelt else part
        else:
            spelt += f"[{json.dumps(part, ensure_ascii=False)}]"
    return spelt
