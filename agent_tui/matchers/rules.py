"""Rules: how calls of a bundle are compared, compiled once and shared by all runs."""

from __future__ import annotations

from collections.abc import Iterable
from fnmatch import fnmatchcase
from functools import lru_cache
from typing import TYPE_CHECKING

from msgspec import Struct, field
from msgspec.structs import replace

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


class _Text(bytes):
    """JSON text that is no part of what rules are, so any two are equal."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Text)

    __hash__ = None  # type: ignore[assignment]


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
    _text: _Text = _Text()
    _found: _Found = field(default_factory=_Found)

    @property
    def text(self) -> bytes:
        """The rules as they were written, as JSON; empty where nothing was."""
        return bytes(self._text)

    def written_as(self, text: bytes) -> Rules:
        """These rules with the JSON text that they were made of."""
        return replace(self, _text=_Text(text), _found=_Found())

    @property
    def is_plain(self) -> bool:
        """Whether calls compare as they stand: nothing but tool lists is given."""
        return not (self.tools or self.aliases or self.ignore_tools or self.drop_failed)

    def name_of(self, name: str) -> str:
        """The name a tool goes by: the first alias that fits, or its own."""
        for pattern, target in self.aliases:
            stars = captured(pattern, name)
            if stars is not None:
                return _fill(target, stars)
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


@lru_cache(maxsize=_REMEMBERED)
def captured(pattern: str, name: str) -> tuple[str, ...] | None:
    """What the stars of a glob stand for in a name, the first as much as can be; None where the glob does not fit.

    `*` and `?` are its only signs. What stands between stars is put as far to the right as it goes, piece by piece from
    the end: a regular expression finds the same and may take for ever.
    """
    start, *pieces = pattern.split("*")
    if not pieces:
        return () if _fits_at(start, name, 0) and len(start) == len(name) else None
    last = pieces.pop()
    end = len(name) - len(last)
    if end < len(start) or not (_fits_at(start, name, 0) and _fits_at(last, name, end)):
        return None
    stars: list[str] = []
    for piece in reversed(pieces):
        places = range(end - len(piece), len(start) - 1, -1)
        place = next((place for place in places if _fits_at(piece, name, place)), None)
        if place is None:
            return None
        stars.append(name[place + len(piece) : end])
        end = place
    return (name[len(start) : end], *reversed(stars))


def _fits_at(piece: str, name: str, place: int) -> bool:
    if "?" not in piece:
        return name.startswith(piece, place)
    found = name[place : place + len(piece)]
    return len(found) == len(piece) and all(sign in ("?", other) for sign, other in zip(piece, found, strict=True))


def _fill(target: str, groups: tuple[str, ...]) -> str:
    """The target with its stars replaced by what the pattern's stars stood for, in order."""
    pieces = target.split("*")
    return pieces[0] + "".join(group + piece for group, piece in zip(groups, pieces[1:], strict=False))
