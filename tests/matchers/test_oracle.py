"""The matchers against their definitions written out by brute force."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent_tui.matchers import parse_rules
from agent_tui.matchers.comparison import Comparison
from agent_tui.matchers.general import general_figures
from agent_tui.matchers.match import trajectory_of
from agent_tui.matchers.pairing import Matching, heaviest_pairs
from agent_tui.matchers.slots import slots_of
from tests.matchers import oracle
from tests.matchers.strategies import CALLS, RULES, flexible_calls
from tests.matchers.test_laws import run_of

SMALL = st.lists(flexible_calls(), max_size=3)
MADE = st.lists(CALLS, max_size=4)


@settings(max_examples=300)
@given(SMALL, MADE, RULES)
def test_every_verdict_is_the_definition_over_all_expansions(
    expected: list[dict[str, Any]], made: list[dict[str, Any]], rules: Any
) -> None:
    compiled = parse_rules(rules)
    run = run_of(expected, made)
    trajectory = trajectory_of(run, compiled)
    slots = slots_of(run.expected.calls, compiled)  # type: ignore[union-attr, arg-type]
    both = Comparison(slots, trajectory.calls, trajectory.names)
    found = general_figures(both, trajectory)
    calls = list(range(len(made)))
    place = {id(slot): i for i, slot in enumerate(slots)}

    def fits(slot: Any, j: int) -> bool:
        return both.fits(place[id(slot)], j)

    written = list(oracle.expansions(slots, len(made)))
    sizes = [oracle.maximum_matching(one, calls, fits) for one in written]
    assert found.exact == any(oracle.is_equal_list(one, calls, fits) for one in written)
    assert found.exact_groups == any(oracle.in_groups(one, calls, fits) for one in written)
    assert found.in_order == any(oracle.is_subsequence(one, calls, fits) for one in written)
    assert found.any_order == any(size == len(one) for one, size in zip(written, sizes, strict=True))
    assert found.subset == any(size == len(calls) for size in sizes)
    assert found.order_ignored == any(size == len(one) == len(calls) for one, size in zip(written, sizes, strict=True))
    assert found.matched == max(sizes)
    f1 = max(2 * size / ((len(one) + len(calls)) or 1) for one, size in zip(written, sizes, strict=True))
    assert found.f1 == pytest.approx(f1 if calls or found.expected else 1.0)
    credit = oracle.alignment(slots, calls, lambda slot, j: both.credit(place[id(slot)], j))
    assert found.alignment == pytest.approx(credit)


@given(st.integers(0, 5), st.integers(0, 5), st.data())
def test_augmenting_paths_find_a_maximum_whatever_the_order(left: int, right: int, data: st.DataObject) -> None:
    edges = data.draw(st.sets(st.tuples(st.integers(0, 4), st.integers(0, 4))))
    order = data.draw(st.permutations(range(left)))
    pairing = Matching(left, right, lambda i, j: (i, j) in edges)
    for place in order:
        pairing.augment(place)
    assert pairing.size == oracle.maximum_matching(range(left), range(right), lambda i, j: (i, j) in edges)
    pairs = [(owner, j) for j, owner in enumerate(pairing.owner) if owner >= 0]
    assert len(pairs) == pairing.size
    assert set(pairs) <= edges
    assert len({i for i, _ in pairs}) == len(pairs)


@given(st.lists(st.lists(st.sampled_from([0.0, 0.25, 0.5, 1.0, 3.0]), min_size=4, max_size=4), max_size=5))
def test_the_heaviest_pairing_weighs_as_much_as_the_best_of_all(weights: list[list[float]]) -> None:
    pairs = heaviest_pairs(weights)
    assert sum(weights[i][j] for i, j in pairs) == pytest.approx(oracle.heaviest(weights))
    assert len({i for i, _ in pairs}) == len({j for _, j in pairs}) == len(pairs)
