"""Every report of changed runs says that they are changed."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from agent_tui.bundles import Bundle, load
from agent_tui.bundles.what_if import WhatIf, set_value
from agent_tui.reports.junit import score_junit
from agent_tui.reports.markdown import score_markdown
from agent_tui.reports.sweep import sweep_text
from agent_tui.reports.text import score_text
from agent_tui.reports.trajectory import show_text
from agent_tui.scoring.sweep import Sweep
from tests.writing import CYBERTRAVELS

REPORTS: dict[str, Callable[[Bundle], str]] = {
    "text": lambda bundle: score_text(bundle, bundle.scorecard()),
    "markdown": lambda bundle: score_markdown(bundle, bundle.scorecard()),
    "junit": lambda bundle: "".join(score_junit(bundle, bundle.scorecard())),
    "sweep": lambda bundle: sweep_text(bundle, Sweep(0), 80),
    "show": lambda bundle: show_text(bundle, 1),
}


@pytest.mark.parametrize("name", REPORTS)
def test_a_report_of_changed_runs_says_what_if(name: str) -> None:
    bundle = load([CYBERTRAVELS])
    assert "what-if" not in REPORTS[name](bundle)
    WhatIf(bundle).change(1, set_value("expected.calls[1].args.amount", "1400"))
    assert "what-if" in REPORTS[name](bundle)
