"""Agreement beyond chance."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from agent_tui.stats.agreement import Table, alpha_of_table, cohen_kappa, gwet_ac1, krippendorff_alpha

TABLES = st.integers(2, 4).flatmap(
    lambda q: st.lists(st.lists(st.integers(0, 30), min_size=q, max_size=q), min_size=q, max_size=q)
)
LABELS = st.sampled_from(["pass", "fail", "undetermined", None])


def transposed(table: Table) -> list[list[int]]:
    return [list(column) for column in zip(*table, strict=True)]


@given(TABLES)
def test_it_does_not_matter_who_is_called_the_judge(table: Table) -> None:
    assert cohen_kappa(transposed(table)).value == pytest.approx(cohen_kappa(table).value, abs=1e-12)
    assert gwet_ac1(transposed(table)).value == pytest.approx(gwet_ac1(table).value, abs=1e-12)
    assert alpha_of_table(transposed(table)) == alpha_of_table(table)


@given(TABLES)
def test_it_does_not_matter_in_which_order_the_categories_stand(table: Table) -> None:
    turned = [list(reversed(row)) for row in reversed(table)]
    for coefficient in (cohen_kappa, gwet_ac1):
        one, other = coefficient(table), coefficient(turned)
        assert (other.value, other.low, other.high) == pytest.approx((one.value, one.low, one.high), abs=1e-9)
    assert alpha_of_table(turned) == alpha_of_table(table)


@given(TABLES)
def test_the_interval_holds_the_figure_and_the_figure_stays_below_1(table: Table) -> None:
    for result in (cohen_kappa(table), gwet_ac1(table)):
        assert (result.value is None) <= bool(result.why_none)
        if result.value is None or result.low is None or result.high is None:
            continue
        assert result.low <= result.value <= result.high
        assert -1 - 1e-12 <= result.value <= 1


@given(TABLES)
def test_full_agreement_is_1(table: Table) -> None:
    diagonal = [[count if i == j else 0 for j, count in enumerate(row)] for i, row in enumerate(table)]
    assume(sum(any(row) for row in diagonal) > 1)
    assert cohen_kappa(diagonal).value == pytest.approx(1)
    assert gwet_ac1(diagonal).value == pytest.approx(1)
    assert alpha_of_table(diagonal).value == 1


def test_skewed_labels_pull_kappa_and_ac1_apart() -> None:
    table = [[90, 2], [7, 1]]
    assert cohen_kappa(table).value == pytest.approx(0.144, abs=5e-4)
    assert gwet_ac1(table).value == pytest.approx(0.900, abs=5e-4)


def test_a_judge_that_always_passes_agrees_no_better_than_chance() -> None:
    assert cohen_kappa([[18, 0], [2, 0]]).value == pytest.approx(0, abs=1e-12)
    assert alpha_of_table([[9, 0], [1, 0]]).value == pytest.approx(0, abs=1e-12)


def test_without_runs_nothing_is_defined() -> None:
    empty = [[0, 0], [0, 0]]
    for result in (cohen_kappa(empty), gwet_ac1(empty)):
        assert (result.n, result.observed, result.value) == (0, None, None)
        assert result.why_none == "no labelled run was decided"
    assert alpha_of_table(empty).why_none == "no run that both sides decided"


def test_one_run_has_a_figure_and_no_interval() -> None:
    result = gwet_ac1([[1, 0], [0, 0]])
    assert (result.value, result.low, result.high, result.why_none) == (1, None, None, "one run has no interval")


@given(st.lists(st.tuples(LABELS, LABELS), max_size=25), st.permutations(range(25)))
def test_alpha_sees_neither_the_order_of_runs_nor_missing_ones(
    pairs: list[tuple[str | None, str | None]], order: list[int]
) -> None:
    shuffled = [pairs[place] for place in order if place < len(pairs)]
    complete = [pair for pair in shuffled if None not in pair]
    found = [krippendorff_alpha([t for t, _ in some], [j for _, j in some]) for some in (pairs, shuffled, complete)]
    assert found[0] == found[1] == found[2]
    assert found[0].pairable == len(complete)


@pytest.mark.parametrize("table", [[[1, 2]], [[1, -1], [0, 2]]])
def test_a_table_that_is_none_is_refused(table: Table) -> None:
    with pytest.raises(ValueError, match="square table"):
        cohen_kappa(table)
