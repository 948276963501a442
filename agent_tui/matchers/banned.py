"""Calls that must not be made."""

from __future__ import annotations

from fnmatch import fnmatchcase

from msgspec import Struct

from agent_tui.matchers.argument_rules import Node, holds
from agent_tui.runs import JsonValue


class BannedTool(Struct, frozen=True):
    """Calls that must not be made: a name pattern, and rules that a call must fit to be banned, if any."""

    name: str
    args: Node | None = None

    def bans(self, names: tuple[str, str], arguments: JsonValue) -> bool:
        """Whether a call with these names (as recorded, as aliased) and arguments is one of them."""
        if not any(fnmatchcase(name, self.name) for name in names):
            return False
        if self.args is None:
            return True
        return isinstance(arguments, dict) and holds(self.args, arguments, arguments)
