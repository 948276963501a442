"""Did the path match? Every matcher of every run, argument rules, cause of failure, and the difference in words.

What explains a run stands in `explain`, which is loaded by whoever shows one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_tui.matchers.compiled import Decided, decide
from agent_tui.matchers.figures import CAUSES
from agent_tui.matchers.match import match, match_in_python, match_mode
from agent_tui.matchers.names import ARGS_MODES, LADDER, MATCHERS, MEASURES, resolve_matcher
from agent_tui.matchers.result import Match
from agent_tui.matchers.rules import NO_RULES, Rules
from agent_tui.matchers.seldom import parse_rules

if TYPE_CHECKING:
    from agent_tui.matchers.explain import Explanation

__all__ = [
    "ARGS_MODES",
    "CAUSES",
    "LADDER",
    "MATCHERS",
    "MEASURES",
    "NO_RULES",
    "Decided",
    "Explanation",
    "Match",
    "Rules",
    "decide",
    "match",
    "match_in_python",
    "match_mode",
    "parse_rules",
    "resolve_matcher",
]


if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        if name != "Explanation":
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from agent_tui.matchers.explain import Explanation

        return Explanation
