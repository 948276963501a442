"""How much is on the way to a far terminal, by what it answers."""

from __future__ import annotations

import threading

import pytest

from agent_tui.tui.in_flight import ENOUGH, MOST, QUESTION, InFlight


class Clock:
    """A time that stands until it is set."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def answered(clock: Clock) -> InFlight:
    """A terminal that has answered once."""
    in_flight = InFlight(clock)
    assert in_flight.question(ENOUGH) == QUESTION
    in_flight.arrived()
    return in_flight


def test_a_frame_waits_while_much_is_on_the_way(answered: InFlight) -> None:
    answered.question(MOST // 2)
    assert not answered.is_full
    answered.question(MOST)
    assert answered.is_full
    answered.arrived()
    assert not answered.is_full or answered.question(0) == QUESTION


def test_one_question_is_out_at_a_time(answered: InFlight) -> None:
    assert answered.question(ENOUGH) == QUESTION
    assert answered.question(ENOUGH) == ""
    answered.arrived()
    assert answered.question(10) == QUESTION


def test_little_is_worth_no_question(answered: InFlight) -> None:
    assert answered.question(ENOUGH - 10) == ""
    assert answered.question(10) == QUESTION


def test_an_answer_says_nothing_of_what_was_written_after_the_question(answered: InFlight) -> None:
    answered.question(ENOUGH)
    answered.question(MOST + 1)
    answered.arrived()
    assert answered.is_full
    assert answered.question(0) == QUESTION
    answered.arrived()
    assert not answered.is_full


def test_an_answer_that_was_not_asked_for_is_none(answered: InFlight) -> None:
    answered.arrived()
    answered.question(MOST + 1)
    assert answered.is_full


def test_a_terminal_that_never_answered_is_never_waited_for(clock: Clock) -> None:
    in_flight = InFlight(clock)
    for _ in range(9):
        in_flight.question(MOST)
        assert not in_flight.is_full


@pytest.mark.parametrize(("seconds", "waits", "gives_up"), [(0.01, 1.0, 1.3), (1.0, 7.0, 9.5)])
def test_an_answer_that_is_lost_is_waited_for_as_the_line_was_so_far(
    clock: Clock, seconds: float, waits: float, gives_up: float
) -> None:
    answered = InFlight(clock)
    answered.question(ENOUGH)
    clock.now = seconds
    answered.arrived()
    answered.question(MOST + 1)
    clock.now = seconds + waits
    assert answered.is_full
    clock.now = seconds + gives_up
    assert not answered.is_full
    answered.question(MOST + 1)
    assert not answered.is_full  # until it answers again
    answered.arrived()
    answered.question(MOST + 1)
    assert answered.is_full


def test_the_end_waits_for_an_answer_that_is_on_its_way(answered: InFlight) -> None:
    answered.question(ENOUGH)
    waited = threading.Thread(target=answered.wait, args=(60.0,))
    waited.start()
    answered.arrived()
    waited.join(30.0)
    assert not waited.is_alive()
