"""The check `list`: the answer enumerates the items of the truth."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from msgspec import Struct

from agent_tui.answers.combine import Nothing
from agent_tui.answers.outcome import Check, correct, wrong
from agent_tui.answers.tokens import Token, tokenize
from agent_tui.answers.truths import BadCheck, text_of
from agent_tui.answers.verdict import AnswerVerdict, quote
from agent_tui.runs.json_values import JsonValue, parse

ORDERS = ("ordered", "set", "multiset")
_BULLET = re.compile(r"^\s*(?:[-*•+]|\d+[.)])\s+", re.MULTILINE)
_LEAD = re.compile(r"^[^:\n]*:\s+(?=\S)")
_COMMAS = re.compile(r"(?:,\s+|;\s*)(?:(?:and|or)\s+)?|,(?!\d)|\s+(?:and|or|&)\s+", re.IGNORECASE)

Item = tuple[Token, ...]


class ListCheck(Struct, frozen=True):
    """The answer's items are those of the truth: in this order (`ordered`), in any (`multiset`), or as a `set`.

    Items are a JSON array, else lines (bullets and numbering aside), else what commas, semicolons, `and` and `or`
    part; words up to a colon before them are left out. Items compare as the tokens of `words` do.
    """

    items: tuple[Item, ...]
    order: str
    takes_blank: bool = False
    name: str = "list"

    def verdict(self, answer: str) -> AnswerVerdict:
        """The verdict, with the first item that is missing, too much or out of place."""
        found = split_items(answer)
        if self.order == "ordered":
            same = list(self.items) == found
        elif self.order == "set":
            same = set(self.items) == set(found)
        else:
            same = _difference(self.items, found) == _difference(found, self.items) == []
        if same:
            return correct(self.name, f"the answer lists the {len(self.items)} items")
        return wrong(self.name, self._first_difference(found))

    def _first_difference(self, found: Sequence[Item]) -> str:
        as_set = self.order == "set"
        missing = [item for item in self.items if item not in found] if as_set else _difference(self.items, found)
        extra = [item for item in found if item not in self.items] if as_set else _difference(found, self.items)
        if missing:
            return f"{_spell(missing[0])} is not listed"
        return f"{_spell(extra[0])} is listed and should not be" if extra else "the items stand in another order"


def split_items(answer: str) -> list[Item]:
    """The items that an answer enumerates."""
    parts = _json_items(answer)
    if parts is None:
        lines = [line for line in _BULLET.sub("", answer).splitlines() if line.strip()]
        if len(lines) > 1 and lines[0].rstrip().endswith(":"):
            lines = lines[1:]
        parts = lines if len(lines) > 1 else _COMMAS.split(_LEAD.sub("", lines[0])) if lines else []
    return [item for part in parts if (item := tuple(tokenize(part)))]


def _json_items(answer: str) -> list[str] | None:
    if not answer.lstrip().startswith("["):
        return None
    try:
        value = parse(answer.strip())
    except ValueError:
        return None
    return [item if isinstance(item, str) else str(item) for item in value] if isinstance(value, list) else None


def _difference(left: Sequence[Item], right: Sequence[Item]) -> list[Item]:
    """Items of `left` without a partner of their own in `right`."""
    rest = list(right)
    alone = []
    for item in left:
        if item in rest:
            rest.remove(item)
        else:
            alone.append(item)
    return alone


def _spell(item: Item) -> str:
    return quote(" ".join(str(token) for token in item))


def build(name: str, value: JsonValue) -> Check:
    """The check of a truth. Raises `BadCheck`."""
    options: Mapping[str, JsonValue] = value if isinstance(value, dict) else {"items": value}
    items, order = options.get("items"), options.get("order", "ordered")
    if not isinstance(items, list) or set(options) - {"items", "order"}:
        raise BadCheck('list takes items, or {"items": [..], "order": "ordered" | "set" | "multiset"}')
    if order not in ORDERS:
        raise BadCheck(f"order is one of {', '.join(ORDERS)}")
    if not items:
        return Nothing(name, "no items are recorded")
    return ListCheck(tuple(tuple(tokenize(text_of("an item of list", item))) for item in items), str(order))
