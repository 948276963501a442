"""Long runs give the figures, pairs and lines that looking at each pair of calls gives."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from agent_tui.matchers import match, parse_rules
from agent_tui.matchers.agreements import Agreements, Wanted
from agent_tui.matchers.block_pairs import block_pairs
from agent_tui.matchers.comparison import Comparison
from agent_tui.matchers.explain import explain
from agent_tui.matchers.general import alignment_of, best_pairs, general_figures, units
from agent_tui.matchers.long_alignment import align_rows, greatest_credit
from agent_tui.matchers.long_pairing import LongMatching, heaviest_of
from agent_tui.matchers.match import trajectory_of
from agent_tui.matchers.pairing import Matching, heaviest_pairs
from agent_tui.matchers.sequences import align, pair_up
from agent_tui.matchers.slots import slots_of
from agent_tui.runs import Run, State
from tests.make_run import make_run
from tests.matchers.strategies import CALLS, RULES, flexible_calls
from tests.matchers.test_laws import run_of

SOME = st.lists(CALLS, max_size=9)
FLEXIBLE = st.lists(flexible_calls(), max_size=6)
MODES = st.sampled_from(["rules", "exact", "ignore", "subset", "superset"])
CREDIT = st.sampled_from([0.0, 0.0, 1 / 3, 0.5, 2 / 3, 1.0, 1.001])


def comparison_of(run: Run, rules: Any = None, mode: str = "rules") -> Comparison:
    compiled = parse_rules(rules)
    trajectory = trajectory_of(run, compiled)
    assert run.expected is not None
    assert run.expected.calls is not None
    return Comparison(slots_of(run.expected.calls, compiled), trajectory.calls, trajectory.names, mode)


def credit_by_pairs(both: Comparison) -> float:
    """The alignment in O(n x m), as it is written down: no credit left out, no row skipped."""
    best = [0.0] * (len(both.calls) + 1)
    for i in range(len(both.slots)):
        before, best = best, [0.0]
        for j in range(len(both.calls)):
            best.append(max(best[j], before[j + 1], before[j] + both.credit(i, j)))
    return best[-1]


@given(FLEXIBLE, SOME, RULES, MODES)
def test_a_row_says_of_each_pair_what_the_pair_says(
    expected: list[dict[str, Any]], made: list[dict[str, Any]], rules: Any, mode: str
) -> None:
    both = comparison_of(run_of(expected, made), rules, mode)
    table, calls = both.table, range(len(both.calls))
    for i in range(len(both.slots)):
        assert table.credits(i).tolist() == [both.credit(i, j) for j in calls]
        assert table.fits(i).tolist() == [both.fits(i, j) for j in calls]
        assert table.names_fit(i).tolist() == [both.names_fit(i, j) for j in calls]
        assert table.near(i) == sum(both.fits(i, j) << j for j in calls)


@given(SOME, SOME)
def test_the_greatest_credit_is_the_sum_over_all_cells_to_the_last_bit(
    expected: list[dict[str, Any]], made: list[dict[str, Any]]
) -> None:
    run = run_of(expected, made)
    assert run.expected is not None
    credit = greatest_credit(run.expected.calls or (), run.calls or ())
    assert credit == credit_by_pairs(comparison_of(run))


@given(st.integers(0, 6).flatmap(lambda n: st.lists(st.lists(CREDIT, min_size=n, max_size=n), max_size=7)), st.data())
def test_rows_in_arrays_align_like_rows_in_lists(shares: list[list[float]], data: st.DataObject) -> None:
    optional = data.draw(st.lists(st.booleans(), min_size=len(shares), max_size=len(shares)))
    columns = len(shares[0]) if shares else 0
    assert align_rows(lambda i: np.array(shares[i], np.float64), optional, columns) == align(shares, optional)


@given(st.integers(1, 6), st.integers(1, 6), st.data())
def test_bits_find_the_pairing_that_a_search_one_by_one_finds(left: int, right: int, data: st.DataObject) -> None:
    edges = data.draw(st.sets(st.tuples(st.integers(0, left - 1), st.integers(0, right - 1))))
    order = data.draw(st.lists(st.integers(0, left - 1), max_size=9))
    slow = Matching(left, right, lambda i, j: (i, j) in edges)
    quick = LongMatching(left, right, lambda i: sum(1 << j for j in range(right) if (i, j) in edges))
    for place in order:
        assert quick.augment(place) == slow.augment(place)
    assert (quick.owner, quick.counts) == (slow.owner, slow.counts)


@given(st.integers(1, 6).flatmap(lambda n: st.lists(st.lists(CREDIT, min_size=n, max_size=n), min_size=1, max_size=7)))
def test_arrays_find_the_heaviest_pairing_that_lists_find(weights: list[list[float]]) -> None:
    assert heaviest_of(np.array(weights)) == heaviest_pairs(weights)


@given(FLEXIBLE, SOME, RULES)
def test_the_pairs_of_a_tool_are_the_same_for_many_calls(
    expected: list[dict[str, Any]], made: list[dict[str, Any]], rules: Any
) -> None:
    both = comparison_of(run_of(expected, made), rules)
    places = [i for i, _ in units(both.slots, len(made))]
    for name in {slot.name for slot in both.slots} & set(both.names):
        rows = [i for i in places if both.slots[i].name == name]
        columns = [j for j, other in enumerate(both.names) if other == name]
        few = [pair for pair in best_pairs(both) if both.slots[pair[0]].name == name]
        if not (len(both.slots) == len(made) and all(both.fits(k, k) for k in range(len(made)))):
            assert sorted(block_pairs(both.table, rows, columns)) == few


@given(FLEXIBLE, SOME, RULES)
def test_required_calls_are_paired_the_same_by_bits(
    expected: list[dict[str, Any]], made: list[dict[str, Any]], rules: Any
) -> None:
    both = comparison_of(run_of(expected, made), rules)
    slow, quick = (pair_up(both.slots, len(made), both.fits, near) for near in (None, both.table.near))
    assert (quick.owner, quick.counts) == (slow.owner, slow.counts)


LONG = st.lists(CALLS, min_size=101, max_size=110)


@settings(max_examples=12)
@given(LONG, LONG, RULES)
def test_a_long_run_has_the_verdicts_pairs_and_lines_of_its_definition(
    expected: list[dict[str, Any]], made: list[dict[str, Any]], rules: Any
) -> None:
    both = comparison_of(run_of(expected, made), rules)
    assert both.is_long
    shares = [[both.credit(i, j) for j in range(len(made))] for i in range(len(expected))]
    seen = [[each + 1e-3 * both.names_fit(i, j) for j, each in enumerate(row)] for i, row in enumerate(shares)]
    assert within(alignment_of(both, for_view=True), both) == within(align(seen, [False] * len(seen)), both)
    found = general_figures(both, trajectory_of(run_of(expected, made), parse_rules(rules)))
    assert found.alignment is not None
    assert abs(found.alignment * max(len(expected), len(made)) - credit_by_pairs(both)) < 1e-9
    pairing = pair_up(both.slots, len(made), both.fits)
    assert found.matched == pairing.size


def within(pairs: Sequence[tuple[int, int]], both: Comparison) -> float:
    """What the pairs of an alignment are worth; equal ends may be cut off, so that the pairs may be others."""
    return round(sum(both.credit(i, j) + 1e-3 * both.names_fit(i, j) for i, j in pairs), 9)


def test_what_is_too_long_to_align_is_said_and_no_figure_is_made_up() -> None:
    many = 6_400
    expected = [("f", {"n": n}) for n in range(many)]
    made = [("f", {"n": n + many}) for n in range(many)]
    run = make_run(expected, made)  # type: ignore[arg-type]
    found = match(run)
    assert found.alignment is None
    assert found.states[0] == State.FAIL
    assert (found.precision, found.recall) == (0.0, 0.0)
    told = explain(run)
    assert told.first_difference == "call 1 f: n expected 0, got 6400"
    assert [note.partition(":")[0] for note in told.notes] == [
        "alignment cannot be told",
        "too many calls to align (40,000,000 pairs at most)",
    ]
    assert [row.mark for row in told.rows] == ["−"] * many + ["+"] * many


def test_rules_that_would_look_at_too_many_values_give_no_verdict() -> None:
    rules = parse_rules({"tools": {"f": {"args": {"n": {"number": {"abs": 1}}}}}})
    run = make_run([("f", {"n": 10 * n}) for n in range(600)], [("f", {"n": 10 * n + 5}) for n in range(600)])
    assert match(run, rules).states[0] == State.BROKEN
    assert explain(run, rules).notes == [
        "cannot tell: the argument rules would have to look at more than 100,000 values"
    ]


def test_calls_that_no_tool_has_in_common_are_no_pairs() -> None:
    table = Agreements([Wanted("a", b"{}"), Wanted("b", b"{}")], [("b", b"{}"), ("c", b"{}")])
    assert [table.credits(i).tolist() for i in (0, 1)] == [[0.0, 0.0], [1.0, 0.0]]


@settings(max_examples=8)
@given(LONG, LONG, RULES)
def test_repeats_of_a_long_run_are_those_beyond_what_is_asked_for(
    expected: list[dict[str, Any]], made: list[dict[str, Any]], rules: Any
) -> None:
    compiled = parse_rules(rules)
    run = run_of(expected, made)
    both, trajectory = comparison_of(run, rules), trajectory_of(run, compiled)
    repeated = trajectory.redundancy
    kinds = [(repeated.first_equal or ())[j] for j in repeated.repeats]
    asked = {first: sum(both.fits(i, first) for i in range(len(expected))) for first in set(kinds)}
    unasked = sum(max(0, kinds.count(first) - max(0, asked[first] - 1)) for first in asked)
    found = match(run, compiled)
    assert found.redundancy == (unasked if found.states[0] != State.PASS else 0)


def test_a_call_is_asked_for_as_often_as_all_that_agree_with_it_ask() -> None:
    made = [("a", b"{}"), ("b", b"{}"), ("c", b"{}")]
    table = Agreements([Wanted("a", b"{}"), Wanted("b", b"{}"), Wanted("a", b"{}")], made)
    assert table.times_asked([2, 1, 300]).tolist() == [302, 1, 0]
    assert Agreements([], made).times_asked([]).tolist() == [0, 0, 0]
