"""What would settle a gate that is shut."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_tui.stats.confusion import Confusion
from agent_tui.stats.judge_gate import GateBounds, decide
from agent_tui.stats.label_needs import LabelNeeds, settle

COUNT = st.integers(0, 40)
CONFUSIONS = st.builds(Confusion, COUNT, COUNT, COUNT, st.integers(0, 12), COUNT, COUNT)


def with_labels(confusion: Confusion, right: int, wrong: int) -> Confusion:
    """The counts after so many more labels, on all of which the judge agrees."""
    return Confusion(confusion.pp + right, confusion.pf, confusion.pu, confusion.fp, confusion.ff + wrong, confusion.fu)


@given(CONFUSIONS, st.floats(0, 1))
def test_so_many_labels_open_the_gate_whatever_the_free_ones_are(confusion: Confusion, share: float) -> None:
    needs = settle(confusion).needs
    assert needs is not None
    right = round(needs.either * share)
    after = with_labels(confusion, needs.truth_pass + right, needs.truth_fail + needs.either - right)
    assert decide(after).state == "accepted"
    assert settle(after).needs == LabelNeeds(0, 0, 0)


@given(CONFUSIONS)
def test_one_label_fewer_of_any_kind_leaves_it_shut(confusion: Confusion) -> None:
    needs = settle(confusion).needs
    assert needs is not None
    right, wrong = needs.truth_pass, needs.truth_fail
    if needs.truth_pass:
        assert decide(with_labels(confusion, right - 1, wrong + needs.either)).state != "accepted"
    if needs.truth_fail:
        assert decide(with_labels(confusion, right + needs.either, wrong - 1)).state != "accepted"
    if needs.either:
        assert decide(with_labels(confusion, right, wrong + needs.either - 1)).state != "accepted"


@given(CONFUSIONS)
def test_only_an_open_gate_needs_nothing(confusion: Confusion) -> None:
    needs = settle(confusion).needs
    assert needs is not None
    assert (needs.total == 0) == (decide(confusion).state == "accepted")


@pytest.mark.parametrize(
    ("confusion", "words"),
    [
        (Confusion(12, 0, 0, 0, 11, 1), "label 2 more wrong answers"),
        (Confusion(3, 0, 0, 0, 2, 0), "label 7 more right answers and 12 more wrong answers"),
        (Confusion(9, 0, 0, 0, 14, 0), "label 1 more right answer"),
        (Confusion(10, 4, 0, 0, 15, 0), "label 1 more answer of any kind"),
        (Confusion(50, 0, 0, 1, 49, 0), "nothing: every bound is met"),
    ],
)
def test_the_words_say_what_to_label(confusion: Confusion, words: str) -> None:
    assert settle(confusion).words == words


def test_figures_beyond_their_bound_ask_for_another_judge_first() -> None:
    settlement = settle(Confusion(92, 0, 0, 9, 3, 0))
    assert settlement.words == (
        "change the rubric or the judge (it passes 9 of 12 wrong answers); "
        "labels alone would need 64 more wrong answers, without another miss"
    )
    undecided = settle(Confusion(14, 0, 6, 0, 1, 19))
    assert undecided.misses == ("it decides 15 of 40",)
    assert settle(Confusion(20, 20, 0, 0, 20, 0)).misses == ("it agrees on 40 of 60",)


def test_a_bar_for_the_number_of_labels_binds_where_the_bounds_would_not() -> None:
    bounds = GateBounds(min_truth_pass=40, min_truth_fail=30)
    assert settle(Confusion(14, 0, 0, 0, 14, 0), bounds).needs == LabelNeeds(26, 16, 0)


def test_too_few_labels_blame_no_judge() -> None:
    assert settle(Confusion(3, 0, 0, 1, 0, 0)).misses == ()


@pytest.mark.parametrize("bounds", [GateBounds(min_agreement_low=1), GateBounds(max_false_pass_high=0)])
def test_bounds_that_no_labels_reach_are_said_to_be_so(bounds: GateBounds) -> None:
    settlement = settle(Confusion(20, 1, 0, 0, 20, 0), bounds)
    assert settlement.needs is None
    assert settlement.words.endswith("no number of labels would settle it")
