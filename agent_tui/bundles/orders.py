"""The orders of a bundle's texts that were found so far: a million are sorted once, and not at each key."""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable, Iterator, Sequence
from heapq import merge
from itertools import islice
from typing import Any

from agent_tui.bundles.text_order import in_text_order, places_in_order
from agent_tui.scoring.columns import Texts

_WORTH_KEEPING, _KEPT = 1000, 4
_PART = 10_000


def ranks_of(texts: Sequence[str | None], *, patiently: bool = False) -> array[float]:
    """The place of each text in order, equal ones at one; NaN where there is none.

    Patiently, many are sorted a part at a time, so that no other thread has to wait for the whole.
    """
    distinct = {text for text in texts if text is not None}
    order = merge(*_sorted_parts(distinct)) if patiently else sorted(distinct)
    rank = {text: float(place) for place, text in enumerate(order)}
    return array("d", [math.nan if text is None else rank[text] for text in texts])


def _sorted_parts(texts: Iterable[str]) -> Iterator[list[str]]:
    each = iter(texts)
    while part := sorted(islice(each, _PART)):
        yield part


class Orders:
    """Kept as long as the bundle that they are of; what has grown since is put in order anew."""

    def __init__(self) -> None:
        self._ranked: list[tuple[Sequence[str | None], array[float]]] = []
        self._placed: tuple[Texts, Any] | None = None

    def ranks(self, texts: Sequence[str | None], *, patiently: bool = False) -> array[float]:
        """See `ranks_of`; those of many texts are kept."""
        for known, ranks in self._ranked:
            if known is texts and len(ranks) == len(texts):
                return ranks
        ranks = ranks_of(texts, patiently=patiently)
        if len(texts) >= _WORTH_KEEPING:
            self._ranked = [(texts, ranks), *(each for each in self._ranked if each[0] is not texts)][:_KEPT]
        return ranks

    def prepare(self, texts: Texts) -> None:
        """Put a whole column of different texts in order, so that any of its rows are at once; a thread's work."""
        places = places_in_order(texts)
        if places is not None:
            self._placed = texts, places

    def rows(self, texts: Texts, rows: Sequence[int], *, descending: bool) -> array[int]:
        """`rows` by their texts, code point by code point; equal ones as they stand."""
        places = None
        if self._placed is not None and self._placed[0] is texts and len(self._placed[1]) == len(texts):
            places = self._placed[1]
        return in_text_order(texts, rows, descending=descending, places=places)
