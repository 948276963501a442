"""What of a bundle's labels and recorded verdicts cannot be used, for `check`."""

from __future__ import annotations

from agent_tui.bundles import Bundle
from agent_tui.errors import NotPossible, Problem
from agent_tui.judge.labels import Labels
from agent_tui.judge.recorded import recorded_problems


def judging_problems(bundle: Bundle) -> list[Problem]:
    """Problems of the label file, of the labels that came in the bundle, and of its recorded verdicts."""
    if not len(bundle):
        return []
    try:
        labels = [*Labels.of(bundle).problems]
    except NotPossible:  # the reading of standard input was broken off, so that nobody can have labelled it
        labels = []
    return [*labels, *recorded_problems(bundle)]
