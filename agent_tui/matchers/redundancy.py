"""Redundancy of a trajectory, with no reference: calls made before, retries of calls that failed."""

from __future__ import annotations

import re
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
    return NONE_REPEATED if classes is None else _repeated(calls, names, writes, classes)


class Trajectory:
    """The calls of a run that count, and their redundancy: worked out once, and only if somebody asks."""

    __slots__ = ("_found", "_writes", "calls", "names")

    def __init__(self, calls: Sequence[ToolCall], names: Sequence[str], writes: frozenset[str]) -> None:
        self.calls = calls
        self.names = names
        """What the calls go by, after aliases."""
        self._writes = writes
        self._found: Redundancy | None = None

    @property
    def redundancy(self) -> Redundancy:
        """Which calls repeat which."""
        if self._found is None:
            self._found = redundancy(self.calls, self.names, self._writes)
        return self._found

    def may_repeat(self, start: int, stop: int) -> bool:
        """Whether a call from `start` to `stop` may equal another of the trajectory; that none does is proved."""
        names = self.names
        for name in set(names[start:stop]):
            if names.count(name) > 1:
                texts = [call.args for call, other in zip(self.calls, names, strict=True) if other == name]
                if not all_differ(texts):
                    return True
        return False


def _repeated(
    calls: Sequence[ToolCall], names: Sequence[str], writes: frozenset[str], classes: Sequence[int]
) -> Redundancy:
    repeats: list[int] = []
    retries: list[int] = []
    made: set[int] = set()
    last, has_failed = -1, False
    for j, kind in enumerate(classes):
        has_failed = has_failed and kind == last
        if has_failed:
            retries.append(j)
        elif kind in made:
            repeats.append(j)
        if writes and (calls[j].name in writes or names[j] in writes):
            made.clear()
        made.add(kind)
        last = kind
        is_followed = j + 1 < len(classes) and classes[j + 1] == kind
        has_failed = has_failed or (is_followed and bool(calls[j].failed()))
    return Redundancy(classes, tuple(repeats), tuple(retries))


def first_equal(names: Sequence[str], calls: Sequence[ToolCall]) -> list[int] | None:
    """For each call the first one equal to it in name and arguments, in any spelling; None: all differ.

    Only calls that share a name are read, and most of them only as far as their first argument.
    """
    by_name: dict[str, list[int]] = {}
    for j, name in enumerate(names):
        if name in by_name:
            by_name[name].append(j)
        else:
            by_name[name] = [j]
    if len(by_name) == len(names):
        return None
    classes = list(range(len(names)))
    has_equal = False
    for group in by_name.values():
        if len(group) > 1:
            texts = [calls[j].args for j in group]
            if not all_differ(texts):
                has_equal |= _classify(group, texts, classes)
    return classes if has_equal else None


_first_value = re.compile(rb'\{"(\w+)": ?("[^"\\]*"|[1-9][0-9]*(?=[,}]))').match
"""The first key of an object and its value, where that is a text without escapes or a plain whole number."""


def _starts_differ(texts: Sequence[Raw]) -> bool:
    """Whether all arguments begin with one key and values that differ, and that key cannot stand in any of them again.

    Such values have one spelling, so their bytes decide. The key can be written again (the last one would count) as it
    stands, which is looked for, or with escapes of the form \\u, which are looked for too.
    """
    keys: set[bytes] = set()
    values: set[bytes] = set()
    for text in texts:
        start = _first_value(text)
        if start is None:
            return False
        key, value = start.groups()
        keys.add(key)
        values.add(value)
    if len(values) < len(texts) or len(keys) > 1:
        return False
    joined = b"".join(texts)
    return joined.count(b'"%b"' % keys.pop()) == len(texts) and b"\\u" not in joined


def _classify(group: Sequence[int], texts: Sequence[Raw], classes: list[int]) -> bool:
    """Write the first equal call of each call of one tool into `classes`; whether two are equal."""
    first: dict[bytes, int] = {}
    written: dict[bytes, int] = {}
    for j, text in zip(group, map(bytes, texts), strict=True):
        if text not in written:
            written[text] = first.setdefault(canonical_args(text)[0], j)
        classes[j] = written[text]
    return len(first) < len(group)


def all_differ(texts: Sequence[Raw]) -> bool:
    """Whether arguments are proved to differ pairwise; False where they are equal or where it takes more to tell.

    Equal JSON decodes to equal Python values (the reverse fails for true and 1), so unequal values prove a difference.
    """
    if _starts_differ(texts):
        return True
    if len(texts) > _FEW or len(set(map(bytes, texts))) < len(texts):
        return False  # each with each would take longer than canonical texts, or two are the same bytes
    try:
        values = _decode(b"[" + b",".join(texts) + b"]")
    except (ValueError, ArithmeticError, RecursionError):
        return False
    if len(values) != len(texts) or str in map(type, values):
        return False  # JSON text in a string may be another spelling of an object
    return not any(one == other for one, other in combinations(values, 2))
