"""Many runs behind one door: the store that screen, commands and reports read."""

from agent_tui.bundles.bundle import Bundle, ScoredRun, Source
from agent_tui.bundles.loading import Fact, add, load, require_runs, scored

__all__ = ["Bundle", "Fact", "ScoredRun", "Source", "add", "load", "require_runs", "scored"]
