"""Six counts of a judge against recorded truth."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_tui.stats.confusion import Confusion, confusion_of
from agent_tui.stats.rates import Rate

COUNT = st.integers(0, 60)
CONFUSIONS = st.builds(Confusion, COUNT, COUNT, COUNT, COUNT, COUNT, COUNT)
PAIRS = st.lists(st.tuples(st.booleans(), st.sampled_from([True, False, None])), max_size=40)
RATES = (
    "agreement_decided",
    "agreement_strict",
    "coverage",
    "false_pass",
    "false_fail",
    "false_pass_decided",
    "false_fail_decided",
    "wrong_among_passed",
    "wrong_among_failed",
    "sensitivity_decided",
    "specificity_decided",
    "base_rate_pass",
)


def test_pairs_are_counted_by_truth_and_verdict() -> None:
    pairs = [(True, True), (True, False), (True, None), (True, None), (False, True), (False, False), (False, None)]
    assert confusion_of(pairs) == Confusion(pp=1, pf=1, pu=2, fp=1, ff=1, fu=1)


@given(PAIRS)
def test_the_order_of_runs_does_not_matter(pairs: list[tuple[bool, bool | None]]) -> None:
    assert confusion_of(sorted(pairs, key=repr)) == confusion_of(pairs)
    assert confusion_of(pairs).labelled == len(pairs)


@given(CONFUSIONS)
def test_totals_add_up(confusion: Confusion) -> None:
    assert confusion.truth_pass + confusion.truth_fail == confusion.labelled
    assert confusion.decided + confusion.pu + confusion.fu == confusion.labelled
    assert sum(map(sum, confusion.decided_table)) == confusion.decided
    assert confusion.agreed + confusion.fp + confusion.pf == confusion.decided
    assert confusion.false_pass.n + confusion.false_fail.n == confusion.coverage.n
    assert confusion.wrong_among_passed.n + confusion.wrong_among_failed.n == confusion.agreement_decided.n


@given(CONFUSIONS)
def test_every_rate_has_a_figure_or_a_reason(confusion: Confusion) -> None:
    for name in RATES:
        rate: Rate = getattr(confusion, name)
        assert (rate.rate is None) == (rate.n == 0) == bool(rate.why_none), name
    for figure in (confusion.youden_j, confusion.balanced_accuracy, confusion.mcc):
        assert (figure.value is None) == bool(figure.why_none)
        assert figure.value is None or -1 <= figure.value <= 1


@given(CONFUSIONS)
def test_strict_agreement_never_flatters(confusion: Confusion) -> None:
    strict, decided = confusion.agreement_strict.rate, confusion.agreement_decided.rate
    assert strict is None or decided is None or strict <= decided


@given(CONFUSIONS)
def test_calling_pass_fail_and_fail_pass_swaps_the_two_errors(confusion: Confusion) -> None:
    swapped = Confusion(confusion.ff, confusion.fp, confusion.fu, confusion.pf, confusion.pp, confusion.pu)
    assert swapped.agreement_decided == confusion.agreement_decided
    assert (swapped.false_pass.k, swapped.false_pass.n) == (confusion.false_fail.k, confusion.false_fail.n)
    assert swapped.mcc == confusion.mcc


def test_a_judge_that_passes_everything_agrees_often_and_knows_nothing() -> None:
    confusion = Confusion(pp=18, pf=0, pu=0, fp=2, ff=0, fu=0)
    assert confusion.agreement_decided.rate == pytest.approx(0.9)
    assert (confusion.false_pass.k, confusion.false_pass.n) == (2, 2)
    assert confusion.youden_j.value == 0
    assert confusion.mcc.why_none == "undefined: truth or judge has one value only"


def test_a_judge_that_decides_nothing_has_no_agreement_and_no_false_passes() -> None:
    confusion = Confusion(pp=0, pf=0, pu=6, fp=0, ff=0, fu=4)
    assert confusion.agreement_decided.why_none == "no labelled run was decided"
    assert confusion.mcc.why_none == "no labelled run was decided"
    assert confusion.false_pass_decided.why_none == "no wrong answer was decided"
    assert (confusion.agreement_strict.rate, confusion.coverage.rate, confusion.false_pass.rate) == (0, 0, 0)


def test_a_count_below_0_is_refused() -> None:
    with pytest.raises(ValueError, match="below 0"):
        Confusion(1, 0, 0, -1, 0, 0)
