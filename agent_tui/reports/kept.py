"""The runs that a filter keeps, below a printed scorecard, whose figures are of all runs as they are on the screen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from agent_tui.bundles import Bundle
from agent_tui.matchers import MATCHERS
from agent_tui.reports import figures
from agent_tui.runs import State
from agent_tui.safety import sanitise_line


def kept_text(bundle: Bundle, rows: Sequence[int], filter_text: str, measure: str, shown: int = 20) -> str:
    """Which filter keeps how many of the runs, then these with what `measure` says of them."""
    return "\n".join(sanitise_line(line).rstrip() for line in _lines(bundle, rows, filter_text, measure, shown)) + "\n"


def _lines(bundle: Bundle, rows: Sequence[int], filter_text: str, measure: str, shown: int) -> Iterator[str]:
    of_all = f"{len(rows):,} of {figures.count(len(bundle), 'run')}"
    yield ""
    yield f"filter {filter_text} keeps {of_all}; the figures above are of all {len(bundle):,}"
    for row in rows[:shown]:
        state = bundle.table.state(row, measure)
        cause = bundle.table.cause(row) if measure in MATCHERS and state is State.FAIL else None
        yield f"  {bundle.names.name(row):<22} {measure} {state.word}  {cause or ''}"
    if len(rows) > shown:
        yield f"  … {len(rows) - shown:,} more (agent-tui score --csv has every run)"
