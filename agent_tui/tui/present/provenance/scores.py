"""Where the mean of a recorded score comes from: every value, and every run that has none with the reason."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from itertools import compress

from rich.text import Text

from agent_tui.bundles import Bundle
from agent_tui.reports import figures
from agent_tui.scoring import Scorecard
from agent_tui.scoring.recorded import NOT_USABLE, reason_word, reasons_of
from agent_tui.scoring.totals import is_usable
from agent_tui.tui.present.provenance.lines import Many, Part, pair, section
from agent_tui.tui.present.words import safe, safe_name

REASONS = ("null", "absent", "not a number", NOT_USABLE)


def of_score(bundle: Bundle, card: Scorecard, name: str) -> Iterator[Part]:
    """Formula, values and unscored runs of a recorded score."""
    score = card.scores[name]
    values, reasons = bundle.table.scores[name], reasons_of(bundle.table, name)
    yield pair("number", f"{figures.rate(score.mean)}, mean over {score.n:,} of {score.total:,} runs", "number")
    yield pair("score", f"{safe(name)}, as recorded with the runs")
    yield pair("formula", f"Σ values / {score.n:,}; a run without a number in 0..1 is left out, never counted as 0")
    yield Text()

    def draw(row: int) -> Text:
        return Text(f"  {values[row]:>8.4g}  ", "text").append(safe_name(bundle.names.name(row)), "label")

    rows = array("I", compress(range(len(values)), map(is_usable, values)))
    if rows:
        yield Text(f"values ({len(rows):,})", "title")
        yield Many(rows, draw)
    for reason in REASONS:
        without = [row for row, each in reasons.items() if reason_word(each) == reason]
        told = reasons.__getitem__ if reason == NOT_USABLE else lambda row: ""
        yield from section(bundle, f"left out: {reason}", without, "unscoreable", told)
