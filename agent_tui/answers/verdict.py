"""What a check says about one answer."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

AnswerState: TypeAlias = Literal["correct", "wrong", "no_answer", "run_error", "unscoreable", "check_error", "pending"]


class AnswerVerdict(Struct, frozen=True, gc=False):
    """A state, the check that decided, and why in one sentence.

    `correct`, `wrong` and `no_answer` are scored (`no_answer` is wrong by another word); `unscoreable`: nothing
    is known to judge by; `run_error`: the run ended in an error; `check_error`: the check is broken or cannot
    tell; `pending`: the run is not finished. `flags` are findings in fixed words: `negated`, `ambiguous`,
    `broken_part`.
    """

    state: AnswerState
    check: str
    why: str
    flags: tuple[str, ...] = ()


CLIP = 60


def quote(text: str) -> str:
    """`text` within a sentence: short, one line, in quotes. Not sanitised: that is done where it is shown."""
    line = " ".join(text.split())
    return f'"{line[:CLIP]}…"' if len(line) > CLIP else f'"{line}"'
