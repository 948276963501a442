"""The pace: more calls while all goes well, half when told off, one setback for all calls that met it together."""

from __future__ import annotations

import pytest

from agent_tui.judge.pace import Pace
from tests.judge.counting import fails


def answered(pace: Pace, times: int) -> int:
    for _ in range(times):
        pace.answered()
    return pace.window


def test_the_first_call_goes_alone() -> None:
    pace = Pace(4, 16)
    assert pace.window == 1
    assert answered(pace, 1) == 4


def test_a_streak_as_long_as_the_window_opens_it_by_one_up_to_the_ceiling() -> None:
    pace = Pace(2, 4)
    assert [answered(pace, 1) for _ in range(9)] == [2, 3, 3, 3, 4, 4, 4, 4, 4]


@pytest.mark.parametrize("kind", ["rate_limited", "overloaded"])
def test_being_told_off_halves_the_window_down_to_one(kind: str) -> None:
    pace = Pace(4, 16)
    pace.answered()
    windows = []
    for _ in range(3):
        pace.set_back(pace.setbacks, fails(kind))
        windows.append(pace.window)
    assert windows == [2, 1, 1]


def test_no_connection_leaves_the_window_as_it_is() -> None:
    pace = Pace(4, 16)
    pace.answered()
    assert pace.set_back(0, fails("connection")) == 0.5
    assert pace.window == 4


def test_calls_that_were_out_together_are_one_setback() -> None:
    pace = Pace(4, 16)
    pace.answered()
    waits = [pace.set_back(0, fails("overloaded")) for _ in range(4)]
    assert (waits, pace.window, pace.in_a_row) == ([0.5, 0.0, 0.0, 0.0], 2, 1)


def test_waits_double_up_to_eight_seconds_and_start_again_after_an_answer() -> None:
    pace = Pace(4, 16)
    assert [pace.set_back(pace.setbacks, fails("overloaded")) for _ in range(6)] == [0.5, 1, 2, 4, 8, 8]
    pace.answered()
    assert pace.set_back(pace.setbacks, fails("overloaded")) == 0.5


def test_what_the_service_asks_for_is_waited_even_within_one_setback() -> None:
    pace = Pace(4, 16)
    assert pace.set_back(0, fails("rate_limited", 7)) == 7
    assert pace.set_back(0, fails("rate_limited", 9)) == 9
    assert pace.set_back(pace.setbacks, fails("rate_limited", 0)) == 1
