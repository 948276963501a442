"""The check `refusal`: the answer says that the information or service is not available."""

from __future__ import annotations

import re

from msgspec import Struct

from agent_tui.answers.outcome import correct, wrong
from agent_tui.answers.text import fold
from agent_tui.answers.truths import BadCheck
from agent_tui.answers.verdict import AnswerVerdict, quote
from agent_tui.runs.json_values import JsonValue

_MARKS = re.compile(r"[*_`]+")
_REFUSALS = re.compile(
    r"\b(?:(?:do|does|did) not|don't|doesn't|didn't) (?:(?:\w+ly|seem to|appear to) )?"
    r"(?:have|mention|cover|document|contain|describe|discuss)\b"
    r"|(?:\bnot|n't) (?:\w+ly )?(?:in|covered|mentioned|documented|described|available)\b"
    r"[^.!?]{0,200}\b(?:docs|documentation)\b"
    r"|\bno information\b"
    r"|\b(?:could not|couldn't|cannot|can't|can not|did not|didn't|unable to) find\b"
)


class Refusal(Struct, frozen=True):
    """The answer is (or, where `wanted` is false, is not) a refusal. A plain no or cannot is none."""

    wanted: bool = True
    takes_blank: bool = False
    name: str = "refusal"

    def verdict(self, answer: str) -> AnswerVerdict:
        """The verdict, with the words that make it a refusal."""
        found = refusal_words(answer)
        why = f"it refuses: {quote(found)}" if found else "it does not say that something is not available"
        return (correct if bool(found) == self.wanted else wrong)(self.name, why)


def refusal_words(answer: str) -> str | None:
    """The words by which an answer says that information or a service is not available; None where it does not."""
    text = " ".join(_MARKS.sub("", fold(answer)).split())
    found = _REFUSALS.search(text)
    return found[0] if found else None


def build(name: str, value: JsonValue) -> Refusal:
    """The check of a truth. Raises `BadCheck`."""
    if not isinstance(value, bool):
        raise BadCheck("refusal is true or false")
    return Refusal(value)
