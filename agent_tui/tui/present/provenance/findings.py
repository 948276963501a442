"""Where findings and figures stored in the bundle come from: theirs beside ours, and over what ours is."""

from __future__ import annotations

from collections.abc import Iterator

from rich.text import Text

from agent_tui.bundles import Bundle
from agent_tui.reports.figures import count, rate
from agent_tui.scoring import Scorecard
from agent_tui.scoring.findings import Finding, Stored
from agent_tui.tui.present.provenance.lines import Many, Part, pair
from agent_tui.tui.present.words import safe


def of_findings(bundle: Bundle, card: Scorecard, number: str) -> Iterator[Part]:
    """One finding whole with what it compares, then all of them; Enter on one goes to its run."""
    finding = card.findings[int(number)]
    yield pair("finding", safe(finding.text, 2000), "notice")
    stored = next((each for each in card.stored if each.text == finding.text), None)
    if stored is not None:
        yield from _beside(stored)
    else:
        yield pair("from", "what was recorded of a run, beside our own check of it; ours decides")
    yield Text()
    yield Text(f"all findings ({len(card.findings):,})", "title")
    yield Many(card.findings, _line, lambda each: each.rows[0] if each.rows else None)


def _line(finding: Finding) -> Text:
    return Text(f"  {safe(finding.text, 500)}", "text")


def of_stored(bundle: Bundle, card: Scorecard, _: str) -> Iterator[Part]:
    """Every stored figure: theirs, ours, over what, and whether both agree."""
    yield pair("number", count(len(card.stored), "figure"), "number")
    yield pair("from", "bundle.stored: what the bundle says of itself; ours is a rate or a mean of the same name")
    for stored in card.stored:
        yield Text()
        yield pair("figure", safe(stored.name), "title")
        yield from _beside(stored)


def _beside(stored: Stored) -> Iterator[Part]:
    yield pair("theirs", rate(stored.theirs), "number")
    if stored.ours is None:
        yield pair("ours", "n/a: nothing of ours compares", "unscoreable")
        return
    yield pair("ours", rate(stored.ours), "number")
    yield pair("over", f"{stored.how}{'' if stored.how.startswith('mean') else ' runs'}")
    agree = stored.agrees
    yield pair("both", "agree" if agree else "differ: a finding", "pass" if agree else "notice")
