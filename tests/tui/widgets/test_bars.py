"""Pictures of numbers, as text."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from agent_tui.tui.theme import ASCII
from agent_tui.tui.widgets.bars import PARTS, interval_bar, ratio_bar, ribbon, shares


def test_an_interval_has_two_ends_and_a_point() -> None:
    assert interval_bar(21, 0.5, 0.2, 0.8).plain == "····├─────●─────┤····"
    assert interval_bar(21, 0.5, 0.2, 0.8, mark=0.3).plain == "····├─│───●─────┤····"
    assert interval_bar(21, 0.5, 0.2, 0.8, glyphs=ASCII).plain == "....|-----o-----|...."


def test_a_rate_over_nothing_has_no_point() -> None:
    assert interval_bar(5, None).plain == "·····"
    assert interval_bar(5, 1.0).plain == "····●"
    assert interval_bar(0, 0.5).plain == ""


def test_a_ribbon_reads_without_colour() -> None:
    counts = {"passed": 5, "failed": 3, "errored": 1, "unscoreable": 1}
    assert ribbon(10, counts).plain == "█████▓▓▓▒░"
    assert ribbon(10, counts, glyphs=ASCII).plain == "#####xxx!?"
    assert len(set(ribbon(60, dict.fromkeys(PARTS, 1)).plain)) == len(PARTS)


def test_nothing_but_zeros_is_an_empty_track() -> None:
    assert ribbon(4, {"passed": 0}).plain == "····"
    assert ratio_bar(4, 0, 0).plain == "····"
    assert ratio_bar(4, 1, 4).plain == "█▓▓▓"


@given(st.lists(st.integers(0, 10**6), min_size=1, max_size=8), st.integers(1, 200))
def test_shares_add_up_and_hide_nothing(counts: list[int], width: int) -> None:
    cells = shares(counts, width)
    positive = sum(count > 0 for count in counts)
    assert sum(cells) == (width if positive and positive <= width else min(positive, width))
    assert all(cell == 0 for cell, count in zip(cells, counts, strict=True) if not count)
    if positive <= width:
        assert all(cell > 0 for cell, count in zip(cells, counts, strict=True) if count)
