"""Does a judge say the same when asked again?"""

from __future__ import annotations

from math import log2

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_tui.stats.stability import Vote, stability

VOTES = st.lists(st.lists(st.sampled_from([True, False, None]), max_size=6), max_size=12)


@given(VOTES)
def test_shares_stay_in_their_range(votes: list[list[Vote]]) -> None:
    result = stability(votes)
    assert len(result.verdicts) == len(votes)
    assert result.flips.n == sum(map(bool, votes))
    for share in (result.flips.rate, result.mean_pairwise_agreement, result.mean_modal_share):
        assert share is None or 0 <= share <= 1
    assert result.mean_entropy_bits is None or -1e-12 <= result.mean_entropy_bits <= log2(3) + 1e-12


@given(VOTES)
def test_the_order_of_asks_does_not_matter(votes: list[list[Vote]]) -> None:
    one, other = stability(votes), stability([asks[::-1] for asks in votes])
    assert one.verdicts == other.verdicts
    assert one.flips == other.flips
    assert one.mean_entropy_bits == pytest.approx(other.mean_entropy_bits)


@given(VOTES)
def test_the_order_of_items_does_not_matter(votes: list[list[Vote]]) -> None:
    one, other = stability(votes), stability(votes[::-1])
    assert one.verdicts == other.verdicts[::-1]
    assert one.mean_pairwise_agreement == pytest.approx(other.mean_pairwise_agreement)


def test_a_tie_is_undetermined() -> None:
    assert stability([[True, False], [True, True, False], [None, None, True]]).verdicts == (None, True, None)


def test_asked_once_says_nothing_of_stability() -> None:
    result = stability([[True], [False]])
    assert result.mean_pairwise_agreement is None
    assert result.why_unknown == "stability unknown: nothing was asked twice"


def test_an_item_without_an_answer_is_in_no_rate() -> None:
    result = stability([[], [True, True]])
    assert result.verdicts == (None, True)
    assert (result.flips.k, result.flips.n, result.mean_modal_share) == (0, 1, 1)


def test_nothing_asked_has_no_rates() -> None:
    result = stability([])
    assert (result.flips.rate, result.mean_modal_share, result.mean_entropy_bits) == (None, None, None)
    assert result.flips.why_none == "nothing was asked"
