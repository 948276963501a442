"""The reference trajectories of a run: which there are, and which calls of one stand in a group."""

from __future__ import annotations

from collections.abc import Sequence

from agent_tui.runs import Expected, ExpectedCall


class BrokenReference(Exception):
    """The expectation of a run makes no sense; the message says where and why."""


def is_plain(calls: Sequence[ExpectedCall]) -> bool:
    """Whether each call must stand exactly once and compares by the rules of the bundle; groups may be numbered."""
    for call in calls:
        if call.optional or call.times is not None or call.parallel is not None or call.rules:
            return False
    return True


def references(expected: Expected | None) -> Sequence[Sequence[ExpectedCall]] | None:
    """The acceptable reference trajectories; None: nothing is known. Raises `BrokenReference`."""
    if expected is None:
        return None
    if expected.any is None:
        return None if expected.calls is None else (expected.calls,)
    if expected.calls is not None:
        raise BrokenReference("expected has both calls and any: give one of them")
    if not expected.any:
        raise BrokenReference("expected.any is empty: no reference is acceptable")
    return [reference.calls for reference in expected.any]


def open_groups(calls: Sequence[ExpectedCall]) -> list[tuple[ExpectedCall, int]]:
    """Every expected call with the number of its group: `parallel` lists and neighbours with one `group` are groups."""
    opened: list[tuple[ExpectedCall, int]] = []
    group, last = -1, None
    for i, call in enumerate(calls):
        if call.parallel is None:
            if call.group is None or call.group != last:
                group += 1
            last = call.group
            opened.append((call, group))
            continue
        if call.optional or call.times is not None or call.rules or call.name:
            raise BrokenReference(
                f"expected call {i + 1}: name, rules, optional and times stand on the calls of a group"
            )
        group, last = group + 1, None
        opened += [(inner, group) for inner, _ in open_groups(call.parallel)]
    return opened
