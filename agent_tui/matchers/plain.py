"""The matchers where calls compare as they stand: no argument rules, each expected call exactly once.

Equality is then an equivalence, so equal calls can be struck out in pairs from both ends and from both multisets
without changing a verdict, and most runs are decided by comparing bytes: only calls left in the middle are read.
`general.py` gives the same figures for every reference; a property test holds the two together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import groupby

from agent_tui.matchers.equality import equal_args, equal_pairwise, shared_arguments
from agent_tui.matchers.figures import Figures, cause_of
from agent_tui.matchers.redundancy import Trajectory, beyond
from agent_tui.runs import ExpectedCall, ToolCall
from agent_tui.runs.json_values import args_values, canonical_of

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
    end = _shared_end(expected, made, min(wanted, done) - start)
    left, right = expected[start : wanted - end], made[start : done - end]
    if not left or not right:
        return _only_more_or_fewer(expected, trajectory, start, start + end)
    if len(left) == len(right) == 1:
        return _one_against_one(left[0], right[0], wanted, trajectory.may_repeat(start, start + 1))
    names_agree = wanted == done and [call.name for call in left] == [call.name for call in right]
    if names_agree and equal_pairwise([call.args for call in left], [call.args for call in right]):
        return Figures(*_EVERYTHING, wanted, wanted, done, done, 1.0, None, False)
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


def _one_against_one(one: ExpectedCall, other: ToolCall, calls: int, may_repeat: bool) -> Figures:
    """The figures where of equally many calls one is not written the same."""
    rest = calls - 1
    if one.name != other.name:
        return Figures(*_NOTHING, calls, calls, calls, rest, rest / calls, "wrong_tool", may_repeat)
    agreed, counted = shared_arguments(one.args, other.args)
    if agreed == counted:
        return Figures(*_EVERYTHING, calls, calls, calls, calls, 1.0, None, False)
    alignment = (rest + agreed / counted) / calls
    return Figures(*_NAMES_ONLY, calls, calls, calls, rest, alignment, "wrong_args", may_repeat)


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


def _shared_end(expected: Calls, made: Calls, most: int) -> int:
    """How many calls at the end are written the same on both sides, `most` at most."""
    count = 0
    for one, other in zip(reversed(expected), reversed(made)):  # noqa: B905 - as in `shared_start`
        if count == most or one.name != other.name or one.args != other.args:
            break
        count += 1
    return count


def _only_more_or_fewer(expected: Sequence[ExpectedCall], trajectory: Trajectory, start: int, matched: int) -> Figures:
    """The figures where one side is the other with some calls cut out of it (or none)."""
    wanted, done = len(expected), len(trajectory.calls)
    same, in_order = wanted == done, matched == wanted
    may_repeat = matched < done and trajectory.may_repeat(start, start + done - matched)
    cause = None
    if not same:
        cause = cause_of(
            no_calls=done == 0,
            order_ignored=False,
            name_only=False,
            in_order=in_order,
            extras_repeat=in_order and may_repeat and _extras_repeat(expected, trajectory, start),
            is_part=True,
            only_names_differ=False,
        )
    alignment = matched / max(wanted, done) if matched else float(same)
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
        alignment,
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


def times_expected(expected: Calls, call: ToolCall) -> int:
    """How often a reference asks for a call."""
    return sum([equal_args(other.args, call.args) for other in expected if other.name == call.name])


def unasked(expected: Calls, trajectory: Trajectory) -> int:
    """The repeats that a reference does not ask for: it asks as often as its calls equal the repeated one."""
    return beyond(trajectory.in_doubt, lambda first: times_expected(expected, trajectory.calls[first]))


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
