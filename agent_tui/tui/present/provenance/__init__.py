"""Where a number comes from: formula, runs behind it, what was left out, and from which bytes.

A module a kind of number; each gives the lines of its page.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from rich.text import Text

from agent_tui.bundles import Bundle
from agent_tui.errors import how_many
from agent_tui.reports import figures
from agent_tui.scoring import Scorecard
from agent_tui.tui.present.about import About, Kind
from agent_tui.tui.present.provenance.answers import of_answers, of_truths
from agent_tui.tui.present.provenance.findings import of_findings, of_stored
from agent_tui.tui.present.provenance.lines import Part, Provenance, pair
from agent_tui.tui.present.provenance.measures import FORMULAS, of_measure
from agent_tui.tui.present.provenance.scores import of_score
from agent_tui.tui.present.provenance.totals import of_grade, of_ribbon, of_weak
from agent_tui.tui.present.provenance.trials import of_trials
from agent_tui.tui.present.words import safe_name

_PAGES: Mapping[Kind, Callable[[Bundle, Scorecard, str], Iterator[Part]]] = {
    "measure": of_measure,
    "output": of_answers,
    "truths": of_truths,
    "weak": of_weak,
    "grade": of_grade,
    "score": of_score,
    "trials": of_trials,
    "finding": of_findings,
    "stored": of_stored,
    "ribbon": of_ribbon,
}


def provenance(bundle: Bundle, card: Scorecard, about: About) -> Provenance:
    """All that stands behind a number."""
    told = _PAGES[about.kind](bundle, card, about.name)
    return Provenance([*told, Text(), *origin(bundle)])


def origin(bundle: Bundle) -> Iterator[Text]:
    """Which bytes a number is of."""
    yield pair("bundle", f"{safe_name(bundle.name)}, {figures.count(len(bundle), 'run')}")
    yield pair("digest", bundle.digest or "(still reading)")
    for source in bundle.sources:
        yield pair("file", f"{safe_name(source.file)}  {source.format}")
    if bundle.edited:
        yield pair("what-if", f"{figures.count(bundle.edited, 'run')} shown otherwise than recorded", "notice")
    if bundle.losses:
        yield pair("skipped", f"{how_many(bundle.losses):,} records or files are in no number (P lists them)", "notice")


__all__ = ["FORMULAS", "Provenance", "origin", "provenance"]
