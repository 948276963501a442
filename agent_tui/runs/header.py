"""What a bundle says about itself."""

from __future__ import annotations

from msgspec import UNSET, Raw, Struct, UnsetType


class LevelsSpec(Struct, frozen=True, omit_defaults=True):
    """How the three levels read the runs: kind `calls`, or `search` with the tool and its query argument."""

    kind: str = "calls"
    tool: str = ""
    argument: str = "query"


class BundleHeader(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The `bundle` object of agent-tui/1."""

    id: str = ""
    name: str | None = None
    agent: str | None = None
    model: str | None = None
    started: str | None = None
    planned: int | None = None
    """How many runs were planned (a count)."""
    notes: str | list[str] | None = None
    primary_score: str | None = None
    levels: LevelsSpec | None = None
    tools: Raw | UnsetType = UNSET
    """Tool descriptions: a list of `{name, parameters, writes}` or of OpenAI tools, as JSON text."""
