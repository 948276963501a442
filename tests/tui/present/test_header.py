"""The title says how far reading is, until everything is there."""

from __future__ import annotations

from agent_tui.bundles import Bundle
from agent_tui.tui.arrival import Arrival
from agent_tui.tui.present.header import title_line
from agent_tui.tui.session import Session
from agent_tui.workers.course import Course


def test_a_bar_a_rate_and_the_time_left_say_how_reading_goes() -> None:
    session = Session(Bundle())
    session.course = Course(63_000_000, 100_000_000, 0, began=100.0, now=101.0)
    assert "0 runs so far  ██████···· 63 %  63 MB/s  0:01 left" in title_line(session, 140).plain
    assert "0 runs so far  63 %  63 MB/s  0:01 left" in title_line(session, 80).plain
    session.is_stopped = True
    assert "0 runs so far  stopped at 63 % " in title_line(session, 140).plain


def test_a_pipe_that_has_ended_is_read_to_its_end_with_its_course() -> None:
    session = Session(Bundle(), arrival=Arrival(2000), course=None)
    session.bundle.is_complete = True
    assert "0 runs so far  pipe open, 2.0 kB  " in title_line(session, 140).plain
    session.arrival, session.course = Arrival(2000, is_open=False), Course(500, 2000)
    assert "0 runs so far  pipe ended, 2.0 kB  ██········ 25 %" in title_line(session, 140).plain
    session.bundle.digest = "0123"
    assert "0 runs  pipe ended, 2.0 kB " in title_line(session, 140).plain
    assert "%" not in title_line(session, 140).plain
