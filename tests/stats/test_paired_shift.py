"""Did verdicts move?"""

from __future__ import annotations

from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_tui.stats.paired_shift import paired_shift

COUNT = st.integers(0, 60)


@given(COUNT, COUNT, COUNT)
def test_p_is_the_share_of_coin_throws_at_least_as_far_out(to_fail: int, to_pass: int, unchanged: int) -> None:
    result = paired_shift(to_fail, to_pass, unchanged)
    changed = to_fail + to_pass
    if not changed:
        assert (result.p_value, result.p_pass_to_fail) == (None, None)
        return
    tail = sum(comb(changed, i) for i in range(max(to_fail, to_pass), changed + 1)) / 2**changed
    assert result.p_value == pytest.approx(min(1, 2 * tail), abs=1e-12)
    one_sided = sum(comb(changed, i) for i in range(to_fail, changed + 1)) / 2**changed
    assert result.p_pass_to_fail == pytest.approx(one_sided, abs=1e-12)


@given(COUNT, COUNT, COUNT)
def test_turning_the_change_round_turns_the_shift_and_keeps_p(to_fail: int, to_pass: int, unchanged: int) -> None:
    one, other = paired_shift(to_fail, to_pass, unchanged), paired_shift(to_pass, to_fail, unchanged)
    assert one.p_value == other.p_value
    assert one.net_shift is None or one.net_shift == -(other.net_shift or 0)


@given(COUNT, COUNT, COUNT)
def test_what_did_not_move_tells_nothing_about_direction(to_fail: int, to_pass: int, unchanged: int) -> None:
    assert paired_shift(to_fail, to_pass, unchanged).p_value == paired_shift(to_fail, to_pass, 0).p_value


def test_nothing_moved_and_nothing_judged_are_told_apart() -> None:
    assert paired_shift(0, 0, 30).why_none == "no verdict moved"
    empty = paired_shift(0, 0, 0)
    assert (empty.net_shift, empty.why_none) == (None, "no item was judged twice")


def test_a_count_below_0_is_refused() -> None:
    with pytest.raises(ValueError, match="below 0"):
        paired_shift(1, -1, 3)
