"""What a check gives: a verdict on an answer, and how to make one."""

from __future__ import annotations

from typing import Protocol

from agent_tui.answers.verdict import AnswerVerdict


class Check(Protocol):
    """One way to tell from an answer's text whether the result is right.

    A check is immutable and holds no state of an answer. `verdict` gets any text, also an empty one, never
    raises, and says `correct`, `wrong`, `check_error` (cannot tell, with the reason) or `unscoreable` (nothing
    is known):

        Words(text="refunded 140", ...).verdict("refunded 140.00 EUR").state == "correct"
    """

    @property
    def name(self) -> str:
        """The name of the check as it is written in a bundle."""

    @property
    def takes_blank(self) -> bool:
        """Whether an empty answer may be right, which only `allow_empty` declares."""

    def verdict(self, answer: str) -> AnswerVerdict:
        """The verdict on an answer."""


NEGATED = ("negated",)
AMBIGUOUS = ("ambiguous",)


def correct(check: str, why: str, flags: tuple[str, ...] = ()) -> AnswerVerdict:
    """The answer is right."""
    return AnswerVerdict("correct", check, why, flags)


def wrong(check: str, why: str, flags: tuple[str, ...] = ()) -> AnswerVerdict:
    """The answer is wrong."""
    return AnswerVerdict("wrong", check, why, flags)


def check_error(check: str, why: str, flags: tuple[str, ...] = ()) -> AnswerVerdict:
    """The check is broken, or cannot tell."""
    return AnswerVerdict("check_error", check, why, flags)


def unscoreable(check: str, why: str) -> AnswerVerdict:
    """Nothing is known to judge by."""
    return AnswerVerdict("unscoreable", check, why)
