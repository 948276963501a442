"""The matchers where calls compare as they stand: no argument rules, each expected call exactly once.

Equality is then an equivalence, so equal calls can be struck out in pairs from both ends and from both multisets
without changing a verdict, and most runs are decided by comparing bytes: only calls left in the middle are read.
`general.py` gives the same figures for every reference; a property test holds the two together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import groupby

from agent_tui.matchers.argument_rules import STRICT
from agent_tui.matchers.figures import Figures, cause_of
from agent_tui.matchers.sequences import align
from agent_tui.runs import ExpectedCall, ToolCall, canonical_args
from agent_tui.runs.json_values import args_value

Calls = Sequence[ExpectedCall | ToolCall]
Key = tuple[str, bytes]


def plain_figures(
    expected: Sequence[ExpectedCall],
    made: Sequence[ToolCall],
    groups: Sequence[int] | None,
    first_equal: Sequence[int] | None,
) -> Figures:
    """The figures of one reference.

    `groups`: the group of each expected call, None where none has two. `first_equal`: for each call made the first that
    equals it, None where all differ.
    """
    wanted, done = len(expected), len(made)
    start = shared_start(expected, made)
    end = _shared_end(expected, made, min(wanted, done) - start)
    left, right = expected[start : wanted - end], made[start : done - end]
    if not left or not right:
        return _only_more_or_fewer(expected, made, start, start + end, first_equal)
    wanted_keys, done_keys = _keys(left, right)
    exact = wanted_keys == done_keys
    matched = start + end + sum((Counter(wanted_keys) & Counter(done_keys)).values())
    order_ignored = matched == wanted == done
    names_agree = wanted == done and [call.name for call in left] == [call.name for call in right]
    in_order = exact or (matched == wanted and _is_subsequence(wanted_keys, done_keys))
    in_groups = order_ignored and groups is not None and _same_groups(groups[start:], wanted_keys, done_keys)
    credit = len(left) if exact else _credit(left, right, wanted_keys, done_keys)
    cause = None
    if not exact:
        cause = cause_of(
            no_calls=False,
            order_ignored=order_ignored,
            name_only=names_agree,
            in_order=in_order,
            extras_repeat=in_order and _extras_repeat(expected, made, start, first_equal),
            is_part=matched == done and _is_subsequence(done_keys, wanted_keys),
            only_names_differ=wanted == done and _only_names_differ(wanted_keys, done_keys),
        )
    return Figures(
        exact,
        exact or in_groups,
        names_agree,
        order_ignored,
        in_order,
        matched == wanted,
        matched == done,
        wanted,
        wanted,
        done,
        matched,
        (start + end + credit) / max(wanted, done),
        cause,
    )


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


def _only_more_or_fewer(
    expected: Sequence[ExpectedCall],
    made: Sequence[ToolCall],
    start: int,
    matched: int,
    first_equal: Sequence[int] | None,
) -> Figures:
    """The figures where one side is the other with some calls cut out of it (or none)."""
    wanted, done = len(expected), len(made)
    same, in_order = wanted == done, matched == wanted
    cause = None
    if not same:
        cause = cause_of(
            no_calls=done == 0,
            order_ignored=False,
            name_only=False,
            in_order=in_order,
            extras_repeat=in_order and _extras_repeat(expected, made, start, first_equal),
            is_part=True,
            only_names_differ=False,
        )
    alignment = matched / max(wanted, done) if matched else float(same)
    return Figures(
        same, same, same, same, in_order, in_order, matched == done, wanted, wanted, done, matched, alignment, cause
    )


def _keys(left: Calls, right: Calls) -> tuple[list[Key], list[Key]]:
    """What calls are compared by: name and canonical arguments, which are read only where both sides have the name."""
    common = {call.name for call in left} & {call.name for call in right}
    one, other = ([_key(call, common) for call in side] for side in (left, right))
    return one, other


def _key(call: ExpectedCall | ToolCall, read: set[str]) -> Key:
    return call.name, canonical_args(call.args)[0] if call.name in read else b""


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


def _only_names_differ(wanted: Sequence[Key], done: Sequence[Key]) -> bool:
    return all(one == other or one[0] != other[0] for one, other in zip(wanted, done, strict=True))


def _extras_repeat(
    expected: Sequence[ExpectedCall], made: Sequence[ToolCall], start: int, first_equal: Sequence[int] | None
) -> bool:
    """Whether each call beyond the reference, found earliest in order, equals an earlier call."""
    if first_equal is None:
        return False
    wanted, done = _keys(expected[start:], made[start:])
    at = 0
    for j, key in enumerate(done, start):
        if at < len(wanted) and wanted[at] == key:
            at += 1
        elif first_equal[j] == j:
            return False
    return True


def _credit(left: Calls, right: Calls, wanted: Sequence[Key], done: Sequence[Key]) -> float:
    """The greatest sum of pair credits of an in-order alignment: equal 1, same name the share of equal arguments."""
    shares = [
        [_pair_credit(left[i], right[j], wanted[i], done[j]) for j in range(len(right))] for i in range(len(left))
    ]
    if len(left) == len(right) == 1:
        return shares[0][0]
    return sum(shares[i][j] for i, j in align(shares, [False] * len(left)))


def _pair_credit(one: ExpectedCall | ToolCall, other: ExpectedCall | ToolCall, wanted: Key, done: Key) -> float:
    if wanted[0] != done[0]:
        return 0.0
    if wanted == done:
        return 1.0
    agreed, counted = STRICT.agreement(args_value(one.args), args_value(other.args))
    return agreed / counted
