"""The fast path of most runs: finished, with one plain reference, nothing else asked, and no rules.

What `match.py` decides in its order is decided here by one look at the run. Half of the runs of a usual bundle did what
was expected byte for byte: no argument is decoded, no object is made for a call, and the match is one of a few
constants (whatever call repeats another one is asked for by the reference, so redundancy need not be looked at). Any
other run goes to `match.py`; a property test holds the two together.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from msgspec import UNSET

from agent_tui.matchers.figures import Figures
from agent_tui.matchers.names import LADDER
from agent_tui.matchers.plain import middle_figures, shared_start, unasked
from agent_tui.matchers.redundancy import Trajectory
from agent_tui.matchers.result import TOOLS_NOT_KNOWN, Match, scored
from agent_tui.runs import Run, State, ToolCall, canonical_args
from agent_tui.runs.json_values import UNPARSEABLE

_ALL_PASS = bytes([State.PASS] * len(LADDER)) + TOOLS_NOT_KNOWN
_MOST = 256
_IDENTICAL = [Match(_ALL_PASS, 1.0, 1.0, 1.0, 1.0, None, LADDER[0], 0, None, None, 0, calls) for calls in range(_MOST)]


def match_single(run: Run, writes: frozenset[str]) -> Match | None:
    """The match of a run where its one reference decides alone; None where more must be looked at."""
    expected, made = run.expected, run.calls
    if expected is None or not made or run.status != "done":
        return None
    wanted = expected.calls
    if wanted is None or expected.any is not None:
        return None
    if expected.required_tools is not None or expected.forbidden_tools is not None:
        return None
    for call in wanted:
        if call.optional or call.times is not None or call.group is not None or call.parallel is not None:
            return None
        if call.rules is not UNSET:
            return None
    start, parsed = shared_start(wanted, made), all_parsed(made)
    if start == len(wanted) == len(made) < _MOST and parsed:
        return _IDENTICAL[start]
    trajectory = Trajectory(made, [call.name for call in made], writes)
    figures = middle_figures(wanted, trajectory, None, start)
    if not figures.may_repeat:
        return _scored(figures, parsed)
    repeated = trajectory.in_doubt
    return scored(figures, TOOLS_NOT_KNOWN, repeated, unasked(wanted, trajectory) if repeated.repeats else 0, parsed)


@lru_cache(maxsize=4096)
def _scored(figures: Figures, parsed: bool) -> Match:
    """The match where no repeat was looked for; the figures of most runs are the same few."""
    return scored(figures, TOOLS_NOT_KNOWN, None, 0, parsed)


_QUOTE = ord('"')
_AFTER, _STRING_AFTER = b"\0", b'\0"'


def all_parsed(calls: Sequence[ToolCall]) -> bool:
    """Whether the arguments of every call are JSON. Only texts that begin as a string need to be read."""
    if _STRING_AFTER not in _AFTER.join([b"", *[call.args for call in calls]]):
        return True
    return all(memoryview(call.args)[0] != _QUOTE or canonical_args(call.args)[1] != UNPARSEABLE for call in calls)
