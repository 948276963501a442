"""A recorded truth in words: `contains "429"`, `number 140 ± 0.01`, `any of: …`, `not a refusal`."""

from __future__ import annotations

from msgspec import UnsetType

from agent_tui.runs import Run, parse
from agent_tui.runs.json_values import JsonValue
from agent_tui.tui.present.words import safe, text_of_json

_NUMBERS = {"first": ", the first number", "last": ", the last number", "any": ", any number"}
_ORDERS = {"set": " in any order", "multiset": " in any order, each as often"}
_LISTS = {"any": "any of", "one_of": "any of", "all": "all of"}
_SAYS = {"regex": "matches", "exact": "exactly", "normalized": "the same text as", "json": "the JSON value"}
_DEEPEST = 32


def truth_words(value: JsonValue) -> str:
    """What a truth asks of the answer; what names no check stays as JSON."""
    return _words(value, 0)


def answer_words(run: Run, limit: int) -> str | None:
    """The truth of a run in words, as one safe line; None where none is recorded."""
    if run.expected is None or isinstance(run.expected.answer, UnsetType):
        return None
    return safe(truth_words(parse(run.expected.answer)), limit)


def _words(value: JsonValue, depth: int) -> str:
    if isinstance(value, list) and value and depth < _DEEPEST:
        return _several("any of", value, depth)
    if not isinstance(value, dict) or depth >= _DEEPEST:
        return text_of_json(value)
    said = [_check(name, inner, depth) for name, inner in value.items() if name != "allow_empty"]
    if not said or None in said:
        return text_of_json(value)
    blank = ", or an empty answer" if value.get("allow_empty") is True else ""
    return " and ".join(each for each in said if each) + blank


def _several(word: str, values: list[JsonValue], depth: int) -> str:
    listed = ", ".join(_words(each, depth + 1) for each in values)
    return f"{word}: {listed}" if depth == 0 else f"{word} ({listed})"


def _check(name: str, value: JsonValue, depth: int) -> str | None:
    """One check in words; None where there is no such check, or it does not take such a value."""
    if name in _LISTS:
        return _several(_LISTS[name], value, depth) if isinstance(value, list) and value else None
    if name == "not":
        inner = _words(value, depth + 1)
        return "a refusal" if inner == "not a refusal" else f"not {inner}"
    if name == "refusal":
        return {True: "a refusal", False: "not a refusal"}.get(value) if isinstance(value, bool) else None
    if name == "number":
        return _number(value)
    if name == "list":
        return _list(value)
    if name in ("words", "contains"):
        return f"{name} {text_of_json(value)}"
    return f"{_SAYS[name]} {text_of_json(value)}" if name in _SAYS else None


def _number(value: JsonValue) -> str:
    options = value if isinstance(value, dict) else {"value": value}
    said = f"number {_plain(options.get('value'))}"
    if options.get("abs") is not None:
        said += f" ± {_plain(options['abs'])}"
    if options.get("rel") is not None:
        relative = options["rel"]
        said += f" ± {relative * 100:g} %" if isinstance(relative, int | float) else f" ± {_plain(relative)} of it"
    said += _NUMBERS.get(str(options.get("which")), "")
    return said + (", a percentage taken as its number" if options.get("percent") is not None else "")


def _list(value: JsonValue) -> str | None:
    options = value if isinstance(value, dict) else {"items": value}
    items = options.get("items")
    if not isinstance(items, list):
        return None
    listed = ", ".join(text_of_json(item) for item in items)
    return f"the list {listed}{_ORDERS.get(str(options.get('order')), ' in this order')}"


def _plain(value: JsonValue) -> str:
    return value if isinstance(value, str) else text_of_json(value)
