"""Which columns fit, and how wide."""

from __future__ import annotations

from agent_tui.tui.widgets.columns import Column, fit

RUN, WIDE, NARROW, NAMED = (
    Column("run", 8),
    Column("wide", 20, rank=1),
    Column("small", 5, rank=2),
    Column("gap", 6, most=10, rank=1),
)


def test_what_fits_where_a_wide_column_went_comes_back() -> None:
    columns = (RUN, Column("asks", 20, rank=4), NARROW, Column("judge", 5, rank=5))
    assert fit(columns, 24).shown == ((0, 8), (2, 5), (3, 5))
    assert fit(columns, 24).dropped == 1


def test_the_least_important_column_goes_first() -> None:
    assert [index for index, _ in fit((RUN, WIDE, NARROW), 30).shown] == [0, 1]


def test_a_column_grows_to_its_most_before_others_share_what_is_left() -> None:
    shared = Column("asks", 4, share=1)
    assert fit((RUN, shared, NAMED), 30).shown == ((0, 8), (1, 8), (2, 10))
    assert fit((RUN, shared, NAMED), 23).shown == ((0, 8), (1, 4), (2, 7))


def test_scrolled_sideways_the_next_columns_stay_whatever_their_rank() -> None:
    assert [index for index, _ in fit((RUN, NARROW, WIDE, NAMED), 30, 1).shown] == [0, 2]


def test_the_first_column_always_stays() -> None:
    assert fit((RUN, WIDE), 5).shown == ((0, 8),)
    assert fit((), 5).shown == ()
