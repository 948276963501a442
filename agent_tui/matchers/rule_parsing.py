"""Rules from JSON: every mistake is a `BadRules` that names its path and what exists."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from decimal import Decimal
from functools import lru_cache

from msgspec import Raw

from agent_tui.errors import BadRules
from agent_tui.matchers.argument_rules import (
    ABSENT,
    LIST_MODES,
    TEXT_STEPS,
    ArgRule,
    Node,
    NumberRule,
    ToolRules,
)
from agent_tui.matchers.banned import BannedTool
from agent_tui.matchers.rules import NO_RULES, Rules
from agent_tui.runs import ForbiddenTool, JsonValue, RequiredTool, parse, surrogates
from agent_tui.safety.patterns import compiled

RULES_KEYS = ("tools", "aliases", "ignore_tools", "failed_calls", "required_tools", "forbidden_tools")
ARG_RULES = ("number", "one_of", "text", "regex", "list", "default")
ARG_WORDS = ("ignore", "present")


def parse_rules(raw: Raw | bytes | JsonValue, where: str = "rules") -> Rules:
    """The compiled rules of a bundle, from JSON text or from a value (None: no rules). Raises `BadRules`."""
    value = _value(raw, where)
    if value is None:
        return NO_RULES
    tree = _object(value, where, RULES_KEYS)
    rules = Rules(
        tools=_tools(tree.get("tools"), f"{where}.tools"),
        aliases=_aliases(tree.get("aliases"), f"{where}.aliases"),
        ignore_tools=_names(tree.get("ignore_tools") or [], f"{where}.ignore_tools"),
        drop_failed=_word(tree.get("failed_calls", "keep"), f"{where}.failed_calls", ("keep", "drop")) == "drop",
        required_tools=parse_required(tree.get("required_tools"), f"{where}.required_tools"),
        forbidden_tools=parse_forbidden(tree.get("forbidden_tools"), f"{where}.forbidden_tools"),
    )
    return rules.written_as(bytes(raw) if isinstance(raw, Raw | bytes) else surrogates.encode(raw))


@lru_cache(maxsize=4096)
def parse_call_rules(text: bytes) -> tuple[ToolRules, bool]:
    """The rules of one expected call, and whether they say something of extra arguments. Raises `BadRules`."""
    value = _value(text, "rules")
    rules = _tool(value, "rules", of_call=True)
    return rules, isinstance(value, dict) and "extra_args" in value


def parse_required(value: JsonValue | Sequence[str | RequiredTool], where: str) -> tuple[RequiredTool, ...] | None:
    """The tools that must be called; None where the list is absent. Raises `BadRules`."""
    if value is None:
        return None
    return tuple(_required(item, f"{where}[{i}]") for i, item in enumerate(_list(value, where)))


def _required(item: object, where: str) -> RequiredTool:
    if isinstance(item, str):
        return RequiredTool(item)
    if not isinstance(item, RequiredTool):
        tree = _object(item, where, ("name", "min", "max"))
        least, most = tree.get("min", 1), tree.get("max")
        if not isinstance(tree.get("name"), str):
            raise BadRules(f"{where}: a required tool needs a name")
        if not _is_count(least) or not (most is None or _is_count(most)):
            raise BadRules(f"{where}: min and max are whole numbers from 0")
        item = RequiredTool(tree["name"], least, most)  # type: ignore[arg-type]
    if item.min < 0 or (item.max is not None and item.max < item.min):
        raise BadRules(f"{where}: min {item.min} and max {item.max} leave no number of calls")
    return item


def parse_forbidden(value: JsonValue | Sequence[str | ForbiddenTool], where: str) -> tuple[BannedTool, ...] | None:
    """The tools that must not be called; None where the list is absent. Raises `BadRules`."""
    if value is None:
        return None
    return tuple(_banned(item, f"{where}[{i}]") for i, item in enumerate(_list(value, where)))


def _banned(item: object, where: str) -> BannedTool:
    if isinstance(item, str):
        return BannedTool(item)
    if isinstance(item, ForbiddenTool):
        name: JsonValue = item.name
        args = _value(item.args, where) if isinstance(item.args, Raw) else None
    else:
        tree = _object(item, where, ("name", "args"))
        name, args = tree.get("name"), tree.get("args")
    if not isinstance(name, str):
        raise BadRules(f"{where}: a forbidden tool needs a name")
    if args is None:
        return BannedTool(name)
    node = _tree(args, f"{where}.args", of_call=True)
    _refuse_comparing(node, f"{where}.args")
    return BannedTool(name, node)


def _refuse_comparing(node: Node, where: str) -> None:
    """A forbidden call has no expected value: only rules that judge the actual one make sense."""
    rule = node.rule
    if rule is not None and not (rule.ignore or rule.present or rule.one_of is not None or rule.regex is not None):
        raise BadRules(
            f"{where}: nothing to compare with in a forbidden call; there are ignore, one_of, present, regex"
        )
    for key, inner in node.keys.items():
        _refuse_comparing(inner, _at(where, key))


def _tools(value: JsonValue, where: str) -> tuple[tuple[str, ToolRules], ...]:
    if value is None:
        return ()
    return tuple((name, _tool(entry, _at(where, name))) for name, entry in _object(value, where).items())


def _tool(value: JsonValue, where: str, of_call: bool = False) -> ToolRules:
    tree = _object(value, where, ("extra_args", "args"))
    extra = _word(tree.get("extra_args", "forbid"), f"{where}.extra_args", ("forbid", "allow"))
    return ToolRules(extra == "allow", _tree(tree.get("args", {}), f"{where}.args", of_call))


def _tree(value: JsonValue, where: str, of_call: bool = False) -> Node:
    """The tree of a mapping from paths to rules."""
    planted: list[_Planted] = []
    for path, rule in _object(value, where).items():
        place = _at(where, path)
        steps = path.split(".")
        if "" in steps or steps[0] == "*":
            raise BadRules(f"{place}: a path is keys with dots between, and `*` for list items")
        planted.append((steps, _arg_rule(rule, place, of_call), place))
    return _grow(planted)


_Planted = tuple[list[str], ArgRule, str]


def _grow(planted: list[_Planted]) -> Node:
    """The node that holds these rules, each with the rest of its path; inside a rule only list items may have one."""
    inside: dict[str, list[_Planted]] = {}
    rule = None
    for steps, one, place in planted:
        if not steps:
            rule = one
        else:
            inside.setdefault(steps[0], []).append((steps[1:], one, place))
    keys = {key: _grow(rest) for key, rest in inside.items()}
    items = keys.pop("*", None)
    if keys and rule is not None:
        raise BadRules(f"{next(iter(inside.values()))[0][2]}: lies inside an argument that has a rule of its own")
    return Node(rule, keys, items)


def _arg_rule(value: JsonValue, where: str, of_call: bool) -> ArgRule:
    if isinstance(value, str):
        if value in ARG_RULES:
            raise BadRules(f"{where}: {value} is a rule with a value: write {{{value}: ..}}")
        word = _word(value, where, (*ARG_WORDS, *ARG_RULES))
        return ArgRule(ignore=word == "ignore", present=word == "present")
    tree = _object(value, where, ARG_RULES)
    if not tree:
        raise BadRules(f"{where}: an empty rule; there are {', '.join((*ARG_RULES, *ARG_WORDS))}")
    return ArgRule(
        number=_number(tree["number"], f"{where}.number") if "number" in tree else None,
        text=_text(tree["text"], f"{where}.text") if "text" in tree else None,
        one_of=tuple(_list(tree["one_of"], f"{where}.one_of")) if "one_of" in tree else None,  # type: ignore[arg-type]
        regex=_regex(tree["regex"], f"{where}.regex") if "regex" in tree else None,
        list=_word(tree["list"], f"{where}.list", LIST_MODES) if "list" in tree else None,
        default=tree.get("default", ABSENT),
        required=of_call,
    )


def _number(value: JsonValue, where: str) -> NumberRule:
    tree = _object(value, where, ("abs", "rel", "parse"))
    parsed = tree.get("parse", False)
    if not isinstance(parsed, bool):
        raise BadRules(f"{where}.parse: true or false")
    return NumberRule(_tolerance(tree.get("abs"), f"{where}.abs"), _tolerance(tree.get("rel"), f"{where}.rel"), parsed)


def _tolerance(value: JsonValue, where: str) -> Decimal:
    number = NumberRule().value(value if value is not None else 0)
    if number is None or number < 0:
        raise BadRules(f"{where}: a number from 0")
    return number


def _text(value: JsonValue, where: str) -> frozenset[str]:
    steps = _list(value, where)
    return frozenset(_word(step, f"{where}[{i}]", TEXT_STEPS) for i, step in enumerate(steps))


def _regex(value: JsonValue, where: str) -> str:
    if not isinstance(value, str):
        raise BadRules(f"{where}: a pattern is a text")
    try:
        compiled(value)
    except Exception as error:  # the package raises its own error, which may not be imported without need
        raise BadRules(f"{where}: {error}") from error
    return value


def _aliases(value: JsonValue, where: str) -> tuple[tuple[str, str], ...]:
    if value is None:
        return ()
    pairs: list[tuple[str, str]] = []
    for pattern, target in _object(value, where).items():
        if not isinstance(target, str):
            raise BadRules(f"{_at(where, pattern)}: an alias is a name")
        if target.count("*") > pattern.count("*"):
            raise BadRules(f"{_at(where, pattern)}: {target!r} has more stars than the pattern")
        pairs.append((pattern, target))
    return tuple(pairs)


def _names(value: JsonValue, where: str) -> tuple[str, ...]:
    names = _list(value, where)
    for i, name in enumerate(names):
        if not isinstance(name, str):
            raise BadRules(f"{where}[{i}]: a name or a pattern")
    return tuple(names)  # type: ignore[arg-type]


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _value(raw: object, where: str) -> JsonValue:
    if not isinstance(raw, (Raw, bytes)):
        return raw  # type: ignore[return-value]
    try:
        value = parse(raw)
    except ValueError as error:
        raise BadRules(f"{where}: not JSON: {error}") from error
    _refuse_repeated_keys(bytes(raw), where)
    return value


def _refuse_repeated_keys(text: bytes, where: str) -> None:
    """Of two rules under one key the first would be lost, and a run might pass that should not."""

    def members(pairs: list[tuple[str, object]]) -> dict[str, object]:
        made = dict(pairs)
        if len(made) < len(pairs):
            keys = [key for key, _ in pairs]
            key = next(key for key in made if keys.count(key) > 1)
            raise BadRules(f"{where}: {key!r} stands twice in one object: keep one")
        return made

    try:
        json.loads(text, object_pairs_hook=members)
    except RecursionError as error:
        raise BadRules(f"{where}: nested too deeply") from error


def _object(value: object, where: str, known: Iterable[str] | None = None) -> dict[str, JsonValue]:
    if not isinstance(value, dict):
        raise BadRules(f"{where}: an object is needed, not {_kind(value)}")
    names = tuple(known) if known is not None else None
    for key in value:
        if names is not None and key not in names:
            raise BadRules(f"{_at(where, key)}: unknown name; there are {', '.join(names)}")
    return value


def _list(value: object, where: str) -> list[object]:
    if not isinstance(value, (list, tuple)):
        raise BadRules(f"{where}: a list is needed, not {_kind(value)}")
    return list(value)


def _word(value: object, where: str, known: Sequence[str]) -> str:
    if not isinstance(value, str) or value not in known:
        raise BadRules(f"{where}: {value!r} is not known; there are {', '.join(known)}")
    return value


def _kind(value: object) -> str:
    kinds = {dict: "an object", list: "a list", str: "a text", bool: "true or false", type(None): "null"}
    return kinds.get(type(value), "a number")


def _at(where: str, key: str) -> str:
    """The path of a key: `where.key`, or `where["a.b"]` where the key is no plain word."""
    plain = key.replace("_", "").replace("-", "").isalnum()
    return f"{where}.{key}" if plain else f'{where}["{key}"]'
