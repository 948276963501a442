"""The matchers where calls compare as they stand: no argument rules, each expected call exactly once.

Equality is then an equivalence, so equal calls can be struck out in pairs from both ends and from both multisets
without changing a verdict, and most runs are decided by comparing bytes: only calls left in the middle are read.
`general.py` gives the same figures for every reference; a property test holds the two together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import groupby

from agent_tui.matchers.argument_rules import equal
from agent_tui.matchers.figures import Figures, cause_of
from agent_tui.matchers.redundancy import Trajectory, all_differ
from agent_tui.runs import ExpectedCall, JsonValue, ToolCall, canonical_args
from agent_tui.runs.json_values import args_value, args_values, canonical_of

Calls = Sequence[ExpectedCall | ToolCall]
Key = tuple[str, bytes]


def plain_figures(expected: Sequence[ExpectedCall], trajectory: Trajectory, groups: Sequence[int] | None) -> Figures:
    """The figures of one reference; `groups`: the group of each expected call, None where none has two."""
    made = trajectory.calls
    wanted, done = len(expected), len(made)
    start = shared_start(expected, made)
    end = _shared_end(expected, made, min(wanted, done) - start)
    left, right = expected[start : wanted - end], made[start : done - end]
    if not left or not right:
        return _only_more_or_fewer(expected, trajectory, start, start + end)
    if len(left) == len(right) == 1:
        return _one_against_one(left[0], right[0], wanted, trajectory.may_repeat(start, start + 1))
    if wanted == done and _all_equal(left, right):
        return Figures(*_EVERYTHING, wanted, wanted, done, done, 1.0, None, False)
    may_repeat = trajectory.may_repeat(start, done - end)
    middle = _Middle(left, right, may_repeat)
    matched = start + end + middle.shared()
    order_ignored = matched == wanted == done
    names_agree = wanted == done and [call.name for call in left] == [call.name for call in right]
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
        (start + end + middle.credit()) / max(wanted, done),
        cause,
        may_repeat,
    )


def _one_against_one(one: ExpectedCall, other: ToolCall, calls: int, may_repeat: bool) -> Figures:
    """The figures where of equally many calls one is not written the same."""
    rest = calls - 1
    if one.name != other.name:
        return Figures(*_NOTHING, calls, calls, calls, rest, rest / calls, "wrong_tool", may_repeat)
    agreed, counted = shared_arguments(args_value(one.args), args_value(other.args))
    if agreed == counted:
        return Figures(*_EVERYTHING, calls, calls, calls, calls, 1.0, None, False)
    alignment = (rest + agreed / counted) / calls
    return Figures(*_NAMES_ONLY, calls, calls, calls, rest, alignment, "wrong_args", may_repeat)


_EVERYTHING = (True,) * 7
_NOTHING = (False,) * 7
_NAMES_ONLY = (False, False, True, False, False, False, False)


def shared_start(expected: Calls, made: Calls) -> int:
    """How many calls at the start are written the same on both sides."""
    count = 0
    for one, other in zip(expected, made, strict=False):
        if one.name != other.name or one.args != other.args:
            break
        count += 1
    return count


def _shared_end(expected: Calls, made: Calls, most: int) -> int:
    """How many calls at the end are written the same on both sides, `most` at most."""
    count = 0
    while count < most:
        one, other = expected[-1 - count], made[-1 - count]
        if one.name != other.name or one.args != other.args:
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


def _all_equal(left: Calls, right: Calls) -> bool:
    """Whether two equally long lists hold the same calls, written in whatever way."""
    if [call.name for call in left] != [call.name for call in right]:
        return False
    one, other = (args_values([call.args for call in side]) for side in (left, right))
    return canonical_of(one) == canonical_of(other)


class _Middle:
    """The calls that are left between equal starts and equal ends, by what they are compared by.

    Where no call made here equals another one and both sides hold the same bytes, bytes tell calls apart. Else
    arguments are read, but only where both sides have the name: a call of another name has no partner anyhow.
    """

    def __init__(self, left: Calls, right: Calls, may_repeat: bool) -> None:
        self._left, self._right = left, right
        self.wanted, self.done = _as_written(left), _as_written(right)
        if may_repeat or sorted(self.wanted) != sorted(self.done):
            common = {call.name for call in left} & {call.name for call in right}
            self.wanted, self.done = _as_read(left, common), _as_read(right, common)

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

    def credit(self) -> float:
        """The greatest sum of pair credits in order: equal 1, same name the share of equal arguments."""
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
        agreed, counted = shared_arguments(args_value(self._left[i].args), args_value(self._right[j].args))
        return agreed / counted


def _as_written(calls: Calls) -> list[Key]:
    return [(call.name, bytes(call.args)) for call in calls]


def _as_read(calls: Calls, names: set[str]) -> list[Key]:
    """Names and canonical arguments; the arguments of other names than these are left out."""
    values = iter(args_values([call.args for call in calls if call.name in names]))
    return [(call.name, canonical_of(next(values)) if call.name in names else b"") for call in calls]


def shared_arguments(expected: JsonValue, actual: JsonValue) -> tuple[int, int]:
    """How many argument keys have equal values, of how many on both sides; what is no object counts as one."""
    if not (isinstance(expected, dict) and isinstance(actual, dict)):
        return (1, 1) if equal(expected, actual) else (0, 1)
    missing = agreed = 0
    for key, value in expected.items():
        if key not in actual:
            missing += 1
        elif equal(value, actual[key]):
            agreed += 1
    return agreed, len(actual) + missing


def same_call(one: ExpectedCall | ToolCall, other: ExpectedCall | ToolCall) -> bool:
    """Whether two calls are of one tool and have equal arguments, read only if they are written differently."""
    if one.name != other.name:
        return False
    if one.args == other.args:
        return True
    return not all_differ((one.args, other.args)) and canonical_args(one.args)[0] == canonical_args(other.args)[0]


def times_expected(expected: Calls, call: ToolCall) -> int:
    """How often a reference asks for a call."""
    return sum(same_call(call, other) for other in expected)


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
    made, first_equal = trajectory.calls, trajectory.redundancy.first_equal
    if first_equal is None:
        return False
    at = start
    for j in range(start, len(made)):
        if at < len(expected) and same_call(expected[at], made[j]):
            at += 1
        elif first_equal[j] == j:
            return False
    return True
