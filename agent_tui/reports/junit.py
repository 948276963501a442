"""The runs as JUnit XML, which every CI system shows: one test case a run, under one measure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.sax.saxutils import quoteattr

from agent_tui.bundles import Bundle
from agent_tui.reports import figures
from agent_tui.reports.each_run import EachRun, one_by_one
from agent_tui.reports.why_failed import why_failed, why_untold
from agent_tui.runs import State
from agent_tui.safety import sanitise
from agent_tui.scoring import Scorecard


def score_junit(bundle: Bundle, card: Scorecard, each_run: EachRun = one_by_one) -> Iterator[str]:
    """JUnit XML of the active measure, case by case: a failed run is a failure, an errored one an error, any other is
    skipped.
    """
    ribbon = card.ribbon
    skipped = ribbon.total - ribbon.passed - ribbon.failed - ribbon.errored
    counts = f'tests="{ribbon.total}" failures="{ribbon.failed}" errors="{ribbon.errored}" skipped="{skipped}"'
    what_if = figures.what_if(bundle.edited)
    name = _attribute(f"{bundle.name} ({card.measure}{f'; {what_if}' if what_if else ''})")
    yield f'<?xml version="1.0" encoding="UTF-8"?>\n<testsuites {counts}>\n<testsuite name={name} {counts}>\n'
    yield from each_run(len(bundle), lambda row: _case(bundle, card.measure, row))
    yield "</testsuite>\n</testsuites>\n"


def _case(bundle: Bundle, measure: str, row: int) -> str:
    name, state = _attribute(bundle.names.name(row)), bundle.table.state(row, measure)
    head = f"  <testcase classname={_attribute(measure)} name={name}"
    if state is State.PASS:
        return head + "/>\n"
    return f"{head}>{_outcome(bundle, measure, row, state)}</testcase>\n"


def _outcome(bundle: Bundle, measure: str, row: int, state: State) -> str:
    if state is State.FAIL:
        return f"<failure message={_attribute(why_failed(bundle, measure, row))}/>"
    if state is State.ERROR:
        error = bundle.run(row).error
        message = error.message if error is not None else "no trajectory was recorded"
        return f"<error message={_attribute(message)}/>"
    if state is State.BROKEN:
        return f"<skipped message={_attribute(f'{state.word}: {why_untold(bundle, measure, row)}')}/>"
    reason = bundle.table.statuses[row] or "" if state is State.PENDING else state.word
    return f"<skipped message={_attribute(reason)}/>"


_NO_XML = re.compile("[\ufffe\uffff]")
"""What XML 1.0 forbids beside the control characters and surrogates that `sanitise` shows as marks."""


def _attribute(text: str) -> str:
    return quoteattr(_NO_XML.sub(lambda found: f"<U+{ord(found[0]):04X}>", sanitise(text)))
