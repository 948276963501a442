"""The fast path: a run whose calls are written byte for byte as expected passes everything.

Half of the runs of a usual bundle are such. Names and argument texts are compared as they stand in the file, no
argument is decoded and no object is made for a call; the match is one of a few constants. Whatever call repeats another
one is asked for by the reference, so redundancy need not be looked at. Anything that needs a second look (rules,
optional calls, tool lists) is left to the way of `match.py`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent_tui.matchers.names import LADDER
from agent_tui.matchers.reference import is_plain
from agent_tui.matchers.result import Match
from agent_tui.runs import Run, State, ToolCall, canonical_args
from agent_tui.runs.json_values import UNPARSEABLE

TOOLS_NOT_KNOWN = bytes((State.NOT_KNOWN, State.NOT_KNOWN))
_ALL_PASS = bytes([State.PASS] * len(LADDER)) + TOOLS_NOT_KNOWN
_MOST = 256
_IDENTICAL = [Match(_ALL_PASS, 1.0, 1.0, 1.0, 1.0, None, LADDER[0], 0, None, None, 0, calls) for calls in range(_MOST)]


def identical(run: Run) -> Match | None:
    """The match of a run that did what was expected, in the same bytes; None where more must be looked at."""
    expected, made = run.expected, run.calls
    if expected is None or not made or run.status != "done":
        return None
    wanted = expected.calls
    if wanted is None or len(wanted) != len(made) or len(made) >= _MOST:
        return None
    for one, other in zip(wanted, made):  # noqa: B905 - a strict zip of equally long lists takes twice as long
        if one.name != other.name or one.args != other.args:
            return None
    if expected.required_tools is not None or expected.forbidden_tools is not None or expected.any is not None:
        return None
    if not is_plain(wanted) or not all_parsed(made):
        return None
    return _IDENTICAL[len(made)]


_text_follows = re.compile(rb'\n"').search


def all_parsed(calls: Sequence[ToolCall]) -> bool:
    """Whether the arguments of every call are JSON. Only texts that begin as a string need to be read."""
    if _text_follows(b"\n".join([b"", *[call.args for call in calls]])) is None:
        return True
    return all(canonical_args(call.args)[1] != UNPARSEABLE for call in calls)
