"""Where a terminal knows ASCII only, different signs look different."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_tui.safety import sanitise_line
from agent_tui.tui.widgets.foreign import distinct, shown_line, shown_start, spell_signs
from agent_tui.tui.widgets.paint import ascii_only


@pytest.fixture
def _spelling() -> Iterator[None]:
    spell_signs(True)
    yield
    spell_signs(False)


@pytest.mark.usefixtures("_spelling")
@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("café ツ", r"caf\xe9 \u30c4"),
        ("\U0001f600", r"\U0001f600"),
        ("a\x1b[2J\nb", r"a\x1b[2J\nb"),
        ("it’s “so” – yes", 'it\'s "so" - yes'),
        ("plain", "plain"),
    ],
)
def test_signs_beyond_ascii_are_spelt_and_those_with_a_near_one_are_not(text: str, shown: str) -> None:
    assert ascii_only(shown_line(text)) == shown


@pytest.mark.usefixtures("_spelling")
def test_what_was_cut_is_told_in_ascii() -> None:
    assert shown_start("ツツツツ", 2) == r"\u30c4\u30c4... +2 chars"


@pytest.mark.usefixtures("_spelling")
def test_what_is_compared_has_near_signs_spelt_too() -> None:
    assert distinct("it’s") == r"it\u2019s" != distinct("it's")


@given(st.text())
def test_elsewhere_text_is_shown_as_it_is(text: str) -> None:
    assert (shown_line(text), distinct(text)) == (sanitise_line(text), text)
