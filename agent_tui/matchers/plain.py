"""The matchers where calls compare as they stand: no argument rules, each expected call exactly once.

Equality is then an equivalence, so equal calls can be struck out in pairs from both ends and from both multisets
without changing a verdict, and most runs are decided by comparing bytes: only calls left in the middle are read.
`general.py` gives the same figures for every reference; a property test holds the two together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import groupby

from agent_tui.matchers.equality import equal_args, equal_pairwise, shared_arguments
from agent_tui.matchers.figures import Figures, cause_of
from agent_tui.matchers.redundancy import Trajectory, beyond
from agent_tui.runs import ExpectedCall, ToolCall
from agent_tui.runs.json_values import args_values, canonical_args, canonical_of

Calls = Sequence[ExpectedCall | ToolCall]
Key = tuple[str, bytes]


def plain_figures(expected: Sequence[ExpectedCall], trajectory: Trajectory, groups: Sequence[int] | None) -> Figures:
    """The figures of one reference; `groups`: the group of each expected call, None where none has two."""
    return middle_figures(expected, trajectory, groups, shared_start(expected, trajectory.calls))


def middle_figures(
    expected: Sequence[ExpectedCall], trajectory: Trajectory, groups: Sequence[int] | None, start: int
) -> Figures:
    """`plain_figures` where it is known how many calls at the start are written the same."""
    made = trajectory.calls
    wanted, done = len(expected), len(made)
    end = shared_end(expected, made, min(wanted, done) - start)
    left, right = expected[start : wanted - end], made[start : done - end]
    if not left or not right:
        return _only_more_or_fewer(wanted, trajectory, start, start + end)
    if len(left) == len(right) == 1:
        return one_against_one(left[0], right[0], wanted, trajectory.may_repeat(start, start + 1))
    names_agree = wanted == done and [call.name for call in left] == [call.name for call in right]
    if names_agree and equal_pairwise([call.args for call in left], [call.args for call in right]):
        return _all_equal(wanted)
    middle = _Middle(left, right)
    if middle.is_written_alike and groups is None:
        alignment = middle.alignment(start + end, wanted)
        return Figures(*_ALL_BUT_ORDER[names_agree], wanted, wanted, done, done, alignment, "order", False)
    may_repeat = trajectory.may_repeat(start, done - end)
    if may_repeat or not middle.is_written_alike:
        middle.read()
    matched = start + end + middle.shared()
    order_ignored = matched == wanted == done
    in_order = matched == wanted and _is_subsequence(middle.wanted, middle.done)
    in_groups = order_ignored and groups is not None and _same_groups(groups[start:], middle.wanted, middle.done)
    cause = cause_of(
        no_calls=False,
        order_ignored=order_ignored,
        name_only=names_agree,
        in_order=in_order,
        extras_repeat=in_order and may_repeat and _extras_repeat(expected, trajectory, start),
        is_part=matched == done and _is_subsequence(middle.done, middle.wanted),
        only_names_differ=wanted == done and middle.only_names_differ(),
    )
    return Figures(
        False,
        in_groups,
        names_agree,
        order_ignored,
        in_order,
        matched == wanted,
        matched == done,
        wanted,
        wanted,
        done,
        matched,
        middle.alignment(start + end, max(wanted, done)),
        cause,
        may_repeat and not order_ignored,
    )


def one_against_one(one: ExpectedCall, other: ToolCall, calls: int, may_repeat: bool = False) -> Figures:
    """The figures where of equally many calls one is not written the same."""
    if one.name != other.name:
        return _other_tool(calls, may_repeat)
    agreed, counted = shared_arguments(one.args, other.args)
    return _all_equal(calls) if agreed == counted else _other_arguments(calls, agreed, counted, may_repeat)


_KEPT = 4096
"""How many figures are kept of each kind (a count): those of most runs are the same few."""


@lru_cache(maxsize=_KEPT)
def _all_equal(calls: int) -> Figures:
    return Figures(*_EVERYTHING, calls, calls, calls, calls, 1.0, None, False)


@lru_cache(maxsize=_KEPT)
def _other_tool(calls: int, may_repeat: bool) -> Figures:
    return Figures(*_NOTHING, calls, calls, calls, calls - 1, (calls - 1) / calls, "wrong_tool", may_repeat)


@lru_cache(maxsize=_KEPT)
def _other_arguments(calls: int, agreed: int, counted: int, may_repeat: bool) -> Figures:
    alignment = (calls - 1 + agreed / counted) / calls
    return Figures(*_NAMES_ONLY, calls, calls, calls, calls - 1, alignment, "wrong_args", may_repeat)


@lru_cache(maxsize=_KEPT)
def two_changed_places(calls: int) -> Figures:
    """The figures where two neighbours of different tools stand the other way round."""
    return Figures(*_ALL_BUT_ORDER[False], calls, calls, calls, calls, (calls - 1) / calls, "order", False)


def have_changed_places(expected: Calls, made: Calls, at: int) -> bool:
    """Whether two neighbours of different tools stand the other way round."""
    one, two, first, second = expected[at], expected[at + 1], made[at], made[at + 1]
    return one.name != two.name and _written_alike(one, second) and _written_alike(two, first)


def _written_alike(one: ExpectedCall | ToolCall, other: ExpectedCall | ToolCall) -> bool:
    return one.name == other.name and one.args == other.args


_EVERYTHING = (True,) * 7
_NOTHING = (False,) * 7
_NAMES_ONLY = (False, False, True, False, False, False, False)
_ALL_BUT_ORDER = ((False, False, False, True, False, True, True), (False, False, True, True, False, True, True))
"""Without and with names that agree. Whatever repeats is asked for, and in_order would be exact."""


def shared_start(expected: Calls, made: Calls) -> int:
    """How many calls at the start are written the same on both sides."""
    count = 0
    for one, other in zip(expected, made):  # noqa: B905 - a keyword argument doubles the time of a short loop
        if one.name != other.name or one.args != other.args:
            break
        count += 1
    return count


def shared_end(expected: Calls, made: Calls, most: int) -> int:
    """How many calls at the end are written the same on both sides, `most` at most."""
    count = 0
    for one, other in zip(reversed(expected), reversed(made)):  # noqa: B905 - as in `shared_start`
        if count == most or one.name != other.name or one.args != other.args:
            break
        count += 1
    return count


def _only_more_or_fewer(wanted: int, trajectory: Trajectory, start: int, matched: int) -> Figures:
    """The figures where one side is the other with some calls cut out of it (or none)."""
    done = len(trajectory.calls)
    may_repeat = matched < done and trajectory.may_repeat(start, start + done - matched)
    repeat = may_repeat and matched == wanted and _what_is_more_repeats(trajectory, start, done - wanted)
    return more_or_fewer(wanted, done, matched, may_repeat, repeat)


@lru_cache(maxsize=_KEPT)
def more_or_fewer(wanted: int, done: int, matched: int, may_repeat: bool, extras_repeat: bool) -> Figures:
    """The figures where so many calls are written alike and in order, and one side has no other."""
    same, in_order = wanted == done, matched == wanted
    cause = None
    if not same:
        cause = cause_of(
            no_calls=done == 0,
            order_ignored=False,
            name_only=False,
            in_order=in_order,
            extras_repeat=extras_repeat,
            is_part=True,
            only_names_differ=False,
        )
    return Figures(
        same,
        same,
        same,
        same,
        in_order,
        in_order,
        matched == done,
        wanted,
        wanted,
        done,
        matched,
        matched / max(wanted, done) if matched else float(same),
        cause,
        may_repeat,
    )


_LONG = 10_000
"""Pairs of calls from which whole rows of them are compared (a count): loading what does it takes as long as these."""


class _Middle:
    """The calls that are left between equal starts and equal ends, by what they are compared by.

    That is their bytes at first. Where both sides hold the same bytes and no call made here equals another one, it can
    stay so. Else arguments are read, but only where both sides have the name: a call of another name has no partner.
    """

    def __init__(self, left: Calls, right: Calls) -> None:
        self._left, self._right = left, right
        self.wanted, self.done = _as_written(left), _as_written(right)
        self.is_written_alike = len(left) == len(right) and sorted(self.wanted) == sorted(self.done)

    def read(self) -> None:
        """Compare by canonical arguments from here on."""
        common = {call.name for call in self._left} & {call.name for call in self._right}
        self.wanted, self.done = _as_read(self._left, common), _as_read(self._right, common)

    def shared(self) -> int:
        """How many calls both multisets share."""
        free: dict[Key, int] = {}
        for key in self.done:
            free[key] = free.get(key, 0) + 1
        shared = 0
        for key in self.wanted:
            if free.get(key):
                free[key] -= 1
                shared += 1
        return shared

    def only_names_differ(self) -> bool:
        """Whether calls at one place are equal or of different tools; both sides are equally long."""
        return all(one == other or one[0] != other[0] for one, other in zip(self.wanted, self.done, strict=True))

    def alignment(self, equal: int, longer: int) -> float | None:
        """The share of the longer side that agrees in order, `equal` calls around the middle with it.

        None: there are too many pairs of calls to tell.
        """
        credit = self._credit()
        return None if credit is None else (equal + credit) / longer

    def _credit(self) -> float | None:
        """The greatest sum of pair credits in order: equal 1, same name the share of equal arguments."""
        if len(self.wanted) * len(self.done) > _LONG:
            from agent_tui.matchers.long_alignment import greatest_credit  # here, since few runs are long

            return greatest_credit(self._left, self._right)
        best = [0.0] * (len(self.done) + 1)
        for i in range(len(self.wanted)):
            before, best = best, [0.0]
            for j in range(len(self.done)):
                best.append(max(best[j], before[j + 1], before[j] + self._share(i, j)))
        return best[-1]

    def _share(self, i: int, j: int) -> float:
        wanted, done = self.wanted[i], self.done[j]
        if wanted[0] != done[0]:
            return 0.0
        if wanted[1] == done[1]:
            return 1.0
        agreed, counted = shared_arguments(self._left[i].args, self._right[j].args)
        return 1.0 if agreed == counted else agreed / counted


def _as_written(calls: Calls) -> list[Key]:
    return [(call.name, bytes(call.args)) for call in calls]


def _as_read(calls: Calls, names: set[str]) -> list[Key]:
    """Names and canonical arguments; the arguments of other names than these are left out."""
    values = iter(args_values([call.args for call in calls if call.name in names]))
    return [(call.name, canonical_of(next(values)) if call.name in names else b"") for call in calls]


def same_call(one: ExpectedCall | ToolCall, other: ExpectedCall | ToolCall) -> bool:
    """Whether two calls are of one tool and have equal arguments."""
    return one.name == other.name and equal_args(one.args, other.args)


def unasked(expected: Calls, trajectory: Trajectory) -> int:
    """The repeats that a reference does not ask for: it asks as often as its calls equal the repeated one."""
    if (len(expected) + len(trajectory.calls)) ** 2 > _LONG:  # each kind is looked for among all
        asked = Counter(map(_equal_as, expected))
        return beyond(trajectory.in_doubt, lambda first: asked[_equal_as(trajectory.calls[first])])
    return beyond(trajectory.in_doubt, lambda first: _times_expected(expected, trajectory, first))


def _equal_as(call: ExpectedCall | ToolCall) -> Key:
    """What calls have in common that are equal."""
    return call.name, canonical_args(call.args)[0]


def _times_expected(expected: Calls, trajectory: Trajectory, first: int) -> int:
    """How often a reference asks for the call at `first` of those in doubt; most it asks for were made so written."""
    call, classes, times = trajectory.calls[first], trajectory.in_doubt.first_equal or (), 0
    known = {bytes(other.args): classes[j] for j, other in enumerate(trajectory.calls) if other.name == call.name}
    for other in expected:
        if other.name == call.name:
            kind = known.get(bytes(other.args))
            times += equal_args(other.args, call.args) if kind is None else kind == first
    return times


def _is_subsequence(part: Iterable[Key], whole: Iterable[Key]) -> bool:
    rest = iter(whole)
    return all(key in rest for key in part)


def _same_groups(groups: Sequence[int], wanted: Sequence[Key], done: Sequence[Key]) -> bool:
    """Whether each group's calls stand at the group's places, in some order; both sides are equally long."""
    place = 0
    for _, members in groupby(groups[: len(wanted)]):
        upto = place + len(list(members))
        if Counter(wanted[place:upto]) != Counter(done[place:upto]):
            return False
        place = upto
    return True


def _what_is_more_repeats(trajectory: Trajectory, start: int, more: int) -> bool:
    """`_extras_repeat` where the reference is the trajectory without so many calls from `start`, written alike."""
    made, first_equal = trajectory.calls, trajectory.in_doubt.first_equal
    if first_equal is None:
        return False
    wanted = start + more  # where the call stands that is asked for next
    for j in range(start, len(made)):
        if j == wanted:
            return True
        if wanted < len(made) and made[wanted].name == made[j].name and _are_equal(trajectory, first_equal, wanted, j):
            wanted += 1
        elif first_equal[j] == j:
            return False
    return True


def _are_equal(trajectory: Trajectory, first_equal: Sequence[int], one: int, other: int) -> bool:
    """Whether two calls of one tool are equal."""
    if trajectory.is_in_doubt(trajectory.names[one]):
        return first_equal[one] == first_equal[other]
    return equal_args(trajectory.calls[one].args, trajectory.calls[other].args)


def _extras_repeat(expected: Calls, trajectory: Trajectory, start: int) -> bool:
    """Whether each call beyond the reference, found earliest in order, equals an earlier call."""
    made, first_equal = trajectory.calls, trajectory.in_doubt.first_equal
    if first_equal is None:
        return False
    at = start
    for j in range(start, len(made)):
        if at < len(expected) and same_call(expected[at], made[j]):
            at += 1
        elif first_equal[j] == j:
            return False
    return True
