"""Patterns out of files, any of which may take for ever on some text: what they cost together is bounded.

A look that takes too long is broken off and its pattern given up: it is tried no more, but on texts that it was done
with before, so that a verdict once given is given again. So is a pattern whose slow looks add up.
"""

from __future__ import annotations

import time
from functools import lru_cache
from typing import Any

_SHOWN = 60
_REMEMBERED = 200_000
"""How many looks that were done in time are remembered (a count)."""


class TooSlow(Exception):
    """Whether a pattern fits could not be told in time; the message says which pattern."""


@lru_cache(maxsize=1024)
def compiled(pattern: str) -> Any:
    """A pattern of the `regex` package, which can be given a time limit. Raises its errors where it is none."""
    import regex  # type: ignore[import-untyped, unused-ignore]  # here, since few bundles have a pattern

    return regex.compile(pattern)


class Patterns:
    """The looks of all patterns, and what they have cost in CPU seconds."""

    def __init__(self, one_look: float, one_pattern: float, all_patterns: float, slow: float) -> None:
        self._one_look = one_look
        self._one_pattern = one_pattern
        self._all_patterns = all_patterns
        self._slow = slow
        """From where on a look counts; past the limit for all it ends there, past twice that nothing is tried."""
        self._spent: dict[str, float] = {}
        self._all_spent = 0.0
        self._given_up: set[str] = set()
        self._done: set[int] = set()

    def fits_whole(self, pattern: str, text: str) -> bool:
        """Whether a pattern matches the whole of a text. Raises `TooSlow`."""
        return self._look(pattern, text, compiled(pattern).fullmatch) is not None

    def first_found(self, pattern: str, text: str) -> str | None:
        """The first part of a text that a pattern finds. Raises `TooSlow`."""
        found = self._look(pattern, text, compiled(pattern).search)
        return None if found is None else str(found[0])

    def _look(self, pattern: str, text: str, method: Any) -> Any:
        key = hash((pattern, text))
        is_done = key in self._done
        if pattern in self._given_up and not is_done:
            raise _too_slow(pattern)
        if self._all_spent > 2 * self._all_patterns and not is_done:
            raise TooSlow(f"cannot tell: the patterns take too long together, so {_shown(pattern)} is not tried")
        limit = self._one_look if is_done or self._all_spent < self._all_patterns else self._slow
        start = time.thread_time()
        try:
            found = method(text, timeout=limit)
        except TimeoutError:
            self._given_up.add(pattern)
            raise _too_slow(pattern) from None
        finally:
            self._count(pattern, time.thread_time() - start)
        if len(self._done) < _REMEMBERED:
            self._done.add(key)
        return found

    def _count(self, pattern: str, seconds: float) -> None:
        if seconds < self._slow:
            return
        self._all_spent += seconds
        self._spent[pattern] = self._spent.get(pattern, 0.0) + seconds
        if self._spent[pattern] > self._one_pattern:
            self._given_up.add(pattern)


def _too_slow(pattern: str) -> TooSlow:
    return TooSlow(f"cannot tell: the pattern {_shown(pattern)} takes too long, and is not tried any more")


def _shown(pattern: str) -> str:
    return f'"{pattern}"' if len(pattern) <= _SHOWN else f'"{pattern[: _SHOWN - 1]}…"'


PATTERNS = Patterns(one_look=0.25, one_pattern=2.0, all_patterns=5.0, slow=0.01)
"""The patterns of this process."""
