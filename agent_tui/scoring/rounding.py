"""Numbers in a few places that never claim more than they are: 2999 of 3000 is not all."""

from __future__ import annotations

from math import copysign

PLACES = 3
_EXACT = 1e-9
"""Sums of weights and of shares are whole numbers up to this."""


def in_places(value: float, places: int = PLACES) -> float:
    """A number rounded once; what is no whole number never becomes one: 0.9997 is 0.999, and 0.0003 is 0.001."""
    nearest = round(float(value), places)
    away = value - nearest
    if not nearest.is_integer() or abs(away) <= _EXACT:
        return nearest
    return round(nearest + copysign(10**-places, away), places)
