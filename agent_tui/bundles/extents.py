"""Runs known again in files that were added to: how many each source had and which, and where in it a run stands."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import TypeAlias

from msgspec import Struct
from xxhash import xxh3_128

from agent_tui.bundles.bundle import Bundle

Place: TypeAlias = tuple[int, int]
"""The number of a source, and that of a run in it."""


class Extent(Struct, frozen=True, array_like=True):
    """The first runs of a source: how many, and a hash of their texts and of what its header adds to who they are."""

    runs: int
    hash: str


def extents_of(bundle: Bundle) -> tuple[Extent, ...]:
    """All runs of each source."""
    return _first(bundle, [source.runs for source in bundle.sources])


def difference(bundle: Bundle, extents: Sequence[Extent]) -> str:
    """Why the sources of a bundle do not begin with these runs, in words; empty where they do, whatever comes then."""
    runs = [extent.runs for extent in extents]
    if len(runs) != len(bundle.sources):
        return "it is other files"
    if any(count > source.runs for count, source in zip(runs, bundle.sources, strict=True)):
        return f"it has {len(bundle):,} runs, and had {sum(runs):,}"
    if min(runs, default=0) < 0 or _first(bundle, runs) != tuple(extents):
        return f"its first {sum(runs):,} runs are others" if sum(runs) > 1 else "its first run is another"
    return ""


def place_of(bundle: Bundle, row: int) -> Place:
    """Where a run stands."""
    number = bundle.number_of_source(row)
    return number, row - _starts(bundle)[number]


def row_at(bundle: Bundle, place: Place) -> int | None:
    """The row of the run at a place; None where there is none."""
    number, run = place
    is_there = 0 <= number < len(bundle.sources) and 0 <= run < bundle.sources[number].runs
    return _starts(bundle)[number] + run if is_there else None


def _first(bundle: Bundle, runs: Iterable[int]) -> tuple[Extent, ...]:
    return tuple(Extent(count, _hash(bundle, number, count)) for number, count in enumerate(runs))


def _hash(bundle: Bundle, number: int, count: int) -> str:
    start, header = _starts(bundle)[number], bundle.sources[number].header
    digest = xxh3_128(bundle.records.hashes[start : start + count].tobytes())
    digest.update(f"{header.model}\0{header.agent}".encode("utf-8", "surrogatepass"))
    return digest.hexdigest()


def _starts(bundle: Bundle) -> list[int]:
    """The first row of each source."""
    return list(accumulate((source.runs for source in bundle.sources[:-1]), initial=0))
