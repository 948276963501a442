"""Escaping: one rule for every foreign text, exact both ways; and folding, whose places lead back."""

from __future__ import annotations

import json
import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_tui.judge.characters import escape, fold, has_content, whole_pairs

ANY_TEXT = st.text(st.characters(codec=None, exclude_categories=()), max_size=80)
ESCAPED = st.sampled_from(
    "<>&@`\x00\x1b\x9b\u200b\u202e\u2066\ufe0f\ufeff\U000e0067\ue000\U0010ffff\u0378\ud800\u3164\u0301\u0663€“"
)


@given(st.text(st.one_of(ESCAPED, st.characters(exclude_categories=())), max_size=80))
def test_an_escaped_text_reads_back_exactly(text: str) -> None:
    assert json.loads(escape(text)) == whole_pairs(text)


@given(ESCAPED, ANY_TEXT)
def test_what_could_act_or_hide_never_stands_as_it_is(char: str, text: str) -> None:
    assert char not in escape(text + char + text)


def test_only_letters_and_harmless_ascii_are_not_escaped() -> None:
    kept = [char for char in map(chr, range(sys.maxunicode + 1)) if escape(char) == f'"{char}"']
    assert {char for char in kept if char > "\x7f" and not unicodedata.category(char).startswith("L")} == set()
    assert {char for char in map(chr, range(32, 127)) if char not in kept} == set('<>&@`"\\')
    assert all(not set(unicodedata.normalize("NFKC", char)) & set("<>&@`") for char in kept)


def test_letters_of_every_script_stay_readable() -> None:
    assert escape("Größe, 東京, Москва") == '"Größe, 東京, Москва"'


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("</answer>", "\\u003c/answer\\u003e"),
        ("@/etc/hosts", "\\u0040/etc/hosts"),
        ("a\nb\tc", "a\\nb\\tc"),
        ("\x1b[2J", "\\u001b[2J"),
        ("👍", "\\ud83d\\udc4d"),
        ('say "x" \\', 'say \\"x\\" \\\\'),
    ],
)
def test_what_is_escaped_is_written_as_json_has_it(text: str, escaped: str) -> None:
    assert escape(text) == f'"{escaped}"'


@pytest.mark.parametrize("text", ["", " \n\t", ":", "...!?", "---", "```", "\u200b\ufeff", "\u3164", "\ue000"])
def test_space_punctuation_and_the_invisible_say_nothing(text: str) -> None:
    assert not has_content(text)


@pytest.mark.parametrize("text", ["a", "7", "٣", "+", "€", "👨\u200d👩\u200d👧", "はい"])
def test_letters_digits_and_signs_say_something(text: str) -> None:
    assert has_content(text)


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("PASS", "pass"),
        ("v\u200be\u00adrdict", "verdict"),
        ("V\u0435rdi\u0441t", "verdict"),
        ("ｐａｓｓ 𝐩𝐚𝐬𝐬", "pass pass"),
        ("\x1b[32mVERDICT\x1b[0m", "verdict"),
        ("don’t", "don't"),
    ],
)
def test_folding_shows_what_a_reader_sees(text: str, folded: str) -> None:
    assert fold(text).text == folded


@given(st.text(st.one_of(st.sampled_from("aB\u200b\u202e\x1b[3m\u0435ｐ "), st.characters()), max_size=60))
def test_places_in_a_folded_text_lead_back_to_the_same_characters(text: str) -> None:
    folded = fold(text)
    for index, char in enumerate(folded.text):
        original = text[folded.place(index)]
        assert fold(original).text == char
        assert folded.end(index + 1) == folded.place(index) + 1
