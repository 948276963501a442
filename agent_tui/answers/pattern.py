"""The check `regex`: a pattern is found somewhere in the answer."""

from __future__ import annotations

from msgspec import Struct

from agent_tui.answers.outcome import check_error, correct, wrong
from agent_tui.answers.truths import BadCheck
from agent_tui.answers.verdict import AnswerVerdict, quote
from agent_tui.runs.json_values import JsonValue
from agent_tui.safety.patterns import PATTERNS, TooSlow, compiled


class Regex(Struct, frozen=True):
    """The pattern is searched for, not matched in full: `^…$` pins it to the whole answer, `(?i)` frees the case."""

    pattern: str
    takes_blank: bool = False
    name: str = "regex"

    def verdict(self, answer: str) -> AnswerVerdict:
        """The verdict of the search; one that takes too long is a check error."""
        try:
            found = PATTERNS.first_found(self.pattern, answer)
        except TooSlow as error:
            return check_error(self.name, str(error))
        if found is not None:
            return correct(self.name, f"the pattern finds {quote(found)}")
        return wrong(self.name, f"the pattern {quote(self.pattern)} finds nothing")


def build(name: str, value: JsonValue) -> Regex:
    """The check of a pattern. Raises `BadCheck`."""
    if not isinstance(value, str):
        raise BadCheck("regex takes a pattern as text")
    try:
        compiled(value)
    except Exception as error:  # the package raises its own error, which may not be imported without need
        raise BadCheck(f"the pattern {quote(value)} is not a regular expression: {error}") from error
    return Regex(value)
