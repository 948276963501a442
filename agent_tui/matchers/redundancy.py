"""Redundancy of a trajectory, with no reference: calls made before, retries of calls that failed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence

from msgspec import Raw, Struct

from agent_tui.matchers.equality import all_differ, differ_from
from agent_tui.runs import ToolCall, canonical_args


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


def beyond(repeated: Redundancy, times_asked: Callable[[int], int]) -> int:
    """How many repeats nobody asked for; `times_asked` says how often a call (the first of its equals) is asked for."""
    classes = repeated.first_equal or ()
    repeats = Counter([classes[j] for j in repeated.repeats])
    return sum(max(0, count - max(0, times_asked(first) - 1)) for first, count in repeats.items())


class Trajectory:
    """The calls of a run that count, and their redundancy: worked out once, and only if somebody asks."""

    __slots__ = ("_all", "_in_doubt", "_tools", "_writes", "calls", "names")

    def __init__(self, calls: Sequence[ToolCall], names: Sequence[str], writes: frozenset[str]) -> None:
        self.calls = calls
        self.names = names
        """What the calls go by, after aliases."""
        self._writes = writes
        """The tools that change state."""
        self._tools: list[str] = []
        self._all: Redundancy | None = None
        self._in_doubt: Redundancy | None = None

    @property
    def redundancy(self) -> Redundancy:
        """Which calls repeat which."""
        if self._all is None:
            self._all = self._redundancy_of(set(self.names))
        return self._all

    @property
    def in_doubt(self) -> Redundancy:
        """The redundancy among the tools that `may_repeat` could not clear.

        The calls of all others are those that the reference asks for, so what repeats there is asked for.
        """
        if self._in_doubt is None:
            self._in_doubt = self._redundancy_of(set(self._tools))
        return self._in_doubt

    def is_in_doubt(self, tool: str) -> bool:
        """Whether `in_doubt` says of a tool which of its calls are equal."""
        return tool in self._tools

    def _redundancy_of(self, tools: Collection[str]) -> Redundancy:
        classes = first_equal(self.names, self.calls, tools)
        return NONE_REPEATED if classes is None else _repeated(self.calls, self.names, self._writes, classes)

    def may_repeat(self, start: int, stop: int) -> bool:
        """Whether a call from `start` to `stop` may equal another of the trajectory; that none does is proved."""
        names, doubtful = self.names, False
        if stop - start == 1:
            return self._one_may_repeat(start)
        for name in set(names[start:stop]):
            if names.count(name) > 1:
                both = zip(self.calls, names)  # noqa: B905 - a keyword argument doubles the time of a short loop
                texts = [bytes(call.args) for call, other in both if other == name]
                if len(set(texts)) < len(texts) or not all_differ(texts):
                    self._tools.append(name)
                    doubtful = True
        if doubtful:
            self._in_doubt = None
        return doubtful

    def _one_may_repeat(self, at: int) -> bool:
        name = self.names[at]
        texts = [call.args for call, other in zip(self.calls, self.names, strict=True) if other == name]
        if not _may_equal(self.calls[at].args, texts):
            return False
        self._tools.append(name)
        self._in_doubt = None
        return True


def may_equal_another(calls: Sequence[ToolCall], at: int) -> bool:
    """Whether a call may equal another one; that it equals none is proved."""
    name = calls[at].name
    return _may_equal(calls[at].args, [call.args for call in calls if call.name == name])


def _may_equal(text: Raw, texts: Sequence[Raw]) -> bool:
    """Whether a text may equal another one of those that it stands among."""
    if len(texts) == 1:
        return False
    own, others = bytes(text), list(map(bytes, texts))
    others.remove(own)
    return not differ_from(own, others)


def _repeated(
    calls: Sequence[ToolCall], names: Sequence[str], writes: frozenset[str], classes: Sequence[int]
) -> Redundancy:
    repeats: list[int] = []
    retries: list[int] = []
    latest: dict[int, int] = {}
    failing = -1  # the last call of a row of equal ones that holds a failed one
    for j, kind in enumerate(classes):
        if kind == j:
            continue
        before = latest.get(kind, kind)
        latest[kind] = j
        if before == j - 1 and (failing == before or calls[before].failed()):
            retries.append(j)
            failing = j
        elif not (writes and any(calls[k].name in writes or names[k] in writes for k in range(before + 1, j))):
            repeats.append(j)
    return Redundancy(classes, tuple(repeats), tuple(retries))


def first_equal(names: Sequence[str], calls: Sequence[ToolCall], tools: Iterable[str]) -> list[int] | None:
    """For each call of these tools the first one equal to it, in any spelling; None: all differ.

    Calls of other tools count as different. Only calls that share a name are read, and most only as far as their first
    argument.
    """
    classes = list(range(len(names)))
    has_equal = False
    for tool in tools:
        if names.count(tool) > 1:
            group = [j for j, name in enumerate(names) if name == tool]
            has_equal |= _classify(group, [calls[j].args for j in group], classes)
    return classes if has_equal else None


def _classify(group: Sequence[int], texts: Sequence[Raw], classes: list[int]) -> bool:
    """Write the first equal call of each call of one tool into `classes`; whether two are equal.

    Calls written alike are the usual repeats; where all others are proved to differ, nothing has to be read further.
    """
    keys = list(map(bytes, texts))
    distinct = list(dict.fromkeys(keys))
    if len(distinct) > 1 and not all_differ(distinct):
        keys = [canonical_args(text)[0] for text in keys]
    elif len(distinct) == len(keys):
        return False
    first: dict[bytes, int] = {}
    for j, key in zip(group, keys, strict=True):
        classes[j] = first.setdefault(key, j)
    return len(first) < len(group)
