"""A needle is found whatever its case, in pieces or at once, from either end."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from agent_tui.tui.needles import find, find_back, place_of

PIECES = st.sampled_from(["a", "B", "ab", "é", "É", "s", "ſ", "K", "x" * 65_530, "\n"])
TEXTS = st.lists(PIECES, max_size=8).map("".join)
NEEDLES = st.sampled_from(["ab", "AB", "é", "s", "k", "ax", "xx\n", "absent"])


@given(TEXTS, NEEDLES, st.integers(0, 9))
def test_the_first_place_is_that_of_one_look_at_the_whole(text: str, needle: str, start: int) -> None:
    match = re.compile(re.escape(needle), re.IGNORECASE).search(text, start)
    assert find(text, needle, start) == (match.start() if match else None)


@given(TEXTS, NEEDLES, st.integers(0, 70_000))
def test_the_last_place_before_an_end_is_found(text: str, needle: str, end: int) -> None:
    ahead = re.compile(f"(?={re.escape(needle)})", re.IGNORECASE)
    end = min(end, len(text))
    places = [match.start() for match in ahead.finditer(text) if match.start() < end]
    assert find_back(text, needle, end) == (places[-1] if places else None)


def test_a_mark_of_a_control_finds_the_control() -> None:
    assert place_of("see \x1b]52", "␛]52") == 4
    assert place_of("see ␛]52", "␛]52") == 4
    assert place_of("see", "") is None
