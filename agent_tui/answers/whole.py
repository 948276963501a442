"""The checks `exact` and `normalized`: the whole answer is the truth."""

from __future__ import annotations

from msgspec import Struct

from agent_tui.answers.outcome import correct, wrong
from agent_tui.answers.text import fold, normalized
from agent_tui.answers.truths import BadCheck, text_of
from agent_tui.answers.verdict import AnswerVerdict, quote
from agent_tui.runs.json_values import JsonValue


class Exact(Struct, frozen=True):
    """The answer is the truth, code point by code point."""

    text: str
    takes_blank: bool = False
    name: str = "exact"

    def verdict(self, answer: str) -> AnswerVerdict:
        """The verdict; where only spelling differs, it says so and names the check that would forgive it."""
        if answer == self.text:
            return correct(self.name, "the answer is the truth, character by character")
        return wrong(self.name, f"{quote(answer)} is not {quote(self.text)}{self._near(answer)}")

    def _near(self, answer: str) -> str:
        if answer.strip() == self.text.strip():
            return " (differs in outer white space only)"
        if fold(answer) == fold(self.text):
            return " (differs in letter case or Unicode form only)"
        return " (`normalized` would pass it)" if normalized(answer) == normalized(self.text) else ""


class Normalized(Struct, frozen=True):
    """The answer is the truth but for case, Unicode form, white space, outer punctuation and Markdown marks."""

    text: str
    wanted: str
    takes_blank: bool = False
    name: str = "normalized"

    def verdict(self, answer: str) -> AnswerVerdict:
        """The verdict on the normalised answer."""
        found = normalized(answer)
        if found == self.wanted:
            return correct(self.name, "the answer is the truth once both are normalised")
        return wrong(self.name, f"{quote(found)} is not {quote(self.wanted)}")


class Blank(Struct, frozen=True):
    """What `allow_empty` makes of an empty truth: the answer must be empty too."""

    name: str
    takes_blank: bool = True

    def verdict(self, answer: str) -> AnswerVerdict:
        """The verdict: nothing but white space was said."""
        if not answer.strip():
            return correct(self.name, "the answer is empty, as it should be")
        return wrong(self.name, f"{quote(answer)} was said where nothing should be")


def build(name: str, value: JsonValue) -> Exact | Normalized:
    """The check `exact` or `normalized` of a truth. Raises `BadCheck`."""
    text = text_of(name, value)
    if name == "exact":
        return Exact(text)
    wanted = normalized(text)
    if not wanted:
        raise BadCheck(f"nothing of the truth {text!r} is left once it is normalised")
    return Normalized(text, wanted)
