"""The check `regex`: a pattern is found somewhere in the answer."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from agent_tui.answers.outcome import check_error, correct, wrong
from agent_tui.answers.verdict import AnswerVerdict, quote

TIMEOUT_SECONDS = 0.5


class Regex:
    """The pattern is searched for, not matched in full: `^…$` pins it to the whole answer, `(?i)` frees the case.

    A pattern that does not compile, or that needs longer than `TIMEOUT_SECONDS`, is a check error.
    """

    name = "regex"

    def __init__(self, pattern: str, takes_blank: bool = False) -> None:
        self.pattern = pattern
        self.takes_blank = takes_blank

    @cached_property
    def _compiled(self) -> Any:
        """The compiled pattern, or the reason why there is none. `regex` is loaded only where it is needed."""
        import regex  # type: ignore[import-untyped, unused-ignore]

        try:
            return regex.compile(self.pattern)
        except (regex.error, RecursionError, OverflowError) as error:
            return f"the pattern {quote(self.pattern)} is not a regular expression: {error}"

    def verdict(self, answer: str) -> AnswerVerdict:
        """The verdict of the search."""
        compiled = self._compiled
        if isinstance(compiled, str):
            return check_error(self.name, compiled)
        try:
            found = compiled.search(answer, timeout=TIMEOUT_SECONDS)
        except TimeoutError:
            reason = f"the pattern {quote(self.pattern)} took longer than {TIMEOUT_SECONDS} s"
            return check_error(self.name, reason)
        if found:
            return correct(self.name, f"the pattern finds {quote(found[0])}")
        return wrong(self.name, f"the pattern {quote(self.pattern)} finds nothing")
