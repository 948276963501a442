"""The check `regex`: a pattern is found somewhere in the answer."""

from __future__ import annotations

from typing import Any

import regex  # type: ignore[import-untyped, unused-ignore]
from msgspec import Struct

from agent_tui.answers.outcome import check_error, correct, wrong
from agent_tui.answers.truths import BadCheck
from agent_tui.answers.verdict import AnswerVerdict, quote
from agent_tui.runs.json_values import JsonValue

TIMEOUT_SECONDS = 0.5


class Regex(Struct, frozen=True):
    """The pattern is searched for, not matched in full: `^…$` pins it to the whole answer, `(?i)` frees the case."""

    pattern: str
    compiled: Any
    """The pattern as compiled by `regex`, which, unlike `re`, can give up."""
    takes_blank: bool = False
    name: str = "regex"

    def verdict(self, answer: str) -> AnswerVerdict:
        """The verdict of the search; a search that takes longer than `TIMEOUT_SECONDS` is a check error."""
        try:
            found = self.compiled.search(answer, timeout=TIMEOUT_SECONDS)
        except TimeoutError:
            return check_error(self.name, f"the pattern {quote(self.pattern)} took longer than {TIMEOUT_SECONDS} s")
        if found:
            return correct(self.name, f"the pattern finds {quote(found[0])}")
        return wrong(self.name, f"the pattern {quote(self.pattern)} finds nothing")


def build(name: str, value: JsonValue) -> Regex:
    """The check of a pattern. Raises `BadCheck`."""
    if not isinstance(value, str):
        raise BadCheck("regex takes a pattern as text")
    try:
        return Regex(value, regex.compile(value))
    except (regex.error, RecursionError, OverflowError) as error:
        raise BadCheck(f"the pattern {quote(value)} is not a regular expression: {error}") from error
