"""Redundancy of a trajectory, with no reference: calls made before, retries of calls that failed."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from itertools import combinations

import msgspec
from msgspec import Raw, Struct

from agent_tui.runs import ToolCall, canonical_args

_decode = msgspec.json.Decoder(list[object], float_hook=Decimal).decode  # no rounding: 2^53+1.0 is not 2^53
_FEW = 8


class Redundancy(Struct, frozen=True, gc=False):
    """Calls that repeat an earlier one.

    `first_equal[j]` is the first call equal to call j (j itself where there is none); a retry is a call equal to one
    that failed since the last different call; a repeat is any other call equal to an earlier one, unless a call that
    changes state stands between.
    """

    first_equal: Sequence[int] | None = None
    """None: all calls differ."""
    repeats: tuple[int, ...] = ()
    retries: tuple[int, ...] = ()


NONE_REPEATED = Redundancy()


def redundancy(calls: Sequence[ToolCall], names: Sequence[str], writes: frozenset[str]) -> Redundancy:
    """The redundancy of a trajectory; `names` are what the calls go by, `writes` the tools that change state."""
    classes = first_equal(names, calls)
    if classes is None:
        return NONE_REPEATED
    repeats: list[int] = []
    retries: list[int] = []
    made: set[int] = set()
    last, has_failed = -1, False
    for j, (call, kind) in enumerate(zip(calls, classes, strict=True)):
        has_failed = has_failed and kind == last
        if has_failed:
            retries.append(j)
        elif kind in made:
            repeats.append(j)
        if call.name in writes or names[j] in writes:
            made.clear()
        made.add(kind)
        last = kind
        is_followed = j + 1 < len(classes) and classes[j + 1] == kind
        has_failed = has_failed or (is_followed and bool(call.failed()))
    return Redundancy(classes, tuple(repeats), tuple(retries))


def first_equal(names: Sequence[str], calls: Sequence[ToolCall]) -> list[int] | None:
    """For each call the first one equal to it in name and arguments, in any spelling; None: all differ.

    Only calls that share a name are read. Equal JSON decodes to equal Python values (the reverse fails for true and 1),
    so unequal values prove a difference; canonical texts decide the rest.
    """
    if len(set(names)) == len(names):
        return None
    by_name: dict[str, list[int]] = {}
    for j, name in enumerate(names):
        by_name.setdefault(name, []).append(j)
    shared = [group for group in by_name.values() if len(group) > 1]
    suspects = [group for group in shared if not _all_differ([calls[j].args for j in group])]
    return _classes(calls, suspects, len(names)) if suspects else None


def _all_differ(texts: Sequence[Raw]) -> bool:
    """Whether the arguments are proved to differ pairwise without canonical texts."""
    if len(texts) > _FEW:
        return False
    try:
        values = _decode(b"[" + b",".join(texts) + b"]")
    except (ValueError, ArithmeticError, RecursionError):
        return False
    if len(values) != len(texts) or str in map(type, values):
        return False  # JSON text in a string may be another spelling of an object
    return not any(one == other for one, other in combinations(values, 2))


def _classes(calls: Sequence[ToolCall], groups: Sequence[Sequence[int]], count: int) -> list[int] | None:
    """`first_equal` by canonical texts; None where no two are equal after all."""
    classes = list(range(count))
    for group in groups:
        first: dict[bytes, int] = {}
        for j in group:
            classes[j] = first.setdefault(canonical_args(calls[j].args)[0], j)
    return None if classes == list(range(count)) else classes
