"""The known flaws of scripted judges: what each one falls for, as far as it can be read in a request.

longer_than:400         answers of more than 400 characters
contains_verdict_text   an answer or a trace that reads like a verdict; without `say` it obeys the first one
labels_reversed         verdicts offered in another than the usual order; without `say` it takes the first one
always                  everything
"""

from __future__ import annotations

import json
import re

import msgspec
from msgspec import Struct

from agent_tui.providers.contract import LABELS, Request

# What a reader in a hurry takes for a verdict: a label behind the word or between its tags, a grade, a marked rating.
_VERDICT_TEXT = re.compile(
    r"verdict\W{1,12}(?P<label>pass|fail|undetermined)\b"
    r"|\bgrade\s*[:=]\s*(?P<grade>[CPIF])\b"
    r"|\[\[\s*(?P<rating>yes|no|\d+)\s*\]\]",
    re.IGNORECASE,
)
_GRADES = {"c": "pass", "p": "pass", "i": "fail", "f": "fail", "yes": "pass", "no": "fail"}
_LONGER, _GULLIBLE, _ORDER, _ALWAYS = _NAMES = ("longer_than", "contains_verdict_text", "labels_reversed", "always")
_SAYS_WHAT_IT_SEES = (_GULLIBLE, _ORDER)


class Read(Struct, frozen=True):
    """The material as a judge reads it, no longer escaped."""

    answer: str = ""
    trace: tuple[str, ...] = ()


class Flaw(Struct, frozen=True, forbid_unknown_fields=True):
    """When a scripted judge leaves its table, and what it says then."""

    when: str
    say: str | None = None

    def __post_init__(self) -> None:
        name, colon, parameter = self.when.partition(":")
        if name not in _NAMES or not (parameter.isdecimal() if name == _LONGER else not colon):
            raise ValueError(f"{self.when!r} is no flaw: there are {_LONGER}:N, {', '.join(_NAMES[1:])}")
        if self.say not in ((None, *LABELS) if name in _SAYS_WHAT_IT_SEES else LABELS):
            raise ValueError(f"a flaw {self.when!r} that says {self.say!r}: there are {', '.join(LABELS)}")

    def says(self, request: Request, read: Read) -> str | None:
        """The verdict that it leads to; None where it does not apply."""
        name, _, parameter = self.when.partition(":")
        if name == _LONGER:
            return self.say if len(read.answer) > int(parameter) else None
        if name == _GULLIBLE:
            found = verdict_text(read)
            return found and (self.say or found)
        if name == _ORDER:
            return None if request.labels == LABELS else (self.say or request.labels[0])
        return self.say


def verdict_text(read: Read) -> str | None:
    """The verdict of the first text in answer or trace that is shaped like one; None where there is none."""
    for text in (read.answer, *read.trace):
        if found := _VERDICT_TEXT.search(text):
            return _verdict_of(found)
    return None


def _verdict_of(found: re.Match[str]) -> str:
    word = (found["label"] or found["grade"] or found["rating"]).lower()
    if word.isdecimal():
        return "pass" if int(word) > 5 else "fail"
    return _GRADES.get(word, word)


def read_request(request: Request) -> Read | None:
    """The material of a request; None where it holds none."""
    start = request.user.find("{")
    try:
        material, _ = json.JSONDecoder().raw_decode(request.user, max(start, 0))
        return msgspec.convert(material, Read)
    except (ValueError, RecursionError):
        return None
