"""Did the path match? Every matcher of every run, argument rules, cause of failure, and the difference in words."""

from agent_tui.matchers.differences import ArgDifference
from agent_tui.matchers.explain import Explanation, Row, explain
from agent_tui.matchers.figures import CAUSES
from agent_tui.matchers.match import match, match_mode
from agent_tui.matchers.names import ARGS_MODES, LADDER, MATCHERS, MEASURES, resolve_matcher
from agent_tui.matchers.result import Match
from agent_tui.matchers.rule_parsing import parse_rules
from agent_tui.matchers.rules import NO_RULES, Rules

__all__ = [
    "ARGS_MODES",
    "CAUSES",
    "LADDER",
    "MATCHERS",
    "MEASURES",
    "NO_RULES",
    "ArgDifference",
    "Explanation",
    "Match",
    "Row",
    "Rules",
    "explain",
    "match",
    "match_mode",
    "parse_rules",
    "resolve_matcher",
]
