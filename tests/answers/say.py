"""`say(truth, answer)` is the verdict of a truth given as a value, for tests."""

from __future__ import annotations

import json
from typing import Any

from agent_tui.answers import AnswerVerdict, evaluate


def say(truth: Any, answer: str | None) -> AnswerVerdict:
    """The verdict on `answer`."""
    return evaluate(json.dumps(truth), answer)


def state(truth: Any, answer: str | None) -> str:
    """The state of the verdict on `answer`."""
    return say(truth, answer).state
