"""What the matchers are called: our names, the names of the field, and argument modes."""

from __future__ import annotations

from agent_tui.errors import UnknownName

MATCHERS = (
    "exact",
    "exact_groups",
    "name_only",
    "order_ignored",
    "in_order",
    "any_order",
    "subset",
    "required_tools",
    "forbidden_tools",
)
"""Verdict matchers; `Match.states` holds one state code for each, in this order."""

MEASURES = ("precision", "recall", "f1", "alignment")
"""Measures that are numbers from 0 to 1."""

LADDER = ("exact", "exact_groups", "order_ignored", "name_only", "in_order", "any_order", "subset")
"""The ladder from strict to weak: the first that passes is the strictest rung."""

ARGS_MODES = ("exact", "ignore", "subset", "superset", "rules")
"""How arguments compare: equal; not looked at; the agent gave at most, at least these; by the argument rules."""

ALIASES = {
    "adk.exact": "exact",
    "trajectory_exact_match": "exact",
    "agentevals.strict": "exact_groups",
    "strict": "exact_groups",
    "exact+ignore_args": "name_only",
    "unordered": "order_ignored",
    "agentevals.unordered": "order_ignored",
    "adk.in_order": "in_order",
    "trajectory_in_order_match": "in_order",
    "adk.any_order": "any_order",
    "trajectory_any_order_match": "any_order",
    "superset": "any_order",
    "agentevals.superset": "any_order",
    "agentevals.subset": "subset",
    "allow_list": "subset",
    "single_tool_use": "required_tools",
    "tool_used": "required_tools",
}
"""Names of other tools, spelt in lower case with underscores."""

_MODE = "+args_"
_WITHOUT_ARGS = frozenset({"name_only", "required_tools", "forbidden_tools"})


def resolve_matcher(name: str) -> str:
    """Our name of a matcher: `superset+args_superset` is `any_order+args_superset`. Raises `UnknownName`."""
    spelt = name.strip().lower().replace("-", "_")
    if spelt in ALIASES:
        return ALIASES[spelt]
    word, plus, mode = spelt.partition(_MODE)
    matcher = ALIASES.get(word, word)
    if matcher not in MATCHERS:
        raise UnknownName("matcher", name, (*MATCHERS, *ALIASES))
    if plus and mode not in ARGS_MODES:
        raise UnknownName("argument mode", mode, ARGS_MODES)
    if not plus or matcher in _WITHOUT_ARGS:
        return matcher
    return "name_only" if (matcher, mode) == ("exact", "ignore") else f"{matcher}{_MODE}{mode}"


def split_mode(name: str) -> tuple[str, str]:
    """The matcher and the argument mode of a name: `exact` means `exact`, by the rules."""
    matcher, _, mode = resolve_matcher(name).partition(_MODE)
    return matcher, mode or "rules"
