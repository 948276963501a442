"""`number`: spellings, which number is meant, tolerance, percentages, locale."""

from __future__ import annotations

import sys
import unicodedata
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_tui.answers.number import number_check
from agent_tui.answers.text import has_foreign_digit, plain_spelling
from tests.answers.say import say, state

WHOLE = st.integers(1000, 10**9)
SNIPPETS = st.sampled_from(
    [
        "not",
        "the",
        "140",
        "140.00",
        "1.400",
        "1,400",
        "141",
        "no",
        "exactly",
        ".",
        "140%",
        "140EUR",
        "BK-140",
        "-140",
        "(140)",
        "140,",
        "1e2",
        "１４０",
        "cost",
        "140/day",
        "1.400.400",
        "01,400.140",
        "99.95",
        "99.950",
        "007",
        "0",
        "$",
        "% off",
        "12:30",
        "2026-01-05",
        "v1.2.3",
        "+99.95",
        "140.",
        "140;",
        "_140_",
        "140\n",
        "\ud800",
        "٣",
        "१४०",
        "𝟏𝟒𝟎",
        "߁",
        "été",
        "日本",
        "😀",
        "☂️",
        "\U0001fbf1",
        "ب",
    ]
)


def _grouped(value: int, mark: str) -> str:
    return f"{value:,}".replace(",", mark)


@given(WHOLE, st.sampled_from([",", "'", " ", "\u00a0", "\u202f", "’"]))
def test_a_number_equals_itself_with_any_thousands_mark(value: int, mark: str) -> None:
    assert state({"number": value}, f"It is {_grouped(value, mark)} in all") == "correct"


@given(
    WHOLE,
    st.sampled_from(
        [
            "{}",
            "{}.00",
            "€{}",
            "{} EUR",
            "{}EUR",
            "**{}**",
            "_{}.00_",
            "`{}`",
            "'{}'",
            "~{}",
            "({})",
            "{}!",
            "+{}",
            "{}e0",
        ]
    ),
)
def test_a_number_equals_itself_in_any_dress(value: int, dress: str) -> None:
    assert state({"number": value}, dress.format(value)) == "correct"


@given(WHOLE)
def test_a_number_equals_itself_in_other_digits_and_signs(value: int) -> None:
    wide = str(value).translate({48 + digit: 0xFF10 + digit for digit in range(10)})
    assert state({"number": value}, wide) == "correct"
    assert state({"number": -value}, f"\u2212{value}") == "correct"
    assert state({"number": -value}, f"-${value}") == "correct"
    assert state({"number": value}, f"-{value}") == "wrong"


@given(WHOLE, WHOLE)
def test_two_numbers_are_equal_only_if_they_are(left: int, right: int) -> None:
    assert (state({"number": left}, str(right)) == "correct") == (left == right)


def test_digits_of_identifiers_dates_and_times_are_no_numbers() -> None:
    answer = "Refunded 140.00 EUR for BK-8812 (v1.2.3) on 2026-02-03 at 09:30, see R2 and GPT-4."
    assert state({"number": 140}, answer) == "correct"


@pytest.mark.parametrize(
    ("which", "value", "expected"),
    [
        ("only", 10, "wrong"),
        ("first", 1, "correct"),
        ("first", 12, "wrong"),
        ("last", 12, "correct"),
        ("any", 10, "correct"),
        ("any", 11, "wrong"),
    ],
)
def test_which_number_is_meant(which: str, value: int, expected: str) -> None:
    answer = "Step 1: 10 apples. So the answer is 12."
    assert state({"number": {"value": value, "which": which}}, answer) == expected


def test_the_same_number_twice_is_still_the_only_one() -> None:
    assert state({"number": 140}, "140 EUR, in words: 140.00 EUR") == "correct"


@pytest.mark.parametrize(
    ("options", "answer", "expected"),
    [
        ({"abs": 0.01}, "140.01", "correct"),
        ({"abs": 0.01}, "140.011", "wrong"),
        ({"rel": 0.01}, "141.4", "correct"),
        ({"rel": 0.01}, "141.5", "wrong"),
        ({"percent": "as_number"}, "140%", "correct"),
        ({}, "140%", "wrong"),
        ({}, "140 EUR, VAT 19 %", "correct"),
        ({}, "no number", "wrong"),
    ],
)
def test_tolerance_and_percentages(options: dict[str, Any], answer: str, expected: str) -> None:
    assert state({"number": {"value": 140, **options}}, answer) == expected


@pytest.mark.parametrize(
    ("locale", "answer", "expected"),
    [
        (None, "1.400", "check_error"),
        ("de", "1.400", "correct"),
        ("de", "1.400,00", "correct"),
        ("en", "1.400", "wrong"),
        ("de_CH", "1'400.00", "correct"),
        ("de", "1,400", "wrong"),
        ("tlh", "1400", "check_error"),
    ],
)
def test_a_locale_decides_what_a_point_means(locale: str | None, answer: str, expected: str) -> None:
    assert state({"number": {"value": 1400, "locale": locale}}, answer) == expected


def test_reasons_are_sentences() -> None:
    assert say({"number": 140}, "1400.00 EUR").why == "1400.00 is not 140 (numbers compare as numbers)"
    assert say({"number": 1400}, "1.400").why == "1.400 may mean 1.4 or 1400: say which by `locale`"
    assert "500, 600" in say({"number": 600}, "The total is 500, not 600.").why


def test_a_denied_number_does_not_count() -> None:
    verdict = say({"number": 600}, "It is not exactly 600.")
    assert (verdict.state, verdict.flags) == ("wrong", ("negated",))


def test_values_past_floats_are_exact() -> None:
    assert state({"number": 2**53}, str(2**53 + 1)) == "wrong"
    assert state({"number": {"value": "0.1000000000000000001"}}, "0.1") == "wrong"


@pytest.mark.parametrize(
    ("truth", "answer", "expected"),
    [
        ({"value": 1.5, "abs": 0.1}, "10e999999", "wrong"),
        ({"value": "10e999999", "rel": 0.1}, "10e999999", "correct"),
        ({"value": "10e999999", "rel": 0.1}, "1.5", "wrong"),
        ({"value": "9e999999", "rel": 10}, "10e999999", "correct"),
        ({"value": 0, "abs": 0.1}, "0.1000000000000000000000000000001", "wrong"),
        ({"value": 0, "abs": 0.1}, "0.1", "correct"),
        ({"value": 0, "abs": 0.1}, f"0.1{'0' * 6000}1", "wrong"),
    ],
)
def test_a_distance_is_neither_rounded_nor_too_large(truth: dict[str, Any], answer: str, expected: str) -> None:
    assert state({"number": truth}, answer) == expected


@given(
    st.lists(SNIPPETS, min_size=1, max_size=7).map(" ".join),
    st.sampled_from(["140", "1400", "-140", "1.4", "99.95", "7", "0"]),
    st.sampled_from(["only", "first", "last", "any"]),
    st.sampled_from([{}, {"absolute": Decimal(2)}, {"percent_as_number": True}, {"decimal_sign": "."}]),
)
def test_the_quick_look_agrees_with_the_full_one(text: str, value: str, which: str, options: dict[str, Any]) -> None:
    check = number_check(Decimal(value), which=which, **options)
    assert check.verdict(text) == check.full_verdict(text)


@pytest.mark.parametrize(("text", "locale"), [("1.400.400", "en"), ("1,400,400", "de")])
def test_several_decimal_signs_of_the_locale_can_only_mark_groups(text: str, locale: str) -> None:
    assert state({"number": {"value": 1400400, "locale": locale}}, f"It is {text}.") == "correct"


@pytest.mark.parametrize("answer", ["140", "١٤٠", "۱۴۰", "१४०", "１４０", "𝟏𝟒𝟎", "١٤٠٫٠٠", "১৪০"])
def test_digits_of_any_script_are_numbers(answer: str) -> None:
    assert state({"number": 140}, f"it is {answer}") == "correct"
    assert state({"number": 14}, f"it is {answer}") == "wrong"
    assert state({"number": answer}, "140") == "correct"


@pytest.mark.parametrize("answer", ["140²", "Ⅻ", "½", "①"])
def test_other_numerals_are_no_digits(answer: str) -> None:
    assert state({"number": 12}, answer) == "wrong"


def test_every_decimal_digit_of_unicode_is_one() -> None:
    digits = [chr(code) for code in range(sys.maxunicode + 1) if unicodedata.decimal(chr(code), None) is not None]
    assert plain_spelling("".join(digits)) == "".join(str(unicodedata.decimal(digit)) for digit in digits)
    assert all(has_foreign_digit(digit) is not digit.isascii() for digit in digits)
