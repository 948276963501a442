"""Rules: how calls of a bundle are compared, compiled once and shared by all runs."""

from __future__ import annotations

import re
from collections.abc import Iterable
from fnmatch import fnmatchcase
from functools import lru_cache
from typing import TYPE_CHECKING

from msgspec import Struct, field

from agent_tui.runs import RequiredTool

if TYPE_CHECKING:
    from agent_tui.matchers.argument_rules import ToolRules
    from agent_tui.matchers.banned import BannedTool

_REMEMBERED = 10_000


class _Found(dict[str, "ToolRules | None"]):
    """The rules that were found by tool name. They are no part of what rules are, so any two are equal."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Found)

    __hash__ = None


class Rules(Struct, frozen=True):
    """Argument rules by tool, aliases of names, tools to leave out, and the tool lists of the whole bundle."""

    tools: tuple[tuple[str, ToolRules], ...] = ()
    """Name patterns with the rules of their tools, in the order of the file."""
    aliases: tuple[tuple[str, str], ...] = ()
    ignore_tools: tuple[str, ...] = ()
    drop_failed: bool = False
    """Calls that failed are not part of the trajectory."""
    required_tools: tuple[RequiredTool, ...] | None = None
    forbidden_tools: tuple[BannedTool, ...] | None = None
    _found: _Found = field(default_factory=_Found)

    @property
    def is_plain(self) -> bool:
        """Whether calls compare as they stand: nothing but tool lists is given."""
        return not (self.tools or self.aliases or self.ignore_tools or self.drop_failed)

    def name_of(self, name: str) -> str:
        """The name a tool goes by: the first alias that fits, or its own."""
        for pattern, target in self.aliases:
            found = _capturing(pattern).fullmatch(name)
            if found:
                return _fill(target, found.groups())
        return name

    def leaves_out(self, name: str) -> bool:
        """Whether calls of a tool are taken out of both sides; the name as recorded and its alias are looked at."""
        known = self.name_of(name)
        return any(fnmatchcase(name, pattern) or fnmatchcase(known, pattern) for pattern in self.ignore_tools)

    def of_tool(self, name: str) -> ToolRules | None:
        """The rules of a tool, by the name it goes by: its own entry, else the first pattern that fits."""
        if name not in self._found:
            if len(self._found) >= _REMEMBERED:
                self._found.clear()
            own = [rules for pattern, rules in self.tools if pattern == name]
            fitting = own or [rules for pattern, rules in self.tools if fnmatchcase(name, pattern)]
            self._found[name] = fitting[0] if fitting else None
        return self._found[name]

    def fits_any(self, pattern: str, names: Iterable[str]) -> bool:
        """Whether a tool pattern of the rules fits one of the names, as recorded or as aliased."""
        return any(fnmatchcase(name, pattern) or fnmatchcase(self.name_of(name), pattern) for name in names)

    def tools_named(self) -> tuple[str, ...]:
        """Every tool pattern written in the rules, for the check that each fits a tool that exists."""
        required = [tool.name for tool in self.required_tools or ()]
        banned = [tool.name for tool in self.forbidden_tools or ()]
        patterns = [pattern for pattern, _ in self.tools] + [pattern for pattern, _ in self.aliases]
        return tuple(dict.fromkeys([*patterns, *self.ignore_tools, *required, *banned]))

    def arguments_named(self) -> tuple[tuple[str, str], ...]:
        """Every (tool pattern, top-level argument) written in the rules, for the check that each exists."""
        return tuple((pattern, key) for pattern, rules in self.tools for key in rules.args.keys)


NO_RULES = Rules()


@lru_cache(maxsize=1024)
def _capturing(pattern: str) -> re.Pattern[str]:
    """A glob as a pattern whose stars are groups; `*` and `?` are its only signs."""
    return re.compile("".join({"*": "(.*)", "?": "."}.get(sign, re.escape(sign)) for sign in pattern), re.DOTALL)


def _fill(target: str, groups: tuple[str, ...]) -> str:
    """The target with its stars replaced by what the pattern's stars stood for, in order."""
    pieces = target.split("*")
    return pieces[0] + "".join(group + piece for group, piece in zip(groups, pieces[1:], strict=False))
