"""What the other panes show, below a printed scorecard: the runs, or those that a filter keeps, and one trajectory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from agent_tui.bundles import Bundle
from agent_tui.matchers import MATCHERS
from agent_tui.reports import figures
from agent_tui.reports.trajectory import show_text
from agent_tui.runs import State
from agent_tui.safety import sanitise_line

_SHOWN = 20
"""Runs that are named (a count)."""
_LONG = 60
"""Lines of a trajectory (a count)."""


def runs_text(bundle: Bundle, rows: Sequence[int], filter_text: str, measure: str) -> str:
    """The runs with what `measure` says of each; where a filter chose them, which one and how many of all it keeps."""
    return _text(_lines(bundle, rows, filter_text, measure))


def path_text(bundle: Bundle, row: int) -> str:
    """The beginning of a trajectory, and how much of it is left out."""
    lines = show_text(bundle, row).splitlines()
    more = len(lines) - _LONG
    return _text(
        ["", *lines[:_LONG], *([f"… {figures.count(more, 'more line')} (agent-tui show)"] if more > 0 else [])]
    )


def _text(lines: Iterable[str]) -> str:
    return "\n".join(sanitise_line(line).rstrip() for line in lines) + "\n"


def _lines(bundle: Bundle, rows: Sequence[int], filter_text: str, measure: str) -> Iterator[str]:
    yield ""
    if filter_text:
        of_all = f"{len(rows):,} of {figures.count(len(bundle), 'run')}"
        yield f"filter {filter_text} keeps {of_all}; the figures above are of all {len(bundle):,}"
    else:
        yield f"runs by {measure} ({len(rows):,}); agent-tui show PATH RUN prints the trajectory of one"
    for row in rows[:_SHOWN]:
        state = bundle.table.state(row, measure)
        cause = bundle.table.cause(row) if measure in MATCHERS and state is State.FAIL else None
        output = bundle.table.output(row)
        yield f"  {bundle.names.name(row):<22} {measure} {state.word:<5} {cause or '':<12} output {output}"
    if len(rows) > _SHOWN:
        yield f"  … {len(rows) - _SHOWN:,} more (agent-tui score --csv has every run)"
