"""Phrases that announce an answer and are none: alone they have been known to make a judge say pass."""

from __future__ import annotations

import re
import unicodedata

from agent_tui.judge.characters import INVISIBLE

_PHRASES = (
    "thought process",
    "chain of thought",
    "reasoning process",
    "let's think step by step",
    "let us think step by step",
    "let's solve this step by step",
    "let's solve this problem step by step",
    "let me think step by step",
    "let me think about this",
    "let me think",
    "step by step",
    "here is the answer",
    "here is my answer",
    "here's the answer",
    "here is the solution",
    "here you go",
    "the answer is",
    "the final answer is",
    "my answer is",
    "the solution is",
    "to answer this question",
    "to solve this",
)
_WORDS = ("answer", "final answer", "solution", "thinking", "thoughts", "reasoning", "analysis", "response", "result")
"""Openers only with a colon or dots after them: alone they may be the answer."""
_GREETINGS = ("sure", "of course", "certainly", "okay", "ok", "great question", "good question")
"""Openers only before another opener: `OK` alone may be the answer."""
_LONGEST = 400


def _any(phrases: tuple[str, ...]) -> str:
    return "(?:" + "|".join(re.escape(phrase) for phrase in sorted(phrases, key=len, reverse=True)) + ")"


_ONE = re.compile(rf"{_any(_PHRASES)}\b[\W_]*|{_any(_WORDS)}\s*(?::|\.\.|…)[\W_]*|{_any(_GREETINGS)}\b[\W_]*(?=\w)")


def is_only_openers(text: str) -> bool:
    """Whether `text` is one opener after another and then nothing."""
    if len(text) > _LONGEST:
        return False
    rest = unicodedata.normalize("NFKC", INVISIBLE.sub("", text)).casefold().replace("’", "'").strip(" \n\t\r*_#>-\"'")
    met = False
    while rest:
        opener = _ONE.match(rest)
        if opener is None:
            return False
        rest, met = rest[opener.end() :], True
    return met
