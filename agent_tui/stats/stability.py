"""Does a judge say the same when asked again?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from math import log2
from statistics import fmean

from msgspec import Struct

from agent_tui.stats.rates import Rate, rate_of

Vote = bool | None
"""Pass, fail, or None for undetermined."""


class Stability(Struct, frozen=True):
    """What repeated asks of the same items say, item by item and on average; None where there was no repeat."""

    verdicts: tuple[Vote, ...]
    """The verdict most often given of each item; a tie is undetermined."""
    flips: Rate
    """Items that got more than one verdict, of the items asked."""
    mean_pairwise_agreement: float | None
    """How often two asks of one item agree (0..1)."""
    mean_modal_share: float | None
    """How often the verdict most often given is given (0..1)."""
    mean_entropy_bits: float | None
    why_unknown: str | None
    """Why these figures say nothing of stability, in words."""


def stability(votes: Iterable[Sequence[Vote]]) -> Stability:
    """Modal verdicts, flips, pairwise agreement Σ n_c(n_c-1) / k(k-1) (Fleiss 1971) and entropy (Shannon 1948).

    Items without an answer are in `verdicts` as undetermined and in nothing else.
    """
    items = [Counter(item) for item in votes]
    asked = [counts for counts in items if counts]
    repeated = [counts for counts in asked if counts.total() > 1]
    return Stability(
        verdicts=tuple(_modal(counts) for counts in items),
        flips=rate_of(sum(len(counts) > 1 for counts in asked), len(asked), "nothing was asked"),
        mean_pairwise_agreement=_mean(_pairwise(counts) for counts in repeated),
        mean_modal_share=_mean(max(counts.values()) / counts.total() for counts in asked),
        mean_entropy_bits=_mean(_entropy(counts) for counts in asked),
        why_unknown=None if repeated else "stability unknown: nothing was asked twice",
    )


def _modal(counts: Counter[Vote]) -> Vote:
    most = [vote for vote, count in counts.items() if count == max(counts.values())]
    return most[0] if len(most) == 1 else None


def _pairwise(counts: Counter[Vote]) -> float:
    asks = counts.total()
    return sum(count * (count - 1) for count in counts.values()) / (asks * (asks - 1))


def _entropy(counts: Counter[Vote]) -> float:
    shares = [count / counts.total() for count in counts.values()]
    return sum(share * log2(1 / share) for share in shares)


def _mean(figures: Iterable[float]) -> float | None:
    listed = list(figures)
    return fmean(listed) if listed else None
