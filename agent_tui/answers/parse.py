"""From a recorded truth to the check that it names."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from importlib import import_module

from msgspec import Raw, Struct
from msgspec.structs import replace

from agent_tui.answers.combine import All, AnyOf, Broken, Not, Nothing
from agent_tui.answers.outcome import Check
from agent_tui.answers.truths import BadCheck
from agent_tui.answers.whole import Blank
from agent_tui.runs.json_values import JsonValue, parse

_CACHED_CHECKS = 4096
_CACHED_BYTES = 4096
_DEEPEST = 32
_ALLOW_EMPTY = "allow_empty"


def parse_check(truth: Raw | bytes | str) -> Check:
    """The check that a truth names, given as JSON text. Never raises: what means nothing is a `Broken` check."""
    text = truth.encode("utf-8", "surrogatepass") if isinstance(truth, str) else bytes(truth)
    return _parse_cached(text) if len(text) <= _CACHED_BYTES else _parse(text)


def _parse(text: bytes) -> Check:
    try:
        value = parse(text)
    except (ValueError, RecursionError) as error:
        return Broken("check", f"the recorded truth is not JSON: {error}")
    return _truth(value, 0)


_parse_cached = lru_cache(maxsize=_CACHED_CHECKS)(_parse)


def _truth(value: JsonValue, depth: int) -> Check:
    """The check of a truth in any of its forms."""
    if depth > _DEEPEST:
        return Broken("check", f"checks are nested deeper than {_DEEPEST}")
    if value is None or value == {} or value == []:
        return Nothing("check", "no truth is recorded")
    if isinstance(value, bool):
        return Broken("check", f"a truth of {str(value).lower()} names no check: {_known()}")
    if isinstance(value, dict):
        return _named(value, depth)
    if isinstance(value, str):
        return _build("words", value, False, depth)
    return _build("one_of" if isinstance(value, list) else "number", value, False, depth)


def _named(fields: Mapping[str, JsonValue], depth: int) -> Check:
    """The check of an object: all the checks that it names hold."""
    names = [name for name in fields if name != _ALLOW_EMPTY]
    unknown = [name for name in names if name not in CHECKS]
    if unknown:
        return Broken("check", f"unknown check {unknown[0]!r}: {_known()}")
    allow_empty = fields.get(_ALLOW_EMPTY, False)
    if not names or not isinstance(allow_empty, bool):
        return Broken("check", f"{_ALLOW_EMPTY} is true or false, beside a check: {_known()}")
    checks = tuple(_build(name, fields[name], allow_empty, depth) for name in names)
    return checks[0] if len(checks) == 1 else All(checks, "all", _some_take_blank(checks))


def _build(name: str, value: JsonValue, allow_empty: bool, depth: int) -> Check:
    if name != "json" and value is None:
        return Nothing(name, "no truth is recorded")
    if name != "json" and isinstance(value, str) and not value.strip():
        return Blank(name) if allow_empty else Nothing(name, "the recorded truth is empty")
    try:
        check = _COMPOSITES[name](name, value, depth) if name in _COMPOSITES else _builder(name)(name, value)
    except BadCheck as error:
        return Broken(name, str(error))
    return replace(check, takes_blank=True) if allow_empty and isinstance(check, Struct) else check


@cache
def _builder(name: str) -> Callable[[str, JsonValue], Check]:
    """What makes a check of this name."""
    build: Callable[[str, JsonValue], Check] = import_module(_MODULES[name]).build
    return build


def _any(name: str, value: JsonValue, depth: int) -> Check:
    parts = _parts(name, value, depth)
    return AnyOf(parts, name, _some_take_blank(parts))


def _all(name: str, value: JsonValue, depth: int) -> Check:
    parts = _parts(name, value, depth)
    return All(parts, name, _some_take_blank(parts))


def _not(name: str, value: JsonValue, depth: int) -> Check:
    part = _truth(value, depth + 1)
    return Not(part, name, part.takes_blank)


def _parts(name: str, value: JsonValue, depth: int) -> tuple[Check, ...]:
    if not isinstance(value, list):
        raise BadCheck(f"{name} takes a list of truths")
    return tuple(_truth(item, depth + 1) for item in value) or (Nothing(name, "no truth is recorded"),)


def _some_take_blank(parts: tuple[Check, ...]) -> bool:
    return any(part.takes_blank for part in parts)


_COMPOSITES: dict[str, Callable[[str, JsonValue, int], Check]] = {
    "one_of": _any,
    "all": _all,
    "any": _any,
    "not": _not,
}
_MODULES = {
    "words": "agent_tui.answers.words",
    "contains": "agent_tui.answers.words",
    "exact": "agent_tui.answers.whole",
    "normalized": "agent_tui.answers.whole",
    "number": "agent_tui.answers.number_truth",
    "regex": "agent_tui.answers.pattern",
    "list": "agent_tui.answers.listing",
    "json": "agent_tui.answers.json_check",
    "refusal": "agent_tui.answers.refusal",
}
"""The checks by name, each imported when a truth names it: scoring starts without what others need."""

CHECKS: tuple[str, ...] = (*_MODULES, *_COMPOSITES)
"""Names of the checks that a truth may use."""


def _known() -> str:
    return f"there are {', '.join(CHECKS)}"
