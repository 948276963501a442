"""A mean over what can be averaged, with its n."""

from __future__ import annotations

from collections.abc import Iterable
from math import fsum, isfinite

from msgspec import Struct


class Mean(Struct, frozen=True):
    """The mean of `n` usable values `of` all; None where none is usable, which is not 0."""

    value: float | None
    n: int
    of: int


def mean_of_usable(values: Iterable[object]) -> Mean:
    """The mean of the finite numbers among `values`, in their own unit; booleans count as 1 and 0.

    None, texts, NaN and infinities are not usable: they are counted in `of` and never averaged.
    """
    listed = list(values)
    usable = [float(value) for value in listed if isinstance(value, (int, float)) and isfinite(value)]
    return Mean(value=fsum(usable) / len(usable) if usable else None, n=len(usable), of=len(listed))
