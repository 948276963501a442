"""Parts of a scorecard together with what they were made of: a part is made anew only where that is another."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

_T = TypeVar("_T")


class Remembered:
    """The last value of each part. An edit of one run leaves most columns as they were, and their parts with them."""

    def __init__(self) -> None:
        self._parts: dict[str, tuple[object, Any]] = {}

    def get(self, part: str, made_of: object, make: Callable[[], _T]) -> _T:
        """The value of a part: the last one where it was made of the same, else a new one."""
        known = self._parts.get(part)
        if known is None or known[0] != made_of:
            known = self._parts[part] = (made_of, make())
        value: _T = known[1]
        return value
