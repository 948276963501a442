"""How long a text is, in words."""

from __future__ import annotations

import pytest

from agent_tui.tui.present.texts import size_and_lines


@pytest.mark.parametrize(
    ("text", "words"),
    [("x", "1 character, 1 line"), ("ab\ncd", "5 characters, 2 lines"), ("x" * 5000, "5 kB, 1 line")],
)
def test_a_size_counts_characters_and_lines(text: str, words: str) -> None:
    assert size_and_lines(text) == words
