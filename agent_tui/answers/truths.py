"""What a recorded truth may say to a check.

Every module of a check has `build(name, value)`: the check of that name for the JSON value that the truth gives it. It
raises `BadCheck` where the value means nothing.
"""

from __future__ import annotations

from decimal import Decimal

from agent_tui.runs.json_values import JsonValue, canonical_of


class BadCheck(ValueError):
    """A truth that names no check, or says something that a check does not understand."""


def text_of(name: str, value: JsonValue) -> str:
    """The text of a truth: a text, or a number as it is spelt. Raises `BadCheck`."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        raise BadCheck(f"{name} takes text")
    return canonical_of(value).decode()
