"""The fast path of most runs: finished, with one plain reference, nothing else asked, and no rules.

What `match.py` decides in its order is decided here by one look at the run. Half of the runs of a usual bundle did what
was expected byte for byte: no argument is decoded, no object is made for a call, and the match is one of a few
constants (whatever call repeats another one is asked for by the reference, so redundancy need not be looked at). Any
other run goes to `match.py`; a property test holds the two together.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from functools import lru_cache

from msgspec import UNSET

from agent_tui.matchers.figures import Figures
from agent_tui.matchers.names import LADDER
from agent_tui.matchers.plain import (
    have_changed_places,
    middle_figures,
    more_or_fewer,
    one_against_one,
    shared_end,
    shared_start,
    two_changed_places,
    unasked,
)
from agent_tui.matchers.redundancy import Trajectory, may_equal_another
from agent_tui.matchers.result import TOOLS_NOT_KNOWN, Match, scored
from agent_tui.runs import ExpectedCall, Run, State, ToolCall, canonical_args
from agent_tui.runs.json_values import UNPARSEABLE

_ALL_PASS = bytes([State.PASS] * len(LADDER)) + TOOLS_NOT_KNOWN
_MOST = 256
_IDENTICAL = [Match(_ALL_PASS, 1.0, 1.0, 1.0, 1.0, None, LADDER[0], 0, 0, calls) for calls in range(_MOST)]


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
    figures = _of_one_call(wanted, made, start)
    if figures is not None:
        return _scored(figures, parsed)
    trajectory = Trajectory(made, [call.name for call in made], writes)
    figures = middle_figures(wanted, trajectory, None, start)
    if not figures.may_repeat:
        return _scored(figures, parsed)
    return scored(figures, TOOLS_NOT_KNOWN, unasked(wanted, trajectory) if trajectory.in_doubt.repeats else 0, parsed)


def _of_one_call(wanted: Sequence[ExpectedCall], made: Sequence[ToolCall], start: int) -> Figures | None:
    """The figures where one call is not written as expected, and where only calls are missing; None: see the rest.

    Nothing repeats there: a call that equals another one is left to the rest too.
    """
    expected, done = len(wanted), len(made)
    end = shared_end(wanted, made, min(expected, done) - start)
    left = done - start - end
    if left == 0:
        return more_or_fewer(expected, done, done, False, False)
    if left == 2 and expected == done and have_changed_places(wanted, made, start):
        return two_changed_places(expected)
    if left > 1 or expected - start - end > 1 or may_equal_another(made, start):
        return None
    if expected < done:
        return more_or_fewer(expected, done, expected, False, False)
    return one_against_one(wanted[start], made[start], expected)


@lru_cache(maxsize=4096)
def _scored(figures: Figures, parsed: bool) -> Match:
    """The match where no repeat was looked for; the figures of most runs are the same few."""
    return scored(figures, TOOLS_NOT_KNOWN, 0, parsed)


_first_byte = struct.Struct("B").unpack_from
_QUOTE = (ord('"'),)


def all_parsed(calls: Sequence[ToolCall]) -> bool:
    """Whether the arguments of every call are JSON. Only texts that begin as a string need to be read."""
    for call in calls:  # noqa: SIM110 - as in `has_groups`
        if _first_byte(call.args) == _QUOTE and canonical_args(call.args)[1] == UNPARSEABLE:
            return False
    return True
