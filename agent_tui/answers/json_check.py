"""The check `json`: the answer is the same JSON value."""

from __future__ import annotations

import re

from msgspec import Struct

from agent_tui.answers.outcome import correct, wrong
from agent_tui.answers.verdict import AnswerVerdict, quote
from agent_tui.runs import canonical
from agent_tui.runs.json_values import JsonValue, canonical_of

_FENCED = re.compile(r"```[\w+-]*[ \t]*\r?\n(.*?)```", re.DOTALL)


class JsonCheck(Struct, frozen=True):
    """The answer, or the one fenced block in it, is the same JSON: key order free, numbers by value."""

    wanted: bytes
    """Canonical text of the truth."""
    takes_blank: bool = False
    name: str = "json"

    def verdict(self, answer: str) -> AnswerVerdict:
        """The verdict on the JSON of the answer."""
        found = _canonical_or_none(answer)
        if found is None:
            return wrong(self.name, f"the answer is not JSON: {quote(answer)}")
        if found == self.wanted:
            return correct(self.name, "the answer is the same JSON")
        shown = quote(self.wanted.decode("utf-8", "replace"))
        return wrong(self.name, f"{quote(found.decode('utf-8', 'replace'))} is not {shown}")


def _canonical_or_none(answer: str) -> bytes | None:
    blocks = _FENCED.findall(answer)
    try:
        return canonical((blocks[0] if len(blocks) == 1 else answer).strip())
    except ValueError:
        return None


def build(name: str, value: JsonValue) -> JsonCheck:
    """The check of a truth, which is the value itself."""
    return JsonCheck(canonical_of(value))
