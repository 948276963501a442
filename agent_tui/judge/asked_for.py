"""Forms that a task itself asks for: an answer that keeps to them is not an attack on the judge."""

from __future__ import annotations

import json
import re

from agent_tui.judge.characters import fold

_ABOUT_TEXTS = re.compile(r"\b(?:injection|jailbreak|attack|example|phrase|prompt|quote|sentence|wording)")
_QUOTED = re.compile(r"(?<![\w])(['\"“‘«])([^'\"”’»\n]{1,300})(['\"”’»])(?!\w)")
_MENTIONS = re.compile(
    r"\b(?:such as|like|e\.g\.|for example|for instance|called|says|saying|reads|phrase|words|text)[\s:,]*$"
)


class Asked:
    """What a task asks for, as far as flags can be excused by it."""

    def __init__(self, task: str) -> None:
        self._task = fold(task).text
        self._wants_json = "json" in self._task
        self._is_about_texts = bool(_ABOUT_TEXTS.search(self._task))

    def excuses(self, text: str, span: tuple[str, int, int]) -> bool:
        """Whether a span is of the form that was asked for: JSON, a tag, a role word, a quoted example."""
        kind, start, end = span
        if kind == "verdict_shaped_text" and self._wants_json and _is_json(text):
            return True
        if (
            kind in {"delimiter_forgery", "chat_template_token"}
            and fold(text[start:end]).text.strip(" \n:") in self._task
        ):
            return True
        return self._is_about_texts and _is_mention(text, start, end)


def _is_json(text: str) -> bool:
    try:
        return isinstance(json.loads(text), dict | list)
    except (ValueError, RecursionError):
        return False


def _is_mention(text: str, start: int, end: int) -> bool:
    """Whether a span stands inside quotation marks after words that announce an example."""
    for match in _QUOTED.finditer(text, max(0, start - 300), min(len(text), end + 300)):
        if match.start() < start and end <= match.end():
            return bool(_MENTIONS.search(text[max(0, match.start() - 40) : match.start()].lower()))
    return False
