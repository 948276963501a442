"""What a judgement of one run on one surface can be."""

from __future__ import annotations

from enum import IntEnum


class State(IntEnum):
    """A verdict has three values and a reason; could-not-tell is split by its reason and is never a number."""

    FAIL = 0
    PASS = 1
    NOT_KNOWN = 2
    """Nothing is known to judge by: n/a, unscoreable."""
    ERROR = 3
    """The run ended in an error, or has no trajectory although one was expected."""
    VACUOUS = 4
    """The question is empty here (in_order with nothing expected): n/a, never a pass."""
    PENDING = 5
    """The run is not finished or its state is unknown: in nothing."""
    BROKEN = 6
    """The check itself is broken or ambiguous: its own column."""

    @property
    def word(self) -> str:
        """The word in JSON and exports."""
        return _WORDS[self]


_WORDS = {
    State.FAIL: "fail",
    State.PASS: "pass",
    State.NOT_KNOWN: "n/a",
    State.ERROR: "error",
    State.VACUOUS: "n/a",
    State.PENDING: "n/a",
    State.BROKEN: "check_error",
}
