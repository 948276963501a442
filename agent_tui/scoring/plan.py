"""What one scoring of a bundle goes by, the same for every run of it."""

from __future__ import annotations

from msgspec import Struct, UnsetType, field

from agent_tui.matchers import NO_RULES, Rules
from agent_tui.runs import BundleHeader, LevelsSpec
from agent_tui.scoring.tools import NO_TOOLS, Tools, parse_tools

SUCCESS_SCORES = ("success", "pass", "correct", "reward")
"""Names under which a bundle's own scorer may have recorded task success, in order of preference."""


class Plan(Struct, frozen=True):
    """Argument rules, the reading of the levels, the tools' descriptions and where recorded success stands."""

    rules: Rules = NO_RULES
    levels: LevelsSpec = field(default_factory=LevelsSpec)
    tools: Tools = NO_TOOLS
    success_scores: tuple[str, ...] = SUCCESS_SCORES

    @property
    def is_plain(self) -> bool:
        """Whether levels follow from the trajectory's verdicts alone: no rules, and nothing that calls must fit."""
        return self.rules is NO_RULES and self.levels.kind == "calls" and not self.tools.validators


def plan_for(header: BundleHeader, rules: Rules = NO_RULES) -> Plan:
    """The plan that a bundle's header asks for. Raises `BadRules` where the header makes no sense."""
    named = (header.primary_score,) if header.primary_score else ()
    return Plan(
        rules=rules,
        levels=header.levels or LevelsSpec(),
        tools=NO_TOOLS if isinstance(header.tools, UnsetType) else parse_tools(header.tools),
        success_scores=named + tuple(name for name in SUCCESS_SCORES if name not in named),
    )
