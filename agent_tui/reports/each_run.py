"""What a report says of each run, in their order: one after another here; whoever prints may have others help."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

EachRun: TypeAlias = Callable[[int, Callable[[int], str]], Iterator[str]]
"""Gives what a function says of the rows from 0 up to a count, in their order."""


def one_by_one(rows: int, say: Callable[[int], str]) -> Iterator[str]:
    """Row after row, each when it is asked for."""
    return map(say, range(rows))
