"""The check `regex`: a pattern is found somewhere in the answer."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from agent_tui.answers.outcome import check_error, correct, wrong
from agent_tui.answers.verdict import AnswerVerdict, quote

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


def regex_check(pattern: str) -> Regex:
    """The check of a pattern. Raises `ValueError` where it is no regular expression.

    `regex` is loaded here and not with the module: few truths are patterns, and starting is to be quick.
    """
    import regex  # type: ignore[import-untyped, unused-ignore]

    try:
        return Regex(pattern, regex.compile(pattern))
    except (regex.error, RecursionError, OverflowError) as error:
        raise ValueError(f"the pattern {quote(pattern)} is not a regular expression: {error}") from error
