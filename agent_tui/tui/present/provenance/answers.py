"""Where the counts of answers come from: those that are in no rate, and those that have a truth."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.text import Text

from agent_tui.bundles import Bundle
from agent_tui.reports.figures import count
from agent_tui.scoring import Scorecard
from agent_tui.scoring.table import OUTPUT_STATES
from agent_tui.tui.present.provenance.lines import Part, pair, rows_of_codes, section
from agent_tui.tui.present.truths import answer_words
from agent_tui.tui.present.words import safe

MEANINGS = {
    "unscoreable": "no truth is recorded that the answer could be checked against: in no rate",
    "no_answer": "a truth is recorded and the run gave no answer: scored, and not correct",
    "run_error": "the run ended in an error: in no rate; the strict rate counts it as not correct",
    "check_error": "the recorded truth cannot be used as a check: in no rate",
}
_STYLES = {"unscoreable": "unscoreable", "no_answer": "fail", "run_error": "error", "check_error": "notice"}


def of_answers(bundle: Bundle, card: Scorecard, state: str) -> Iterator[Part]:
    """What a state of the answer means, and the runs in it with the reason of each."""
    rows = _rows(bundle, state)
    yield pair("number", f"{len(rows):,} of {count(len(bundle), 'run')}", "number")
    yield pair("counts", MEANINGS[state])
    yield Text()
    said = state.replace("run_", "").replace("_", " ")
    yield from section(bundle, said, rows, _STYLES[state], lambda row: _why(bundle, row))


def of_truths(bundle: Bundle, card: Scorecard, _: str) -> Iterator[Part]:
    """The runs whose answer has a truth to check it by, and the others."""
    known, without = _rows(bundle, "correct", "wrong", "no_answer"), _rows(bundle, "unscoreable")
    yield pair("number", f"{len(known):,} with a truth, {len(without):,} without", "number")
    yield pair("counts", "with one: output was scored; without: only a person or a judge can tell")
    yield Text()
    yield from section(bundle, "with a truth", known, "text", lambda row: answer_words(bundle.run(row), 200) or "")
    yield from section(bundle, "without one", without, "unscoreable")
    rest = _rows(bundle, "run_error", "check_error", "pending")
    yield from section(bundle, "neither: errored, check broken, not finished", rest, "label")


def _rows(bundle: Bundle, *states: str) -> Sequence[int]:
    return rows_of_codes(bundle.table.outputs, *map(OUTPUT_STATES.index, states))


def _why(bundle: Bundle, row: int) -> str:
    return safe(bundle.score(row).answer.why, 200)
