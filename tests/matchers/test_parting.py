"""Long texts that part late are shown from where they part."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from agent_tui.matchers.differences import ArgDifference
from agent_tui.matchers.parting import left_out, parting

QUERY = "SELECT name, total FROM orders JOIN customers USING (customer_id) WHERE country = 'NL' AND x = 1 AND y = "


@given(st.text("ab"), st.text("ab"))
def test_texts_part_after_what_both_begin_with(one: str, other: str) -> None:
    same = [a == b for a, b in zip(one, other, strict=False)]
    assert parting(one, other) == [*same, False].index(False)


def test_texts_that_part_late_are_told_from_there() -> None:
    said = str(ArgDifference("q", f'"{QUERY}2 AND z = 3"', f'"{QUERY}5 AND z = 3"'))
    expected, got = said.removeprefix("q expected ").split(", got ")
    assert expected == '…+91 … x = 1 AND y = 2 AND z = 3"'
    assert got == '…+91 … x = 1 AND y = 5 AND z = 3"'


def test_texts_that_part_early_are_cut_at_the_end_only() -> None:
    said = str(ArgDifference("q", '"a' + "x" * 80, '"b' + "x" * 80))
    assert said == f'q expected "a{"x" * 57}…, got "b{"x" * 57}…'


def test_short_texts_are_told_whole() -> None:
    assert left_out("x" * 59 + "1", "x" * 59 + "2", 60) == 0


def test_a_text_that_goes_on_where_the_other_ends_is_told_from_there() -> None:
    said = str(ArgDifference("q", "x" * 70, "x" * 100))
    assert said == f"q expected …+55 …{'x' * 15}, got …+55 …{'x' * 45}"
