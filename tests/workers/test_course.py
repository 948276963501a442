"""How fast reading is and how long it will take is told from when on it means something."""

from __future__ import annotations

import pytest

from agent_tui.workers.course import Course

MB = 1_000_000


@pytest.mark.parametrize(
    ("done", "seconds", "words"),
    [
        (0, 20.0, "0 %"),
        (90 * MB, 0.5, "9 %"),
        (3 * MB, 1.5, "0 %"),
        (10 * MB, 1.0, "1 %  10 MB/s  1:39 left"),
        (3 * MB, 15.0, "0 %  200 kB/s  83:05 left"),
        (630 * MB, 7.0, "63 %  90 MB/s  0:04 left"),
    ],
)
def test_a_rate_is_told_once_a_part_is_read_or_some_time_has_gone(done: int, seconds: float, words: str) -> None:
    assert Course(done, 1000 * MB, 0, began=100.0, now=100.0 + seconds).words == words


def test_what_was_read_before_is_no_part_of_the_rate() -> None:
    before = Course(500 * MB, 1000 * MB).at(505 * MB)
    assert Course(before.done, before.total, before.first, began=100.0, now=105.0).words == "50 %"
    assert Course(520 * MB, 1000 * MB, before.first, began=100.0, now=105.0).words == "52 %  4 MB/s  2:00 left"
